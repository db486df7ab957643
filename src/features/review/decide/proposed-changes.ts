import { type Entry, withPinnedBy } from '../../../kernel/model/entry.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'

/** A JSON file of `.memory/`, of any author. */
type JsonObject = Readonly<Record<string, unknown>>

/** Waiting and rejected proposals. Under `history/`, which git ignores, because no person confirmed them. */
export const PROPOSALS = 'history/proposals.json'

export const PROPOSED_ACTIONS = ['pin', 'unpin', 'forget', 'edit', 'feedback'] as const
export type ProposedAction = (typeof PROPOSED_ACTIONS)[number]

export const SAYINGS = ['useful', 'wrong', 'clear'] as const
type Saying = (typeof SAYINGS)[number]

/** The fields that an edit may change. */
export type ProposedFields = Partial<Pick<Entry, 'content' | 'kind' | 'category' | 'tags' | 'files'>>

/** A change that an agent requests. */
export interface AskedChange {
  readonly action: ProposedAction
  /** For an edit. */
  readonly fields?: ProposedFields
  /** For feedback. */
  readonly saying?: Saying
}

/** A change that an agent requests to a person's entry; a person accepts or rejects it. */
export interface ProposedChange extends AskedChange {
  /** `1773679871839-k3f9:forget`: the entry and the action, with a fingerprint of the new text for an edit. */
  readonly id: string
  readonly entry: string
  /** Fingerprint of the entry's text at the time of the request. */
  readonly print: string
  /** UTC ISO. */
  readonly at: string
  /** Host and agent. */
  readonly by: string
  readonly session?: string
}

/** More would not be reviewed: an agent must wait for the user. */
export const MAX_PROPOSED = 30
const MAX_REJECTED = 1_000

/** The same request has the same id. */
export function proposedId(entry: string, { action, fields, saying }: AskedChange): string {
  const what = action === 'edit' ? fingerprint(JSON.stringify(fields)).slice(0, 8) : saying
  return what === undefined ? `${entry}:${action}` : `${entry}:${action}-${what}`
}

/** Skips proposals that a hand edit made unreadable. */
export function waitingIn(document: JsonObject): readonly ProposedChange[] {
  return Object.entries(sectionOf(document, 'waiting')).flatMap(([id, value]) =>
    isProposed(value) ? [{ ...value, id }] : [],
  )
}

export function isProposed(value: unknown): value is Omit<ProposedChange, 'id'> {
  if (typeof value !== 'object' || value === null) return false
  const { entry, action, print, at, by, fields, saying } = value as Record<string, unknown>
  if (![entry, print, at, by].every(each => typeof each === 'string')) return false
  if (!PROPOSED_ACTIONS.some(known => known === action)) return false
  if (action === 'edit') return areFields(fields)
  return action !== 'feedback' || SAYINGS.some(known => known === saying)
}

function areFields(fields: unknown): fields is ProposedFields {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return false
  return Object.entries(fields).every(([name, value]) =>
    name === 'tags' || name === 'files'
      ? Array.isArray(value) && value.every(each => typeof each === 'string')
      : ['content', 'kind', 'category'].includes(name) && typeof value === 'string',
  )
}

/** Whether it still applies: the entry exists, has the same text, and does not have the requested value. */
export function isOpen({ action, print }: ProposedChange, entry: Entry | undefined): entry is Entry {
  if (entry === undefined || fingerprint(entry.content) !== print) return false
  return (action !== 'pin' || entry.status !== 'pinned') && (action !== 'unpin' || entry.status === 'pinned')
}

/** Whether a person rejected this request and the entry still has the same text. */
export function isRejected(document: JsonObject, id: string, print: string): boolean {
  const rejected = sectionOf(document, 'rejected')
  return Object.hasOwn(rejected, id) && (rejected[id] as { print?: unknown } | null)?.print === print
}

export function withWaiting(document: JsonObject, waiting: readonly ProposedChange[]): JsonObject {
  return { ...document, waiting: Object.fromEntries(waiting.map(({ id, ...rest }) => [id, rest])) }
}

export function withoutWaiting(document: JsonObject, ids: ReadonlySet<string>): JsonObject {
  const left = Object.entries(sectionOf(document, 'waiting')).filter(([id]) => !ids.has(id))
  return { ...document, waiting: Object.fromEntries(left) }
}

export function withRejected(
  document: JsonObject,
  proposals: readonly ProposedChange[],
  said: { readonly at: string; readonly by: string },
): JsonObject {
  const added = proposals.map(({ id, print }) => [id, { print, ...said }] as const)
  const ids = new Set(proposals.map(({ id }) => id))
  const earlier = Object.entries(sectionOf(document, 'rejected')).filter(([id]) => !ids.has(id))
  const rejected = Object.fromEntries([...earlier, ...added].slice(-MAX_REJECTED))
  return { ...withoutWaiting(document, ids), rejected }
}

/** The entry after the change. null: it is removed. */
export function changedBy({ action, fields }: AskedChange, entry: Entry, updated: string): Entry | null {
  if (action === 'forget') return null
  if (action === 'feedback') return entry
  if (action === 'edit') return { ...entry, ...fields, updated }
  return withPinnedBy({ ...entry, status: action === 'pin' ? 'pinned' : 'confirmed' }, 'person')
}

function sectionOf(document: JsonObject, name: string): JsonObject {
  const section = document[name]
  return typeof section === 'object' && section !== null && !Array.isArray(section)
    ? (section as JsonObject)
    : {}
}
