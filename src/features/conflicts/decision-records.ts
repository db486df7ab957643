import type { Memory } from '../../kernel/memory.ts'
import type { ResolvedConflict } from '../../kernel/model/conflict.ts'
import { undoneTracker } from '../../kernel/vault/undo.ts'

type Decision = Pick<ResolvedConflict, 'entryA' | 'entryB' | 'resolvedAt'>

export function decisionKey({ entryA, entryB, resolvedAt }: Decision): string {
  return `${entryA} ${entryB} ${resolvedAt}`
}

/** What opens each of these decisions again, by `decisionKey`: the record that holds exactly it and that nobody took back. */
export async function decisionRecords(
  memory: Memory,
  decided: readonly Decision[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(decided.map(decisionKey))
  const found = new Map<string, string>()
  const isUndone = undoneTracker()
  if (wanted.size === 0) return found
  for await (const record of memory.store.readJournal({ entryId: 'curation.json' })) {
    const isTakenBack = isUndone(record)
    if (record.action !== 'resolve' || isTakenBack) continue
    for (const decision of decisionsIn(record.changes)) {
      const key = decisionKey(decision)
      if (wanted.has(key)) found.set(key, record.id)
    }
    if (found.size === wanted.size) break
  }
  return found
}

/** What went is no decision of this record. */
const GONE: ReadonlySet<string> = new Set(['before', 'removed'])

function decisionsIn(value: unknown): readonly Decision[] {
  if (Array.isArray(value)) return value.flatMap(decisionsIn)
  if (typeof value !== 'object' || value === null) return []
  if ('entryA' in value && 'entryB' in value && 'resolvedAt' in value) return [value as Decision]
  return Object.entries(value).flatMap(([key, inner]) => (GONE.has(key) ? [] : decisionsIn(inner)))
}
