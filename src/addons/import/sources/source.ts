import type { MemoryEvent } from '../../../kernel/model/event.ts'
import type { Message } from '../../../kernel/model/message.ts'
import type { NewEntry } from '../../../kernel/model/new-entry.ts'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { SessionHead, SessionMemory } from '../../../kernel/model/session.ts'
import type { ForeignDatabases } from '../decide/foreign-database.ts'

export const SOURCE_FORMATS = [
  'jsonl',
  'flat',
  'conversations',
  'project',
  'agent-memory',
  'transcript',
  'git',
  'instructions',
  'cursor-rules',
  'adr',
  'claude-code-memory',
  'obsidian',
  'basic-memory',
  'claude-mem',
  'mcp-memory',
] as const
export type SourceFormat = (typeof SOURCE_FORMATS)[number]

/** Where something stands in a source. */
export interface SourcePlace {
  /** Relative to the source, or its name when it is one file. */
  readonly file: string
  readonly line?: number
}

export interface Trouble extends SourcePlace {
  readonly code: NoticeCode
  readonly message: string
}

/** One message of a conversation; `trouble` alone: it could not be taken, with a message: not as it stood. */
export interface SourceMessage {
  readonly message?: Message
  readonly trouble?: Trouble
  /** Bytes read until here. */
  readonly done: number
}

/** One thing that a source holds, and what it is to become. */
export type SourceItem =
  | {
      readonly what: 'entry'
      readonly at: SourcePlace
      readonly input: NewEntry
      /** Its id there: conflicts and findings name it. */
      readonly sourceId?: string
      readonly accessCount?: number
      readonly lastAccessMs?: number
    }
  | {
      readonly what: 'session'
      readonly at: SourcePlace
      readonly head: SessionHead
      readonly messages: AsyncIterable<SourceMessage>
    }
  | { readonly what: 'memory'; readonly at: SourcePlace; readonly memory: SessionMemory }
  | { readonly what: 'event'; readonly at: SourcePlace; readonly event: MemoryEvent }
  | {
      readonly what: 'alias'
      readonly at: SourcePlace
      readonly word: string
      readonly meanings: readonly string[]
    }
  | {
      readonly what: 'conflict'
      readonly at: SourcePlace
      /** Ids of the source. */
      readonly entries: readonly [string, string]
      readonly type: 'contradictory' | 'superseded' | 'ambiguous'
      readonly detectedAt: number
      readonly resolvedAt?: number
    }
  /** A batch of an archive. */
  | {
      readonly what: 'batch'
      readonly at: SourcePlace
      /** UTC ISO: when it was archived. */
      readonly archivedAt: string
      readonly events: readonly MemoryEvent[]
      readonly files: readonly { readonly path: string; readonly text: string }[]
    }
  /** A file that is kept as it is. */
  | {
      readonly what: 'file'
      readonly at: SourcePlace
      readonly text: string
      /** Where it belongs in `.memory/`, when that is free; otherwise it goes to the archive. */
      readonly place?: string
    }
  /** What cannot be taken. */
  | { readonly what: 'refused'; readonly trouble: Trouble }
  /** What was taken, otherwise than it stood. */
  | { readonly what: 'remark'; readonly trouble: Trouble }

export interface SourceOptions {
  /** The file or folder. */
  readonly path: string
  /** The vault for what names no agent. */
  readonly agent: string
  /** Whether a person named that agent. */
  readonly agentIsNamed: boolean
  readonly nowMs: number
  readonly maxEntryBytes: number
  /** The memory folder that it goes to. */
  readonly memory: string
  /** Files (relative to the source) that were taken in before and are as they were. A format that cannot leave out one reads all. */
  readonly isKnown?: (file: string) => boolean
  /** Everything that the file holds has been handed on. Not `isKept`: some of it is kept or told of only at the end of the whole source. */
  readonly onTaken?: (file: string, isKept: boolean) => Promise<void> | void
  /** The import source that what is taken belongs to. */
  readonly sourceId?: string
  /** Of a history: only what is not older (2026-03-16, or `6 months`), and at most so many entries. */
  readonly since?: string
  readonly mostEntries?: number
  /** Of a store that holds several projects: the one that is meant. */
  readonly project?: string
  /** Opens a database of another tool, which is never written. */
  readonly databases?: ForeignDatabases
  readonly onProgress?: (done: number, total: number | undefined, what: string) => void
}

export type Source = (options: SourceOptions) => AsyncIterable<SourceItem>
