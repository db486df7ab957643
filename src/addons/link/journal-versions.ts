import type { ReviewPorts } from '../../features/review/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../../features/search/decide/ports.ts'
import type { GitPorts } from '../../features/validate/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { type JournalRecord, MAX_FORMER } from '../../kernel/model/journal.ts'
import { versionHash } from '../../kernel/system/digest.ts'
import { parseVaultFile } from '../../kernel/vault/vault-file.ts'
import { isShared, printOfEntry } from './decide/shared-entry.ts'
import type { HadQuestion, LocalVault } from './local-vault.ts'

/** With more entries than this, the rest is reported as conflicts, never answered wrongly. */
const MAX_ENTRIES = 10
const MAX_COMMITS = 100
/** Total timeout: the sync waits meanwhile, writers of the memory do not. */
const PATIENCE_MS = 10_000

interface GitQuestion extends HadQuestion {
  /**
   * Versions from files since the agreed one: only commits before one of them can contain an earlier version. Commits from before the
   * agreement prove nothing. undefined: the time of the agreement is unknown.
   */
  readonly observed?: ReadonlySet<string>
}

/**
 * Which of these versions this clone had by git. The journal records only the last of several edits in one pull. Starts processes, so it
 * runs only for entries that nothing else can answer. Without an answer of git, no version counts as known.
 */
export async function hadByGit(
  {
    gitTracking,
    search,
    reviewIndex,
    clock,
    semantics,
  }: Memory & SearchPorts & MeaningPorts & ReviewPorts & GitPorts,
  asked: readonly GitQuestion[],
): Promise<ReadonlySet<string>> {
  const had = new Set<string>()
  const open = new Map(asked.map(question => [question.id, question]))
  const standing = asked.length === 0 ? new Map() : await search.loadEntries([...open.keys()])
  const checked: Entry[] = [...standing.values()].slice(0, MAX_ENTRIES)
  if (checked.length === 0) return had
  const pathById = new Map((await reviewIndex.entries()).map(({ id, path }) => [id, path]))
  const files = new Map<string, Entry>(
    checked.flatMap(entry => filesOf(entry, pathById.get(entry.id)).map(file => [file, entry] as const)),
  )
  const endMs = clock.nowMs() + PATIENCE_MS
  const gaveUp = (why: string) => {
    semantics.note({
      code: 'git_failed',
      message: `git did not report which versions of entries were here before, so some may be stored as two: ${why}`,
    })
    return had
  }
  const known = await gitTracking.commitsOf([...files.keys()], MAX_COMMITS)
  if (known.kind === 'failed') return gaveUp(known.why)
  const reached = new Set<string>()
  for (const { commit, paths } of known.commits)
    for (const path of paths) {
      const home = files.get(path)
      if (open.size === 0 || home === undefined) continue
      const patienceMs = endMs - clock.nowMs()
      if (patienceMs <= 0) return gaveUp('it took too long.')
      const past = await gitTracking.readAt(commit, path, patienceMs)
      if (past.kind === 'failed') return gaveUp(past.why)
      if (past.kind === 'absent') continue
      for (const segment of parseVaultFile(past.bytes, home).segments) {
        const question = segment.type === 'entry' ? open.get(segment.entry.id) : undefined
        if (segment.type !== 'entry' || question === undefined || !isShared(segment.entry)) continue
        const print = printOfEntry(segment.entry, versionHash)
        const { id, observed } = question
        if (observed?.has(print)) reached.add(id)
        if (print === question.print && (observed === undefined || reached.has(id))) had.add(id)
        if (print === question.print || print === question.agreed) open.delete(id)
      }
    }
  return had
}

/** The vault file of the entry now; version 0.1.0 had one file for each category, and pages for each month. */
function filesOf({ agent, category, date }: Entry, path: string | undefined): string[] {
  const folder = `${agent}/${category}`
  return [
    ...new Set([...(path === undefined ? [] : [path]), `${folder}.md`, `${folder}/${date.slice(0, 7)}.md`]),
  ]
}

