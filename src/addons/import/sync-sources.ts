import * as path from 'node:path'
import type { ColdPorts } from '../../features/cold/decide/ports.ts'
import type { ClosingPorts } from '../../features/learning/decide/ports.ts'
import type { UpkeepPorts } from '../../features/upkeep/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { ImportSource, SyncStatus } from '../../kernel/model/import-source.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { TranscriptHost } from '../../kernel/model/transcript.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { errnoOf } from '../../kernel/system/disk.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { ImportPorts, SourcePorts } from './decide/ports.ts'
import type { FileCursor, FileCursors } from './decide/source-registry.ts'
import { importFrom } from './import-from.ts'
import { SOURCE_FORMATS, type SourceFormat, type Trouble } from './sources/source.ts'
import { exists } from './sources/source-files.ts'
import {
  isSameFile,
  placeToGoOn,
  type SourceSnapshot,
  snapshotSource,
  wholeLines,
} from './sources/source-snapshot.ts'
import { hostOfSource, syncTranscripts, type TranscriptSyncOptions } from './sync-transcripts.ts'
import type { ImportCounts } from './tally.ts'

const MAX_ERROR_LENGTH = 300
/** How often the import position is saved; a killed process repeats at most this many files. */
const FILES_BETWEEN_NOTES = 100

export interface SyncedSource {
  readonly id: string
  readonly status: SyncStatus | 'not_allowed'
  /** What went wrong, redacted. */
  readonly error: string | null
  readonly files: { readonly seen: number; readonly read: number }
  readonly added: number
  readonly duplicates: number
  readonly failed: number
  readonly redacted: number
  readonly failures: readonly Trouble[]
  /** The journal record with which `undo` reverts this sync; null: nothing was changed. */
  readonly record: string | null
  /** For transcripts of a host: how many stay cold, and how many hooks had captured already. */
  readonly transcripts?: { readonly cold: number; readonly captured: number }
}

export interface SyncReport {
  readonly synced: readonly SyncedSource[]
  readonly problems: readonly Problem[]
}

interface SourceSyncOptions extends TranscriptSyncOptions {
  /** One source; all if absent. Throws `source_not_found`. */
  readonly id?: string | undefined
}

/**
 * Imports what is new in the sources, one after the other. An unchanged file is not opened. A failure is recorded on its source,
 * and the other sources continue. Only sources that this user added or allowed are read.
 */
export async function syncSources(
  memory: Memory & ClosingPorts & UpkeepPorts & ColdPorts & SourcePorts & ImportPorts,
  options: SourceSyncOptions = {},
): Promise<SyncReport> {
  const { sources, problems } = await memory.sourceRegistry.list()
  const wanted = options.id === undefined ? sources : [getSource(sources, options.id)]
  return { synced: await syncEach(memory, wanted, options), problems }
}

/** Syncs these sources if this user allowed them. Naming a source in the same request allows it. */
export async function syncEach(
  memory: Memory & ClosingPorts & UpkeepPorts & ColdPorts & SourcePorts & ImportPorts,
  wanted: readonly ImportSource[],
  options: SourceSyncOptions,
  isAskedFor = false,
): Promise<readonly SyncedSource[]> {
  const allowed = isAskedFor ? new Set(wanted.map(({ id }) => id)) : await memory.sourceUse.allowed(wanted)
  const synced: SyncedSource[] = []
  for (const source of wanted) {
    if (!allowed.has(source.id)) {
      if (options.id !== undefined) throw notAllowed(source)
      synced.push({ ...nothingOf(source.id), status: 'not_allowed', error: NOT_ALLOWED })
      continue
    }
    const result = await syncOne(memory, source, options)
    if (options.dryRun !== true) await noteResult(memory, result)
    synced.push(result)
  }
  return synced
}

/** An error if the caller named this source; in a sync of all sources, the others continue. */
function notAllowed({ id }: ImportSource): CairnError {
  return new CairnError({
    code: 'not_confirmed',
    message: `Nobody added the import source ${id} on this machine, so it is not read.`,
    hint: '`cairn source allow` shows what it would read, and takes your yes.',
  })
}

