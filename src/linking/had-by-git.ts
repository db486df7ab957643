import type { Engine } from '../engine-parts.ts'
import type { Entry } from '../model/entry.ts'
import { parseVaultFile } from '../pipeline/store/vault-file.ts'
import { isShared, printOfEntry } from '../pipeline/sync/shared-entry.ts'
import { versionPrint } from '../system/version-print.ts'
import type { HadQuestion } from './local-vault.ts'

/** Whoever is further behind than this has a conflict to look at, and not a wrong answer. */
const MOST_FILES = 10
const MOST_COMMITS = 40

/**
 * Which of these versions this clone had by git. A journal knows what it met here: of two edits that came with one pull it has the last.
 * Starts processes, so only those are asked about that nothing else could tell.
 */
export async function hadByGit(
  { gitTracking, search }: Engine,
  asked: readonly HadQuestion[],
): Promise<ReadonlySet<string>> {
  const had = new Set<string>()
  const open = new Map(asked.map(question => [question.id, question]))
  const standing = await search.loadEntries([...open.keys()])
  const files = new Map([...standing.values()].flatMap(entry => filesOf(entry).map(file => [file, entry])))
  for (const [file, { agent, category }] of [...files].slice(0, MOST_FILES)) {
    for (const commit of await gitTracking.commitsOf(file, MOST_COMMITS)) {
      if (open.size === 0) return had
      const past = await gitTracking.readAt(commit, file)
      if (past === undefined) continue
      for (const segment of parseVaultFile(past, { agent, category }).segments) {
        const question = segment.type === 'entry' ? open.get(segment.entry.id) : undefined
        if (segment.type !== 'entry' || question === undefined || !isShared(segment.entry)) continue
        const print = printOfEntry(segment.entry, versionPrint)
        if (print === question.print) had.add(question.id)
        if (print === question.print || print === question.agreed) open.delete(question.id)
      }
    }
  }
  return had
}

/** A category is one file, or one for each month. */
function filesOf({ agent, category, date }: Entry): string[] {
  const folder = `${agent}/${category}`
  return [`${folder}.md`, `${folder}/${date.slice(0, 7)}.md`]
}