/** Records of the journal to walk: older changes were agreed long ago. */
const MAX_RECORDS = 50_000
const MAX_RECORDS_PER_SYNC = 5_000

/** The versions that entries had here. For one sync: it caches its walk through the journal. */
export function journalVersions(
  memory: Memory & SearchPorts & MeaningPorts & ReviewPorts & GitPorts,
): Pick<LocalVault, 'hadSince' | 'formerly'> {
  /** Entries in the journal up to a record: the walk for others ends there. */
  let walked: { readonly upTo: string; readonly ids: ReadonlySet<string> } | undefined
  return {
    /** One walk back through the journal for all of them; git is used where the journal has no answer. */
    async hadSince(asked) {
      const had = new Set<string>()
      const unsure: GitQuestion[] = []
      const observed = new Map<string, Set<string>>()
      const open = new Map(asked.map(question => [question.id, question]))
      const ids = new Set(walked?.ids)
      let newest: string | undefined
      let hasPassed = false
      let isWhole = true
      let left = MAX_RECORDS
      for await (const record of memory.store.readJournal({})) {
        if (record.id === walked?.upTo) {
          hasPassed = true
          for (const [id, question] of open)
            if (!walked.ids.has(id)) {
              open.delete(id)
              unsure.push(question)
            }
        }
        if (open.size === 0 || left-- <= 0) {
          isWhole = hasPassed || open.size > 0
          break
        }
        newest ??= record.id
        for (const { id, version, isAfter } of versionsIn(record)) {
          ids.add(id)
          const question = open.get(id)
          if (question === undefined) continue
          const print = printOr(version)
          const seen = observed.get(id)
          if (print === question.print) had.add(id)
          // A version from a file may have had edits before; local writes are all recorded.
          else if (print === question.agreed && seen !== undefined)
            unsure.push({ ...question, observed: seen })
          if (print === question.print || print === question.agreed) open.delete(id)
          else if (isAfter && record.action === 'observe' && print !== null)
            observed.set(id, (seen ?? new Set()).add(print))
        }
      }
      if (isWhole && newest !== undefined) walked = { upTo: newest, ids }
      return new Set([...had, ...(await hadByGit(memory, [...unsure, ...open.values()]))])
    },
    formerly: asked => formerly(memory, asked),
  }
}

/** The same walk, but shorter, at every sync. An entry added here had no version before. */
async function formerly(
  { store }: Memory,
  asked: readonly Omit<HadQuestion, 'print'>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const versions = new Map<string, Set<string>>()
  const open = new Map(asked.map(question => [question.id, question]))
  let left = MAX_RECORDS_PER_SYNC
  for await (const record of store.readJournal({})) {
    if (open.size === 0 || left-- <= 0) break
    for (const { id, version, isAfter } of versionsIn(record)) {
      const question = open.get(id)
      if (question === undefined) continue
      const known = versions.get(id) ?? new Set()
      const print = printOr(version)
      const wasAdded = print === null && !isAfter
      if (wasAdded || print === question.agreed || known.size === MAX_FORMER) open.delete(id)
      else if (print !== null) versions.set(id, known.add(print))
    }
  }
  return new Map([...versions].map(([id, prints]) => [id, [...prints]]))
}

/** The entries before and after a record: an entry may have arrived without a record. */
function* versionsIn({ changes }: JournalRecord): Iterable<{
  readonly id: string
  readonly version: Entry | null
  readonly isAfter: boolean
}> {
  for (const change of [...changes].reverse()) {
    if (change.type !== 'entry') continue
    const id = (change.after ?? change.before)?.id ?? ''
    yield { id, version: change.after, isAfter: true }
    yield { id, version: change.before, isAfter: false }
  }
}

function printOr(entry: Entry | null): string | null {
  return entry === null || !isShared(entry) ? null : printOfEntry(entry, versionHash)
}