const NOT_ALLOWED = 'not added on this machine: `cairn source allow` shows what it would read'

export function getSource(sources: readonly ImportSource[], id: string): ImportSource {
  const found = sources.find(source => source.id === id)
  if (found !== undefined) return found
  throw new CairnError({
    code: 'source_not_found',
    message: `Import source not found: ${id.slice(0, 64)}.`,
    hint: '`cairn source list` shows them; `cairn source add <path>` makes one.',
  })
}

async function syncOne(
  memory: Memory & ClosingPorts & UpkeepPorts & ColdPorts & SourcePorts & ImportPorts,
  source: ImportSource,
  options: SourceSyncOptions,
): Promise<SyncedSource> {
  const { id } = source
  const redaction = redactionOptions(await memory.config())
  const clean = (text: string) => redact(text, redaction).text.slice(0, MAX_ERROR_LENGTH)
  try {
    const host = hostOfSource(source)
    if (host !== undefined) return await syncHost(memory, source, { host, options, clean })
    const format = formatOf(source)
    if (!exists(source.path))
      throw new CairnError({
        code: 'file_not_found',
        message: `${source.path} no longer exists.`,
        hint: `Bring it back, or \`cairn source remove ${id}\`.`,
      })
    const survey = snapshotSource(source.path, memory.clock.nowMs())
    const known = await memory.sourceRegistry.cursors(id)
    const changed = new Set(
      [...survey.files].filter(([file, seen]) => !isSameFile(seen, known[keyOf(file)])).map(([file]) => file),
    )
    const { taken, cursors } =
      changed.size === 0
        ? { taken: NOTHING_TAKEN, cursors: known }
        : await takeChanged(memory, { source, format, survey, known, changed }, options)
    const troubles = [
      ...Object.values(cursors).flatMap(({ trouble }) => trouble ?? []),
      ...taken.failures.map(({ file, message }) => `${file}: ${message}`),
      ...survey.unreadable.map(file => `${file}: cannot be read`),
      ...(survey.left === 0 ? [] : [`${survey.left} files beyond the maximum were skipped`]),
    ]
    return {
      id,
      status: troubles.length === 0 ? 'succeeded' : 'partial',
      error: troubles[0] === undefined ? null : clean(troubles[0]),
      files: { seen: survey.files.size, read: changed.size },
      added: taken.added,
      duplicates: taken.duplicates,
      failed: taken.failed,
      redacted: taken.redacted,
      failures: taken.failures.map(failure => ({
        ...failure,
        file: clean(failure.file),
        message: clean(failure.message),
      })),
      record: taken.record,
    }
  } catch (error) {
    if (!(error instanceof CairnError) && errnoOf(error) === undefined) throw error
    return { ...nothingOf(id), status: 'failed', error: clean((error as Error).message) }
  }
}

async function syncHost(
  memory: Memory & ClosingPorts & UpkeepPorts & ColdPorts & SourcePorts,
  source: ImportSource,
  {
    host,
    options,
    clean,
  }: {
    readonly host: TranscriptHost
    readonly options: SourceSyncOptions
    readonly clean: (text: string) => string
  },
): Promise<SyncedSource> {
  const { seen, read, cold, captured, taken, troubles } = await syncTranscripts(memory, source, host, options)
  return {
    id: source.id,
    status: troubles.length === 0 ? 'succeeded' : 'partial',
    error: troubles[0] === undefined ? null : clean(troubles[0]),
    files: { seen, read },
    transcripts: { cold, captured },
    added: taken.added,
    duplicates: taken.duplicates,
    failed: taken.failed,
    redacted: taken.redacted,
    failures: taken.failures.map(failure => ({
      ...failure,
      file: clean(failure.file),
      message: clean(failure.message),
    })),
    record: taken.record,
  }
}

interface ChangedFiles {
  readonly source: ImportSource
  readonly format: SourceFormat
  readonly survey: SourceSnapshot
  readonly known: FileCursors
  readonly changed: ReadonlySet<string>
}

