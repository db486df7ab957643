import { writeIn } from './scratch-project.ts'

const RESOURCES = 'resources/workspaces'
const LEARNINGS = 'user/memory/workspaces'

export interface PlanText {
  readonly name?: string
  readonly description?: string
  readonly status?: string
  readonly created?: string
  readonly tags?: readonly string[]
  readonly body?: string
}

/** Writes a plan and returns its path. */
export function writePlan(root: string, scope: string, id: string, plan: PlanText = {}): string {
  const path = `${RESOURCES}/${scope}/_plans/${id}.md`
  const { name = id, description = 'A plan.', status = 'new', created = '2026-02-08', tags = [] } = plan
  const head = [
    `name: ${JSON.stringify(name)}`,
    `description: ${JSON.stringify(description)}`,
    `status: ${status}`,
    `created: ${created}`,
    `tags: [${tags.join(', ')}]`,
  ]
  writeIn(root, path, `---\n${head.join('\n')}\n---\n\n${plan.body ?? ''}\n`)
  return path
}

export function writeOverview(root: string, scope: string, description: string, body = ''): string {
  const path = `${RESOURCES}/${scope}/OVERVIEW.md`
  writeIn(root, path, `---\nname: ${scope}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}\n`)
  return path
}

/** The whole file: each learning a heading with its date, what it says, and its tags. */
export function writeLearnings(
  root: string,
  scope: string,
  kind: 'decisions' | 'lessons',
  items: readonly string[],
): string {
  const path = `${LEARNINGS}/${scope}/${kind}.md`
  writeIn(root, path, `# ${kind}\n\n${items.join('\n\n')}\n`)
  return path
}
