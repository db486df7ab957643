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
  'edit-files',
  'split',
  'sync',
  'propose',
] as const
export type JournalAction = (typeof JOURNAL_ACTIONS)[number]

/** What happened to one entry. `before` null: it was added. `after` null: it was removed. */
export interface EntryChange {
  readonly type: 'entry'
  readonly before: Entry | null
  readonly after: Entry | null
  /** Where it stands, when it goes or comes back and that does not follow from the entry. */
  readonly place?: EntryPlace
  /** Where it stood before, when the change moves it to another file: undo brings it back there. */
  readonly left?: EntryPlace
  /** It only moves, from this file to `place`, and says what it said: `before` and `after` are equal. */
  readonly from?: string
  /** On a hub: prints of the versions that it had elsewhere on the way from `before` to `after`. Others may have one of them by git. */
  readonly formerly?: readonly string[]
}

/** More of those are not told, and not taken. */
export const MAX_FORMER = 20

/** Where an entry stood in the vault, so that it comes back as it was. */
export interface EntryPlace {
  /** The file, relative to `.memory/`. */
  readonly path: string
  /** Its text there, when that is not the one Cairn writes. */
  readonly text?: string
  /** Which of the previews in the summary of its category was its own, from 0. */
  readonly preview?: number
}

/** What is to happen to one JSON document of `.memory/`, whole. Journals of before hold it like this too. */
export interface DocumentChange {
  readonly type: 'document'
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** What happened to one JSON document, as it is journaled: only what changed in it, one edit after the other. */
export interface DocumentEdits {
  readonly type: 'document'
  readonly name: string
  readonly edits: readonly DocumentEdit[]
}

export type DocumentEdit = ValueEdit | ListEdit

/** What one key says. Without `before` it was not there; without `after` it is gone. */
export interface ValueEdit {
  /** The keys that lead there from the document. */
  readonly path: readonly string[]
  readonly before?: unknown
  readonly after?: unknown
}

/** Items of a list that others took the place of. */
export interface ListEdit {
  readonly path: readonly string[]
  readonly at: number
  /** How long the list was before. */
  readonly of: number
  readonly removed: readonly unknown[]
  readonly added: readonly unknown[]
}

/** What is to happen to one text file of the project, outside `.memory/`. null: it is not there. */
export interface FileChange {
  readonly type: 'file'
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** What happened to one file of the project, as it is journaled: only the lines that changed. */
export interface FileEdits {
  readonly type: 'file'
  readonly path: string
  /** Hash of the whole text before and after. null: it was, or is, not there. */
  readonly from: string | null
  readonly to: string | null
  readonly edits: readonly LineEdit[]
  /** What was taken away held a secret, which no journal keeps: it cannot be brought back. */
  readonly lossy?: true
}

/** Lines that others took the place of, each with its line break. `at` counts from 0, in the text before. */
export interface LineEdit {
  readonly at: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** What a mutation asks for. */
export type Change = EntryChange | DocumentChange | FileChange
/** What is on record. */
export type JournaledChange = EntryChange | DocumentChange | DocumentEdits | FileEdits

/** One mutation, written before it happens. Enough to undo it, to redo it after a crash, and to look back in time. */
export interface JournalRecord {
  readonly id: string
  /** UTC ISO with milliseconds. */
  readonly at: string
  readonly action: JournalAction
  readonly by: Actor
  readonly changes: readonly JournaledChange[]
  /** The record this one reverts. */
  readonly undoes?: string
  /** Records of one import have the same: undo takes them back together. It begins with the milliseconds at which it began. */
  readonly batch?: string
}
