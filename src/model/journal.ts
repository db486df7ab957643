import type { Actor, Entry } from './entry.ts'

export const JOURNAL_ACTIONS = [
  'add',
  'merge',
  'update',
  'remove',
  'pin',
  'unpin',
  'import',
  'observe',
  'undo',
  'alias',
  'config',
  'feedback',
  'finalize',
  'promote',
  'reject',
  'confirm',
  'resolve',
  'evict',
  'restore',
] as const
export type JournalAction = (typeof JOURNAL_ACTIONS)[number]

/** What happened to one entry. `before` null: it was added. `after` null: it was removed. */
export interface EntryChange {
  readonly type: 'entry'
  readonly before: Entry | null
  readonly after: Entry | null
}

/** What happened to one JSON document of `.memory/`. */
export interface DocumentChange {
  readonly type: 'document'
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

export type Change = EntryChange | DocumentChange

/** One mutation, written before it happens. Enough to undo it, to redo it after a crash, and to look back in time. */
export interface JournalRecord {
  readonly id: string
  /** UTC ISO with milliseconds. */
  readonly at: string
  readonly action: JournalAction
  readonly by: Actor
  readonly changes: readonly Change[]
  /** The record this one reverts. */
  readonly undoes?: string
}
