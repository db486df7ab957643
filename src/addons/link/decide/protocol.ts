import type { Incoming } from './plan-incoming.ts'
import type { PushedEntry, PushOutcome } from './plan-push.ts'

/** What a hub and a repository say to each other. Another number is another language. */
export const SYNC_PROTOCOL = 1

/** What is kept in step beside entries: what people decided, and what every agent is told of the project. */
export const SHARED_DOCUMENTS = ['curation.json', '_project.md'] as const
export type SharedDocument = (typeof SHARED_DOCUMENTS)[number]

/** Bodies by name; null: there is none. */
export type Documents = Readonly<Record<SharedDocument, string | null>>
export const NO_DOCUMENTS: Documents = { 'curation.json': null, '_project.md': null }

export interface Hello {
  readonly protocol: number
  /** Tells this project on this hub from every other, whatever address it is reached at and whatever it is called. */
  readonly identity: string
  readonly revision: number
  /** By the clock of the hub, which is only ever compared with itself. */
  readonly nowMs: number
}

export interface PullQuestion {
  /** Where the last page ended; null: from the beginning. */
  readonly cursor: string | null
  readonly limit: number
  /** Prints of the documents as they were agreed: only another one is sent. */
  readonly documents: Readonly<Record<SharedDocument, string | null>>
}

export interface FeedPage {
  readonly identity: string
  /** Of the project, when this page was read. */
  readonly revision: number
  readonly cursor: string
  /** Nothing is behind this page. */
  readonly isLast: boolean
  readonly entries: readonly Incoming[]
  /** With the last page: those that are other than what was agreed. */
  readonly documents: readonly { readonly name: SharedDocument; readonly body: string | null }[]
}

/** Whether the hub had this version of an entry after a revision. A print of null: whether it was removed. */
export interface VersionQuestion {
  readonly id: string
  readonly print: string | null
  readonly after: number
}

export interface PushedDocument {
  readonly name: SharedDocument
  readonly expected: string | null
  readonly body: string | null
}

export interface Push {
  /** The same push again has the same: it is answered as it was, and done once. */
  readonly id: string
  /** The project that it is meant for. */
  readonly identity: string
  /** The same for all pushes of one sync, which `undo` on the hub takes back together. It begins with the hub's own milliseconds. */
  readonly batch: string
  readonly entries: readonly PushedEntry[]
  readonly documents: readonly PushedDocument[]
}

export type DocumentOutcome =
  | { readonly name: SharedDocument; readonly outcome: 'accepted' | 'already' }
  | { readonly name: SharedDocument; readonly outcome: 'conflict'; readonly body: string | null }
  | { readonly name: SharedDocument; readonly outcome: 'refused'; readonly reason: 'secret' | 'unreadable' }

export interface PushAnswer {
  /** Of the project before and after: where nothing came between, what was sent need not be fetched again. */
  readonly before: number
  readonly revision: number
  readonly entries: readonly PushOutcome[]
  readonly documents: readonly DocumentOutcome[]
}

/** `12`: everything up to revision 12.  `12:1773679871839-k3f9`: of revision 12 everything up to this id. */
export interface FeedPlace {
  readonly revision: number
  /** undefined: the revision is done. */
  readonly id?: string
}

const CURSOR = /^(\d{1,15})(?::(.+))?$/s

/** undefined: it is none of ours. */
export function readCursor(cursor: string): FeedPlace | undefined {
  const found = CURSOR.exec(cursor)
  if (found === null) return undefined
  return { revision: Number(found[1]), ...(found[2] !== undefined && { id: found[2] }) }
}

export function writeCursor({ revision, id }: FeedPlace): string {
  return id === undefined ? String(revision) : `${revision}:${id}`
}
