import type { Agreed } from './plan-incoming.ts'
import type { Documents, Push, SharedDocument } from './protocol.ts'

/** `cairn_<id>_<secret>`, or another format of a hub: no blank, no line break. */
const TOKEN = /^[\x21-\x7e]{8,512}$/

/** Whether a text can be a token of a hub. */
export function isTokenText(text: string): boolean {
  return TOKEN.test(text)
}

/** The hub that a project of this machine is linked to. Stored in the user's own folder: a repository cannot decide where a memory is sent. */
export interface HubAddress {
  /** `https://hub.example.org`, without a slash at its end. */
  readonly url: string
  /** The name of the project on the hub. */
  readonly project: string
  /** The identity of the project when it was linked: another server at the same address receives nothing. */
  readonly identity: string
  /** The user allowed plain HTTP to another machine. */
  readonly isInsecure: boolean
  readonly since: string
}

/** Sync state of a link: a cache. Without it the next sync compares all entries of both sides. */
export interface LinkState {
  /** Discards what was agreed with another project. */
  open(identity: string): void
  cursor(): string | null
  agreed(ids: readonly string[]): ReadonlyMap<string, Agreed>
  /** Of every entry with an agreed version. */
  prints(): ReadonlyMap<string, string | null>
  documents(): Documents
  /** A push whose answer did not arrive. */
  pending(): Push | undefined
  /** All of it, or nothing. Throws `store_locked` if another process has opened it for another project since. */
  keep(change: StateChange): void
  /** The last journal record of the last complete send. */
  settledAt(): string | null
  close(): void
}

export interface StateChange {
  readonly cursor?: string | null
  /** undefined: nothing is agreed any more. */
  readonly agreed?: readonly (readonly [id: string, agreed: Agreed | undefined])[]
  readonly documents?: readonly (readonly [name: SharedDocument, body: string | null])[]
  /** null: it was answered. */
  readonly pending?: Push | null
  readonly settledAt?: string | null
  /** Discards everything else first. */
  readonly anew?: true
}

/** Results of the last attempts, for display and for the next attempt. */
export interface LinkLog {
  /** Milliseconds since 1970, by the clock of this machine only. */
  readonly attemptedMs: number
  readonly syncedMs: number | null
  /** Failures in a row. */
  readonly failures: number
  readonly failure: { readonly code: string; readonly message: string; readonly hint: string } | null
  /** Conflicts stored as two entries and entries withheld, in the last complete sync. */
  readonly last: LastSync | null
}

interface LastSync {
  readonly sent: number
  readonly received: number
  readonly conflicts: number
  readonly withheld: number
  /** The token may only read: local changes were not sent. */
  readonly isReadOnly: boolean
}

/** The link of this project on this machine. */
export interface HubLink {
  address(): Promise<HubAddress | undefined>
  /** Throws `not_linked` if the token is missing or belongs to another link. */
  token(address: Pick<HubAddress, 'url' | 'project'>): Promise<string>
  keep(address: HubAddress, token: string): Promise<void>
  remove(): Promise<boolean>
  state(): Promise<LinkState>
  log(): Promise<LinkLog | undefined>
  keepLog(log: LinkLog): Promise<void>
  /** One sync, or one change of the link, at a time across processes. Throws `store_locked` after this timeout. */
  alone<T>(work: () => Promise<T>, patienceMs: number): Promise<T>
}
