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
  /** Where it is, if it is removed or restored and that does not follow from the entry. */
  readonly place?: EntryPlace
  /** Where it was before, if the change moves it to another file: undo restores it there. */
  readonly left?: EntryPlace
  /** It only moves, from this file to `place`, with the same content: `before` and `after` are equal. */
  readonly from?: string
  /**
   * On a hub: hashes of the versions that it had elsewhere on the way from `before` to `after`. Other clones may have one of them by git.
   */
  readonly formerly?: readonly string[]
}

/** More of them are neither sent nor accepted. */
export const MAX_FORMER = 20

/** Where an entry was in the vault, so that undo restores it exactly. */
export interface EntryPlace {
  /** The file, relative to `.memory/`. */
  readonly path: string
  /** Its text there, if Cairn would write it differently. */
  readonly text?: string
  /** Which of the previews in the summary of its category was its own, from 0. */
  readonly preview?: number
}

/** A planned change of one JSON document of `.memory/`, as a whole. Older journals store it in this form too. */
export interface DocumentChange {
  readonly type: 'document'
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** A change of one JSON document, as journaled: only the edits, in order. */
export interface DocumentEdits {
  readonly type: 'document'
  readonly name: string
  readonly edits: readonly DocumentEdit[]
}

export type DocumentEdit = ValueEdit | ListEdit

/** The value of one key. Without `before` it was absent; without `after` it is removed. */
export interface ValueEdit {
  /** The keys from the root of the document to the value. */
  readonly path: readonly string[]
  readonly before?: unknown
  readonly after?: unknown
}

/** Items of a list that others replaced. */
export interface ListEdit {
  readonly path: readonly string[]
  readonly at: number
  /** The length of the list before. */
  readonly of: number
  readonly removed: readonly unknown[]
  readonly added: readonly unknown[]
}

/** A planned change of one text file of the project, outside `.memory/`. null: the file does not exist. */
export interface TextFileChange {
  readonly type: 'file'
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** A change of one file of the project, as journaled: only the changed lines. */
export interface FileEdits {
  readonly type: 'file'
  readonly path: string
  /** Hash of the whole text before and after. null: the file did not, or does not, exist. */
  readonly from: string | null
  readonly to: string | null
  readonly edits: readonly LineEdit[]
  /** The removed text contained a secret, which a journal never stores: it cannot be restored. */
  readonly lossy?: true
}

/** Lines that others replaced, each with its line break. `at` counts from 0, in the text before. */
export interface LineEdit {
  readonly at: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** A change that a mutation asks for. */
export type Change = EntryChange | DocumentChange | TextFileChange
/** A change as recorded. */
export type JournaledChange = EntryChange | DocumentChange | DocumentEdits | FileEdits

/** One mutation, written before it happens. Enough to undo it, to redo it after a crash, and to look back in time. */
export interface JournalRecord {
  readonly id: string
  /** UTC ISO with milliseconds. */
  readonly at: string
  readonly action: JournalAction
  readonly by: Actor
  readonly changes: readonly JournaledChange[]
  /** The record that this one undoes. */
  readonly undoes?: string
  /** Records of one import have the same batch: undo reverts them together. It begins with the start time in milliseconds. */
  readonly batch?: string
}
