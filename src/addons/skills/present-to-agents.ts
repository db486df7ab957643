import { neutraliseName } from '../../features/brief/decide/fence.ts'
import { bounded, type Degraded, MAX_ROWS } from '../../verbs/agent-text.ts'

interface SkillView {
  readonly name: string
  readonly description: string
  readonly scope: string
  readonly path: string
}

export function skillRows(
  output: Degraded & {
    readonly skills?: readonly SkillView[]
    readonly skill?: SkillView
    readonly outcome?: string
    readonly problems?: readonly { readonly path: string; readonly message: string }[]
    readonly redacted?: readonly { readonly type: string }[]
  },
): string {
  const { skills = [], skill, outcome, problems = [], redacted = [], ...rest } = output
  if (skill !== undefined) {
    const removed = redacted.length === 0 ? [] : ['What looked like a secret was removed from it.']
    return bounded([`Skill ${outcome}: ${skillLine(skill)}`, ...removed], rest)
  }
  const lines = skills.slice(0, MAX_ROWS).map(skillLine)
  const wrong = problems
    .slice(0, MAX_ROWS)
    .map(({ path, message }) => `! ${neutraliseName(path)}: ${neutraliseName(message, 200)}`)
  return bounded(lines.length + wrong.length === 0 ? ['No skills yet.'] : [...lines, ...wrong], rest)
}

function skillLine({ name, description, scope, path }: SkillView): string {
  const where = scope === '' ? '' : ` (${neutraliseName(scope)})`
  return `${neutraliseName(name)}${where}: ${neutraliseName(description, 300)} [${neutraliseName(path, 200)}]`
}
