import type { Category } from '../model/category.ts'
import type { Entry } from '../model/entry.ts'

export interface LooseSegment {
  readonly type: 'loose'
  readonly raw: string
}

export interface EntrySegment {
  readonly type: 'entry'
  /** Empty for an entry in a git conflict: its text is in the loose text before it, mixed with the other side's. */
  readonly raw: string
  readonly entry: Entry
  /** Of the segment's first line, from 1. */
  readonly line: number
  /**
   * It has no id of its own: a person typed it, or copied an entry and changed the copy. `entry.id` is made from its text or its copy.
   */
  readonly idMissing: boolean
  /** A person typed it without a comment line: as a heading with its section, or as a bullet. */
  readonly typed?: 'heading' | 'bullet'
  /** Its text has no date: `entry.date` is from the caller that read the file. */
  readonly undated?: true
  /** The lines of its git conflict. It cannot be changed until a person has resolved it. */
  readonly conflict?: { readonly line: number; readonly lastLine: number }
}

export type Segment = LooseSegment | EntrySegment

export interface FileProblem {
  readonly code: 'conflict_markers' | 'not_utf8' | 'utf16' | 'duplicate_id' | 'bad_date' | 'unread_text'
  readonly line: number
  readonly message: string
  readonly hint: string
}

export interface FileOwner {
  readonly agent: string
  readonly category: Category
}

/** `bytes`: the file is not UTF-8, and `raw` has one character per byte so that nothing is lost. */
export type Encoding = 'utf8' | 'bytes'

export interface ReadOptions {
  /** Finding tags is a third of the work; callers that do not need them skip it. */
  readonly tags?: 'read' | 'leave'
  /** `YYYY-MM-DDTHH:MM`, the date of typed entries without one. */
  readonly undatedAs?: string | undefined
  /** The file belongs to one entry: without it, it was cut off, emptied or overwritten. */
  readonly isEntryFile?: boolean
}

/** An entry of a text and its position. */
export interface Placed {
  readonly start: number
  readonly end: number
  readonly segment: EntrySegment
}
