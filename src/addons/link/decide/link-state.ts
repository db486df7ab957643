import type { Agreed } from './plan-incoming.ts'
import type { Documents, Push, SharedDocument } from './protocol.ts'

/** `cairn_<id>_<secret>`, or whatever a hub gives: no blank, no line break. */
const TOKEN = /^[\x21-\x7e]{8,512}$/

/** Whether a text can be a token of a hub. */
export function isTokenText(text: string): boolean {
  return TOKEN.test(text)
}

/** Where a project of this machine is linked to. Kept in the user's own folder: no repository can decide where a memory is sent. */
export interface HubAddress {
  /** `https://hub.example.org`, without a slash at its end. */
  readonly url: string
  /** The name of the project there. */
  readonly project: string
  /** What the hub said it is when it was linked: another server at the address is told nothing. */
  readonly identity: string
  /** Plain HTTP to another machine was allowed. */
  readonly isInsecure: boolean
  readonly since: string
}

/** What is known of a link beside the address: a cache. Without it the next sync compares what both sides have. */
export interface LinkState {
  /** What was agreed with another project is forgotten. */
  open(identity: string): void
  cursor(): string | null
  agreed(ids: readonly string[]): ReadonlyMap<string, Agreed>
  /** Of every entry that was agreed about. */
  prints(): ReadonlyMap<string, string | null>
  documents(): Documents
  /** A push whose answer was not heard. */
  pending(): Push | undefined
  /** All of it, or nothing. Throws `store_locked` where somebody has opened it for another project since. */
  keep(change: StateChange): void
  /** The last record of the journal when everything here had been sent. */
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
  /** Everything else is forgotten first. */
  readonly anew?: true
}

/** How the last attempts went, for whoever looks and for the next. */
export interface LinkLog {
  /** Milliseconds since 1970, by the clock of this machine alone. */
  readonly attemptedMs: number
  readonly syncedMs: number | null
  /** In a row. */
  readonly failures: number
  readonly failure: { readonly code: string; readonly message: string; readonly hint: string } | null
  /** Conflicts that were kept as two entries, entries that were held back, by the last sync that ended. */
  readonly last: LastSync | null
}

export interface LastSync {
  readonly sent: number
  readonly received: number
  readonly conflicts: number
  readonly withheld: number
  /** The token may only read: what waits here was not sent. */
  readonly isReadOnly: boolean
}

/** The link of this project on this machine. */
export interface HubLink {
  address(): Promise<HubAddress | undefined>
  /** Throws `not_linked` where the token is gone, or is that of another link by now. */
  token(address: Pick<HubAddress, 'url' | 'project'>): Promise<string>
  keep(address: HubAddress, token: string): Promise<void>
  remove(): Promise<boolean>
  state(): Promise<LinkState>
  log(): Promise<LinkLog | undefined>
  keepLog(log: LinkLog): Promise<void>
  /** One sync, or one change of the link, at a time between processes. Throws `store_locked` where another is under way for longer than that. */
  alone<T>(work: () => Promise<T>, patienceMs: number): Promise<T>
}
