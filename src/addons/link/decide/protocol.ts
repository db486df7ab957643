import type { Incoming } from './plan-incoming.ts'
import type { PushedEntry, PushOutcome } from './plan-push.ts'

/** Version of the protocol between a hub and a clone. */
export const SYNC_PROTOCOL = 1

/** Documents synced besides entries: human decisions, and the project text shown to every agent. */
export const SHARED_DOCUMENTS = ['curation.json', '_project.md'] as const
export type SharedDocument = (typeof SHARED_DOCUMENTS)[number]

/** Bodies by name; null: the document does not exist. */
export type Documents = Readonly<Record<SharedDocument, string | null>>
export const NO_DOCUMENTS: Documents = { 'curation.json': null, '_project.md': null }

export interface Hello {
  readonly protocol: number
  /** Identifies this project on this hub, whatever its address and its name. */
  readonly identity: string
  readonly revision: number
  /** By the clock of the hub; compared only with other times of the hub. */
  readonly nowMs: number
}

export interface PullQuestion {
  /** Where the last page ended; null: from the beginning. */
  readonly cursor: string | null
  readonly limit: number
  /** Fingerprints of the agreed documents: only changed ones are sent. */
  readonly documents: Readonly<Record<SharedDocument, string | null>>
}

export interface FeedPage {
  readonly identity: string
  /** The revision of the project when this page was read. */
  readonly revision: number
  readonly cursor: string
  /** This is the last page. */
  readonly isLast: boolean
  readonly entries: readonly Incoming[]
  /** With the last page: documents that differ from the agreed ones. */
  readonly documents: readonly { readonly name: SharedDocument; readonly body: string | null }[]
}

/** Whether the hub had this version of an entry after a revision. Fingerprint null: whether it was removed. */
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
  /** The id of a push: a repeated push gets the same answer and is applied once. */
  readonly id: string
  /** The project that it is meant for. */
  readonly identity: string
  /** The same for all pushes of one sync, so that one `undo` on the hub undoes them together. It begins with the hub's milliseconds. */
  readonly batch: string
  readonly entries: readonly PushedEntry[]
  readonly documents: readonly PushedDocument[]
}

export type DocumentOutcome =
  | { readonly name: SharedDocument; readonly outcome: 'accepted' | 'already' }
  | { readonly name: SharedDocument; readonly outcome: 'conflict'; readonly body: string | null }
  | { readonly name: SharedDocument; readonly outcome: 'refused'; readonly reason: 'secret' | 'unreadable' }

export interface PushAnswer {
  /** Revision of the project before and after: if nothing came between, the sent entries need not be fetched again. */
  readonly before: number
  readonly revision: number
  readonly entries: readonly PushOutcome[]
  readonly documents: readonly DocumentOutcome[]
}

/** `12`: everything up to revision 12.  `12:1773679871839-k3f9`: of revision 12 everything up to this id. */
export interface FeedPlace {
  readonly revision: number
  /** undefined: the revision is complete. */
  readonly id?: string
}

const CURSOR = /^(\d{1,15})(?::(.+))?$/s

/** undefined: not a cursor of Cairn. */
export function readCursor(cursor: string): FeedPlace | undefined {
  const found = CURSOR.exec(cursor)
  if (found === null) return undefined
  return { revision: Number(found[1]), ...(found[2] !== undefined && { id: found[2] }) }
}

export function writeCursor({ revision, id }: FeedPlace): string {
  return id === undefined ? String(revision) : `${revision}:${id}`
}
