import type { Memory } from '../../kernel/memory.ts'
import { notOnHub } from '../../kernel/memory-place.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { FileChange, Freshness } from '../../kernel/model/freshness.ts'
import type { Degradation } from '../../kernel/model/search.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { freshnessOf } from '../freshness/anchoring.ts'
import { diffHunks, type Hunk } from '../freshness/decide/diff-hunks.ts'
import { type FileSample, isBinary } from '../freshness/decide/file-words.ts'
import type { FreshnessPorts, PastFile } from '../freshness/decide/ports.ts'

/** Maximum files of one entry; a person does not compare more at once. */
const MAX_FILES = 20
const MAX_FILE_LINES = 400
const MAX_BYTES = 262_144

export interface DriftedFile {
  readonly file: string
  /** `same`: most of the content is unchanged; the hunks show the rest. `unanchored`: the former content is unknown. */
  readonly what: FileChange['what'] | 'same' | 'unanchored'
  readonly to?: string
  readonly hunks: readonly Hunk[]
  /** Why the hunks are missing or incomplete. */
  readonly reason?: string
  /** The same as data. */
  readonly because?: DriftReason
}

/** Why a difference cannot be shown, or not whole. */
export const DRIFT_REASONS = [
  'not_anchored',
  'unreadable',
  'no_commit_kept',
  'no_repository',
  'no_commit',
  'no_file',
  'git_failed',
  'too_large',
  'binary',
  'more_lines',
  'same_text',
] as const

export interface DriftReason {
  readonly code: (typeof DRIFT_REASONS)[number]
  /** Of lines that are not shown. */
  readonly count?: number
}

interface Why {
  readonly reason: string
  readonly because: DriftReason
}

export interface Drift {
  readonly freshness: Freshness | undefined
  readonly files: readonly DriftedFile[]
  readonly degraded: readonly Degradation[]
}

/** What changed in the files of an entry since it was anchored: git's version of then against the file of now. */
export async function readDrift(memory: Memory & FreshnessPorts, entry: Entry): Promise<Drift> {
  if (memory.place.kind === 'hub') throw notOnHub('What changed in the files of an entry')
  const freshness = (await freshnessOf(memory, [entry], { isThorough: true })).get(entry.id)
  const changeByFile = new Map(freshness?.files.map(change => [change.file, change]))
  const anchored = new Set(entry.anchors?.map(({ file }) => file))
  const degraded: Degradation[] = []
  const files: DriftedFile[] = []
  for (const file of entry.files.slice(0, MAX_FILES)) {
    if (!anchored.has(file)) {
      const reason = 'The entry is not anchored to this file.'
      files.push({ file, what: 'unanchored', hunks: [], reason, because: { code: 'not_anchored' } })
      continue
    }
    files.push(await driftOfFile(memory, entry, { file, change: changeByFile.get(file), degraded }))
  }
  return { freshness, files, degraded }
}

async function driftOfFile(
  memory: FreshnessPorts,
  { commit }: Entry,
  {
    file,
    change,
    degraded,
  }: {
    readonly file: string
    readonly change: FileChange | undefined
    readonly degraded: Degradation[]
  },
): Promise<DriftedFile> {
  const to = change !== undefined && 'to' in change ? change.to : undefined
  const seen = { file, what: change?.what ?? ('same' as const), ...(to !== undefined && { to }) }
  const without = (why: Why): DriftedFile => ({ ...seen, hunks: [], ...why })
  if (change?.what === 'unreadable')
    return without(why('unreadable', 'The file is there and cannot be read.'))
  if (commit === undefined)
    return without(
      why('no_commit_kept', 'The entry has no commit: the project was not in git when it was anchored.'),
    )
  const past = await memory.projectFiles.readAt(commit, file)
  if (past.kind === 'unknown' && past.code === 'git_failed')
    degraded.push({ code: 'git_failed', message: `Git could not be asked for ${file}: ${past.why}.` })
  const before = textOfPast(past)
  if ('reason' in before) return without(before)
  const after =
    change?.what === 'gone' ? { text: '' } : textOfSample(await memory.projectFiles.read(to ?? file))
  if ('reason' in after) return without(after)
  const { hunks, left } = diffHunks(withoutSecrets(before.text), withoutSecrets(after.text), MAX_FILE_LINES)
  if (left > 0)
    return {
      ...seen,
      hunks,
      reason: `${left} more lines are not shown.`,
      because: { code: 'more_lines', count: left },
    }
  return hunks.length === 0
    ? { ...seen, hunks, ...why('same_text', `The text is the same as at commit ${commit.slice(0, 12)}.`) }
    : { ...seen, hunks }
}

type Text = { readonly text: string } | Why

function why(code: DriftReason['code'], reason: string): Why {
  return { reason, because: { code } }
}

function textOfPast(past: PastFile): Text {
  if (past.kind === 'unknown') return why(past.code, `The former content is not known: ${past.why}.`)
  if (past.kind === 'too_large') return why('too_large', 'The former content is too long to be compared.')
  return textOfSample({ kind: 'whole', bytes: past.bytes })
}

function textOfSample(sample: FileSample | undefined): Text {
  if (sample === undefined) return why('unreadable', 'The file cannot be read now.')
  if (isBinary(sample)) return why('binary', 'It is not a text file: there are no lines to compare.')
  if (sample.kind === 'ends' || sample.bytes.length > MAX_BYTES)
    return why('too_large', `It has more than ${MAX_BYTES / 1_024} KB, which is too long to be compared.`)
  return { text: new TextDecoder().decode(sample.bytes) }
}

/** The page must not show a project's keys, whatever file an entry names. */
function withoutSecrets(text: string): string {
  return redact(text, { emails: false }).text
}
