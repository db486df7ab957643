/** Instructions for an agent. They come before the memory in `prompt` answers. */
export interface QueryTemplate {
  readonly name: string
  readonly instructions: string
  /** Shipped with Cairn, or from `query.templates` of config.json. */
  readonly origin: 'built-in' | 'project'
}

const MAX_INSTRUCTIONS_LENGTH = 4_000
const MAX_TEMPLATES = 100
const NAME = /^[A-Za-z0-9][\w-]{0,39}$/

const BUILT_IN: Readonly<Record<string, string>> = {
  handoff:
    'You take over this project from another session. From the memory below, say in a few sentences where it stands, what was being worked on, what is left to do and what to watch out for. Then continue with the first open step, after checking in the repository that it is still open.',
  onboarding:
    'You are new to this project. From the memory below, explain what it is, how it is laid out, how to run its checks, and what one must know before changing anything. Say what you could not find out.',
  standup:
    'Write a short status for the team from the memory below: what was done, what is in work, what comes next, what is in the way. One line for each point, no preamble.',
  review:
    'You are about to review a change in this project. From the memory below, list the decisions and gotchas that the change must respect, and the checks to run. Point out where the memory may be outdated.',
  plan: 'Plan the next piece of work from the memory below: the steps in their order, what each depends on, and which check shows that it is done. Name what must be found out first.',
}

/** `query.templates` of config.json: `{ "release": { "instructions": "…" } }`. An invalid template is left out; `problems` has the reason. */
export function readTemplates(stored: unknown): {
  templates: readonly QueryTemplate[]
  problems: readonly string[]
} {
  const byName = new Map(
    Object.entries(BUILT_IN).map(([name, instructions]) => [
      name,
      { name, instructions, origin: 'built-in' as QueryTemplate['origin'] },
    ]),
  )
  const problems: string[] = []
  if (stored !== undefined && (typeof stored !== 'object' || stored === null || Array.isArray(stored)))
    problems.push('query.templates: not an object')
  const own = typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
  if (own.length > MAX_TEMPLATES)
    problems.push(`query.templates: more than ${MAX_TEMPLATES}; the others are not used`)
  for (const [name, value] of own.slice(0, MAX_TEMPLATES)) {
    const wrong = problemOf(name, value)
    if (wrong !== undefined) problems.push(`query.templates.${name.slice(0, 60)}: ${wrong}`)
    else {
      const { instructions } = value as { instructions: string }
      byName.set(name, { name, instructions: instructions.trim(), origin: 'project' })
    }
  }
  return { templates: [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems }
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!NAME.test(name)) return 'a name has letters, digits, - and _, at most 40'
  const { instructions } = (value ?? {}) as { instructions?: unknown }
  if (typeof value !== 'object' || typeof instructions !== 'string')
    return 'not an object with a text `instructions`'
  if (instructions.trim() === '') return '`instructions` is empty'
  return instructions.length > MAX_INSTRUCTIONS_LENGTH
    ? `\`instructions\` has more than ${MAX_INSTRUCTIONS_LENGTH} characters`
    : undefined
}
