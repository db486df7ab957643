import type { ReviewPorts } from '../../features/review/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../../features/search/decide/ports.ts'
import type { GitPorts } from '../../features/validate/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { versionHash } from '../../kernel/system/digest.ts'
import { parseVaultFile } from '../../kernel/vault/vault-file.ts'
import { isShared, printOfEntry } from './decide/shared-entry.ts'
import type { HadQuestion } from './local-vault.ts'

/** With more entries than this, the rest is reported as conflicts, never answered wrong. */
const MAX_ENTRIES = 10
const MAX_COMMITS = 100
/** For all of it: a sync waits, and the writing of the memory does not. */
const PATIENCE_MS = 10_000

export interface GitQuestion extends HadQuestion {
  /**
   * Versions that came as files since the agreed one: only what a commit before one of them says may have come with it. What was committed
   * before the agreed version was known here tells nothing. undefined: nobody knows since when to look.
   */
  readonly observed?: ReadonlySet<string>
}

/**
 * Which of these versions this clone had by git. A journal knows what it met here: of two edits that came with one pull it has the last.
 * Starts processes, so only those are asked about that nothing else could tell. Where git does not answer, nothing is known to have been here.
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
      message: `git did not tell which versions of entries were here before, so some may be kept as two: ${why}`,
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

/** Where the entry is now; version 0.1.0 had one file for each category, and pages for each month. */
function filesOf({ agent, category, date }: Entry, path: string | undefined): string[] {
  const folder = `${agent}/${category}`
  return [
    ...new Set([...(path === undefined ? [] : [path]), `${folder}.md`, `${folder}/${date.slice(0, 7)}.md`]),
  ]
}
