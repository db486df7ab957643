import { CairnError } from '../../../kernel/model/errors.ts'
import { readGitFields } from '../../../kernel/system/git.ts'
import { type CommitLesson, lessonOfCommit, revertedBy } from '../decide/commit-lesson.ts'
import { dateIn } from './note-files.ts'
import type { Source, SourceItem, SourceOptions } from './source.ts'

/** The maximum numbers of commits to read, newest first, and of entries to make from them. */
const MAX_COMMITS = 20_000
const MAX_ENTRIES = 200
const PATIENCE_MS = 120_000
/** Longer messages are truncated; the beginning describes the commit. */
const MAX_FIELD_LENGTH = 16_384
/** A commit that touches more files is not about any of them. */
const MAX_FILES = 12
const FIELDS = ['%H', '%aI', '%an', '%ae', '%B'] as const
/** Commits in one git call; the length of a command line is limited. */
const ASKED_AT_ONCE = 100
const NOISE =
  /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum|CHANGELOG\.md|[^/]*\.snap)$/

interface Commit {
  readonly hash: string
  readonly date: string
  readonly lesson: CommitLesson
}

/** Decisions, fixes and reverts that give a reason. Cairn selects them, so they become candidates. */
export const gitSource: Source = async function* (options) {
  const chosen = await commitsOf(options)
  for (let start = 0; start < chosen.length; start += ASKED_AT_ONCE) {
    const part = chosen.slice(start, start + ASKED_AT_ONCE)
    const filesByHash = await filesOf(part, options)
    for (const commit of part) yield entryOf(commit, filesByHash.get(commit.hash) ?? [], options)
  }
}

function entryOf(
  { hash, date, lesson }: Commit,
  files: readonly string[],
  options: SourceOptions,
): SourceItem {
  const { kind, content, importance, tags } = lesson
  const input = {
    agent: options.agent,
    kind,
    content,
    importance,
    tags: [...tags],
    files,
    date,
    status: 'candidate' as const,
    origin: 'machine' as const,
    provenance: { tool: 'git', id: hash },
  }
  return { what: 'entry', at: { file: hash.slice(0, 12) }, input }
}

/** Newest first. A commit that was reverted later is left out together with its lesson. */
async function commitsOf(options: SourceOptions): Promise<Commit[]> {
  const words = [
    'log',
    '-z',
    '--no-merges',
    '--no-show-signature',
    `--max-count=${MAX_COMMITS}`,
    ...(options.since === undefined ? [] : [`--since=${options.since}`]),
    `--format=${FIELDS.join('%x00')}`,
    '--',
    '.',
  ]
  const most = options.mostEntries ?? MAX_ENTRIES
  const chosen: Commit[] = []
  const reverted: string[] = []
  let looked = 0
  let fields: string[] = []
  const output = readGitFields(words, options.path, {
    maxFieldLength: MAX_FIELD_LENGTH,
    patienceMs: PATIENCE_MS,
  })
  for (;;) {
    const next = await output.next()
    if (next.done === true) {
      if (next.value.kind === 'failed') throw unreadable(options.path, next.value.why)
      if (next.value.code !== 0) throw unreadable(options.path, next.value.stderr.trim().split('\n')[0] ?? '')
      return chosen
    }
    fields.push(next.value)
    if (fields.length < FIELDS.length) continue
    const [hash = '', date = '', author = '', email = '', message = ''] = fields
    fields = []
    options.onProgress?.(++looked, undefined, 'commits')
    const back = revertedBy(message)
    if (back !== undefined) reverted.push(back)
    if (reverted.some(known => hash.startsWith(known))) continue
    const lesson = lessonOfCommit({ author, email, message })
    if (lesson === undefined) continue
    chosen.push({ hash, date: dateIn(date, options.nowMs) ?? new Date(options.nowMs).toISOString(), lesson })
    if (chosen.length >= most) {
      await output.return({ kind: 'ended', code: 0, stderr: '' })
      return chosen
    }
  }
}

/** File names by commit, relative to the folder. An empty field precedes each hash, and no file has an empty name. */
async function filesOf(
  commits: readonly Commit[],
  { path: folder }: SourceOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const words = [
    'log',
    '-z',
    '--no-walk=unsorted',
    '--name-only',
    '--no-renames',
    '--no-ext-diff',
    '--relative',
    '--format=%x00%H%x00',
    ...commits.map(({ hash }) => hash),
    '--',
  ]
  const known = new Set(commits.map(({ hash }) => hash))
  const files = new Map<string, string[]>()
  let current: string[] | undefined
  let isBehindEmpty = true
  const output = readGitFields(words, folder, { maxFieldLength: MAX_FIELD_LENGTH, patienceMs: PATIENCE_MS })
  for await (const field of output) {
    const name = field.replace(/^\n/, '')
    if (isBehindEmpty && known.has(name)) {
      current = []
      files.set(name, current)
    } else if (name !== '') current?.push(name)
    isBehindEmpty = name === ''
  }
  return new Map(
    [...files].map(([hash, names]) => {
      const telling = names.filter(name => !NOISE.test(name))
      return [hash, telling.length > MAX_FILES ? [] : telling] as const
    }),
  )
}

function unreadable(folder: string, why: string): CairnError {
  return new CairnError({
    code: 'source_unreadable',
    message: `The git history of ${folder} cannot be read: ${why.slice(0, 200)}`,
    hint: 'Name a folder of a git repository, for example: cairn import . --from git',
  })
}