/** Imports the changed files and saves the position on the way. */
async function takeChanged(
  memory: Memory & ClosingPorts & UpkeepPorts & SourcePorts & ImportPorts,
  { source, format, survey, known, changed }: ChangedFiles,
  { dryRun = false, onProgress }: SourceSyncOptions,
): Promise<{ taken: ImportCounts; cursors: FileCursors }> {
  const isLines = format === 'jsonl'
  const linesFrom = isLines ? placeToGoOn(source.path, known[keyOf(path.basename(source.path))]) : undefined
  // Forgets files that no longer exist.
  const cursors: Record<string, FileCursor> = Object.fromEntries(
    [...survey.files.keys()].flatMap(file => {
      const cursor = known[keyOf(file)]
      return cursor === undefined ? [] : [[keyOf(file), cursor]]
    }),
  )
  let done = 0
  const taken = await importFrom(
    memory,
    { format, path: source.path },
    {
      agent: source.agent,
      dryRun,
      // A file of lines has only one file, so its progress is measured in bytes.
      ...(isLines && { onProgress }),
      sourceId: source.id,
      ...(linesFrom && { linesFrom }),
      isKnown: file => survey.files.has(file) && !changed.has(file),
      onTaken: async (file, isKept) => {
        onProgress?.(++done, changed.size, `files of ${source.id}`)
        const seen = survey.files.get(file)
        if (dryRun || seen === undefined) return
        if (isKept) cursors[keyOf(file)] = seen
        if (done % FILES_BETWEEN_NOTES === 0) await memory.sourceRegistry.keepCursors(source.id, cursors)
      },
    },
  )
  if (dryRun) return { taken, cursors: {} }
  const troubleByFile = new Map(
    [...taken.failures].reverse().map(({ file, message }) => [nameIn(source, file), `${file}: ${message}`]),
  )
  for (const file of changed) {
    const seen = survey.files.get(file)
    const trouble = troubleByFile.get(file)?.slice(0, MAX_ERROR_LENGTH)
    if (seen === undefined) continue
    const lines = isLines ? wholeLines(source.path, seen.size, linesFrom) : undefined
    cursors[keyOf(file)] = {
      ...seen,
      ...(trouble !== undefined && { trouble: await cleanOf(memory, trouble) }),
      ...(lines && { lines }),
    }
  }
  await memory.sourceRegistry.keepCursors(source.id, cursors)
  return { taken, cursors }
}

/** A name may contain a secret, so only its hash is stored. */
function keyOf(file: string): string {
  return textHash(file)
}

/** A source that is one file uses its path as the name. */
function nameIn(source: ImportSource, file: string): string {
  return file === source.path ? path.basename(file) : file
}

async function cleanOf(memory: Memory, text: string): Promise<string> {
  return redact(text, redactionOptions(await memory.config())).text
}

function formatOf({ id, type }: ImportSource): SourceFormat {
  const format = SOURCE_FORMATS.find(known => known === type)
  if (format !== undefined) return format
  throw new CairnError({
    code: 'source_unreadable',
    message: `The type ${JSON.stringify(type.slice(0, 40))} is none that can be imported.`,
    hint: `\`cairn source remove ${id}\`, then add it with --from (${SOURCE_FORMATS.join(', ')}).`,
  })
}

async function noteResult(
  memory: Memory & SourcePorts,
  { id, status, error, added }: SyncedSource,
): Promise<void> {
  const at = new Date(memory.clock.nowMs()).toISOString()
  await memory.sourceRegistry.edit(sources =>
    sources.map(source =>
      source.id === id && status !== 'not_allowed'
        ? {
            ...source,
            lastSyncedAt: at,
            lastSyncStatus: status,
            lastSyncError: error,
            lastImportedCount: added,
          }
        : source,
    ),
  )
}

function nothingOf(id: string) {
  const { added, duplicates, failed, redacted, failures, record } = NOTHING_TAKEN
  return { id, files: { seen: 0, read: 0 }, added, duplicates, failed, redacted, failures, record }
}

const NOTHING_TAKEN: ImportCounts = {
  read: 0,
  added: 0,
  duplicates: 0,
  redacted: 0,
  failed: 0,
  failures: [],
  remarks: [],
  went: [],
  record: null,
}
