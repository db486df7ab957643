import type { HostId, InstallLevel } from '../../../kernel/model/host.ts'
import type { JsonPath } from './json-document.ts'
import type { EditSteps } from './text-edit.ts'

/**
 * What was done to one file of a host. It holds the way back and not the file: the edits that undo ours have in them what we replaced,
 * which is white space, or what we had written before. Whatever keys and tokens the file has stay in the file.
 */
export interface InstallRecord {
  readonly version: 1
  readonly path: string
  readonly owners: readonly RecordOwner[]
  /** There was no file: it goes when nothing but ours is left in it. */
  readonly created: boolean
  /** Folders that were made for it, outermost first. */
  readonly folders: readonly string[]
  /**
   * The file as we left it, the newest first, and how to get from there to what it was before us; null: only by taking ours out. The
   * one before stays until the next change: whoever is killed between the record and the file leaves that one.
   */
  readonly states: readonly { readonly hash: string; readonly back: EditSteps | null }[]
  readonly made: readonly JsonPath[]
  readonly settings: readonly { readonly path: JsonPath; readonly before?: unknown }[]
  /** Pieces that were there before us. */
  readonly keep: readonly string[]
  readonly at: string
}

export interface RecordOwner {
  readonly host: HostId
  readonly level: InstallLevel
  /** Of project level: which. */
  readonly project?: string
}

export function isSameOwner(one: RecordOwner, other: RecordOwner): boolean {
  return one.host === other.host && one.level === other.level && one.project === other.project
}

/** undefined: it is none of ours, or damaged. */
export function readRecord(text: string): InstallRecord | undefined {
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const record = stored as Partial<InstallRecord> | null
  const lists = [
    record?.owners,
    record?.folders,
    record?.states,
    record?.made,
    record?.settings,
    record?.keep,
  ]
  const isRecord = record?.version === 1 && typeof record.path === 'string' && lists.every(Array.isArray)
  return isRecord ? (record as InstallRecord) : undefined
}
