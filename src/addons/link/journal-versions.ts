import type { ReviewPorts } from '../../features/review/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../../features/search/decide/ports.ts'
import type { GitPorts } from '../../features/validate/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { type JournalRecord, MAX_FORMER } from '../../kernel/model/journal.ts'
import { versionHash } from '../../kernel/system/digest.ts'
import { isShared, printOfEntry } from './decide/shared-entry.ts'
import { type GitQuestion, hadByGit } from './had-by-git.ts'
import type { HadQuestion, LocalVault } from './local-vault.ts'

/** Of the journal: older changes than these were agreed about long ago. */
const MAX_RECORDS = 50_000
const MAX_RECORDS_PER_SYNC = 5_000

/** Which versions entries had here. For one sync: what it has walked through it remembers. */
export function journalVersions(
  memory: Memory & SearchPorts & MeaningPorts & ReviewPorts & GitPorts,
): Pick<LocalVault, 'hadSince' | 'formerly'> {
  /** The entries that the journal tells of, up to a record: a walk for others ends there. */
  let walked: { readonly upTo: string; readonly ids: ReadonlySet<string> } | undefined
  return {
    /** One walk back through the journal for all of them; git is asked where the journal cannot tell. */
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
          // What came as a file may have been edited twice before it came; what was written here is all on record.
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

/** The same walk, a shorter one: it is taken at every sync. An entry that was added here had no version before. */
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

/** What a record made of each entry, and then what it found: an entry may have come in a way that left no record. */
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
