import type { MemoryEvent } from '../../../kernel/model/event.ts'
import type { Message } from '../../../kernel/model/message.ts'
import type { NewEntry } from '../../../kernel/model/new-entry.ts'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { SessionHead, SessionMemory } from '../../../kernel/model/session.ts'
import type { ForeignDatabases } from '../decide/ports.ts'

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

/** A position in a source. */
export interface SourcePlace {
  /** Relative to the source, or the file's name if the source is one file. */
  readonly file: string
  readonly line?: number
}

export interface Trouble extends SourcePlace {
  readonly code: NoticeCode
  readonly message: string
}

/** One message of a conversation. With `trouble` alone it was refused; with a message too it was changed. */
export interface SourceMessage {
  readonly message?: Message
  readonly trouble?: Trouble
  /** Bytes read so far. */
  readonly done: number
}

/** One item of a source, and what it becomes. */
export type SourceItem =
  | {
      readonly what: 'entry'
      readonly at: SourcePlace
      readonly input: NewEntry
      /** Its id in the source, which conflicts and findings refer to. */
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
      /** Ids in the source. */
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
  /** A file that is stored unchanged. */
  | {
      readonly what: 'file'
      readonly at: SourcePlace
      readonly text: string
      /** Its place in `.memory/`, used if that is free; otherwise the file goes to the archive. */
      readonly place?: string
    }
  /** An item that was refused. */
  | { readonly what: 'refused'; readonly trouble: Trouble }
  /** A note about an item that was changed on import. */
  | { readonly what: 'remark'; readonly trouble: Trouble }

export interface SourceOptions {
  /** The file or folder. */
  readonly path: string
  /** The agent for items that do not name one. */
  readonly agent: string
  /** Whether the user named that agent. */
  readonly agentIsNamed: boolean
  readonly nowMs: number
  readonly maxEntryBytes: number
  /** The memory folder to import into. */
  readonly memory: string
  /**
   * Whether a file (relative to the source) was imported before and is unchanged. A format that cannot skip single files reads
   * all of them.
   */
  readonly isKnown?: (file: string) => boolean
  /**
   * Called when all items of a file were yielded. Not `isKept`: some of them are stored or reported only at the end of the whole
   * source.
   */
  readonly onTaken?: (file: string, isKept: boolean) => Promise<void> | void
  /** The import source to record on what is stored. */
  readonly sourceId?: string
  /** For a history: the oldest date (2026-03-16, or `6 months`) and the maximum number of entries. */
  readonly since?: string
  readonly mostEntries?: number
  /** For a store with several projects: the project to import. */
  readonly project?: string
  /** Opens databases of other tools, read-only. */
  readonly databases?: ForeignDatabases
  readonly onProgress?: (done: number, total: number | undefined, what: string) => void
}

export type Source = (options: SourceOptions) => AsyncIterable<SourceItem>
