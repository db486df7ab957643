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
  /** Where it stands, when it goes or comes back and that does not follow from the entry. */
  readonly place?: EntryPlace
}

/** Where an entry stood in the vault, so that it comes back as it was. */
export interface EntryPlace {
  /** The file, relative to `.memory/`. */
  readonly path: string
  /** Its text there, when that is not the one Cairn writes. */
  readonly text?: string
  /** Which of the previews in the summary of its category was its own, from 0. */
  readonly preview?: number
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
