import type { SessionFinding, SessionMemory } from '../../../kernel/model/session.ts'

/** A finding of a closed session, as the index keeps it. */
export interface KnownFinding extends SessionFinding {
  readonly session: string
  /** The first of the sessions that this one was forked from, or itself: forks are no evidence for each other. */
  readonly root: string
  readonly agent: string
  readonly finalizedAt: number
}

/**
 * What sessions found, for looking up: a cache of `sessions/*.memory.json`. Each file is read in once, when its stamp is another
 * than the one it was read with.
 */
export interface FindingIndex {
  /** Session → the stamp of its file when it was read in. */
  stamps(): Promise<ReadonlyMap<string, string>>
  /** Takes the place of what was known of the session. */
  put(read: {
    readonly memory: SessionMemory
    readonly stamp: string
    /** The first of the sessions that it was forked from, or itself. */
    readonly root: string
  }): Promise<void>
  drop(sessions: readonly string[]): Promise<void>
  /** Findings with this fingerprint, newest first. */
  findSame(fingerprint: string, limit: number): Promise<readonly KnownFinding[]>
  /** Those that are no entry, newest session first. */
  pending(options: {
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly findings: readonly KnownFinding[]; readonly total: number }>
  /** The first of the sessions that this one descends from; undefined when it was not read in. */
  rootOf(session: string): Promise<string | undefined>
  /** The finding that became this entry. */
  findByEntry(entry: string): Promise<KnownFinding | undefined>
  /** By its id, which names it within all sessions. */
  find(id: string): Promise<KnownFinding | undefined>
}
