import type { Category } from '../../../kernel/model/category.ts'
import { type Entry, isSuggestion, type Status } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { EntryFilter } from '../../../kernel/model/search.ts'
import { normaliseTag } from '../../../kernel/text/tags.ts'

interface FilterInput {
  readonly agent?: string | undefined
  readonly reader?: string | undefined
  readonly category?: Category | undefined
  readonly kind?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly status?: Status | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly file?: string | undefined
}

const DATE = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d(?::\d\d)?)?)?)?$/

export async function parseFilter(input: FilterInput): Promise<EntryFilter> {
  return {
    ...(input.agent !== undefined && { agent: await agentNamed(input.agent) }),
    ...(input.reader !== undefined && { reader: await agentNamed(input.reader) }),
    ...(input.category !== undefined && { category: input.category }),
    ...(input.kind !== undefined && { kind: input.kind.trim().toLowerCase() }),
    ...(input.tags !== undefined && input.tags.length > 0 && { tags: input.tags.map(normaliseTag) }),
    ...(input.status !== undefined && { status: input.status }),
    ...(input.since !== undefined && { since: checkDate(input.since) }),
    ...(input.until !== undefined && { until: checkDate(input.until) }),
    ...(input.file !== undefined && { file: input.file }),
  }
}

/** Most searches name no agent, and do not load the rules that find secrets. */
async function agentNamed(name: string): Promise<string> {
  const { parseAgentName } = await import('../../../kernel/text/redaction/safe-names.ts')
  return parseAgentName(name)
}

function checkDate(date: string): string {
  const [, month = 1, day = 1] = date.slice(0, 10).split('-').map(Number)
  const days = new Date(Date.UTC(Number(date.slice(0, 4)), month, 0)).getUTCDate()
  if (DATE.test(date) && month >= 1 && month <= 12 && day >= 1 && day <= days) return date
  throw noDate(date)
}

function noDate(date: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `"${date.slice(0, 40)}" is not a date.`,
    hint: 'Write it as 2026, 2026-03, 2026-03-16 or 2026-03-16T10:00.',
  })
}

/** The first moment of a date as it is given to a filter, UTC. */
export function momentOfDate(date: string): number {
  const checked = checkDate(date)
  const hasHourAlone = checked.length === '2026-03-16T10'.length
  const ms = Date.parse(checked.includes('T') ? `${checked}${hasHourAlone ? ':00' : ''}Z` : checked)
  if (Number.isNaN(ms)) throw noDate(date)
  return ms
}

/** The same for an entry that is in no index. */
export function matchesFilter(entry: Entry, filter: EntryFilter): boolean {
  const {
    agent,
    reader,
    exceptPrivate,
    exceptSuggestions,
    category,
    kind,
    tags,
    status,
    since,
    until,
    file,
  } = filter
  return (
    (agent === undefined || entry.agent === agent) &&
    (reader === undefined || [reader, 'shared', 'private'].includes(entry.agent)) &&
    (exceptPrivate !== true || entry.agent !== 'private') &&
    (exceptSuggestions !== true || !isSuggestion(entry)) &&
    (category === undefined || entry.category === category) &&
    (kind === undefined || entry.kind === kind) &&
    (tags === undefined || tags.some(tag => entry.tags.includes(tag))) &&
    (status === undefined || entry.status === status) &&
    (since === undefined || entry.date >= since) &&
    (until === undefined || entry.date <= `${until}~`) &&
    (file === undefined ||
      entry.files.some(
        path => path === file || path.endsWith(`/${file}`) || path.startsWith(`${file.replace(/\/$/, '')}/`),
      ))
  )
}
