import type { HostId, InstallLevel } from '../../../kernel/model/host.ts'
import type { JsonPath } from './json-document.ts'
import type { EditSteps } from './text-edit.ts'

/**
 * The changes to one file of a host. It contains the edits that revert ours, not the file: only what we replaced, which is white space or
 * an earlier text of ours. Keys and tokens stay in the file.
 */
export interface InstallRecord {
  readonly version: 1
  readonly path: string
  readonly owners: readonly RecordOwner[]
  /** There was no file: it is removed when nothing but ours is left in it. */
  readonly created: boolean
  /** Folders that were created for it, outermost first. */
  readonly folders: readonly string[]
  /**
   * The states that we left the file in, newest first, with the edits back to the original; null: only by removing our pieces. The
   * previous state is stored until the next change, because a process killed between writing the record and the file leaves that state.
   */
  readonly states: readonly { readonly hash: string; readonly back: EditSteps | null }[]
  readonly made: readonly JsonPath[]
  readonly settings: readonly { readonly path: JsonPath; readonly before?: unknown }[]
  /** Pieces that existed before us. */
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

/** undefined: not a record of ours, or damaged. */
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
