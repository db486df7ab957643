import type { Composed } from '../compose.ts'
import type { SessionMemory } from '../model/session.ts'
import { foldAlias } from '../text/aliases.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { redact } from '../text/redaction/redact.ts'
import { type Item, type TakePart, withoutSecrets } from './tally.ts'

interface CuratePart extends TakePart {
  /** Ids of the entries by what they were there. */
  readonly idBySource: ReadonlyMap<string, string>
}

/** Aliases and conflicts go to curation.json as one change; memories of sessions to sessions/. */
export async function curateImported(
  engine: Composed,
  items: readonly (Item<'alias'> | Item<'conflict'> | Item<'memory'>)[],
  part: CuratePart,
): Promise<void> {
  const aliases = items.filter(item => item.what === 'alias')
  const conflicts = items.filter(item => item.what === 'conflict')
  if (aliases.length + conflicts.length > 0) await curate(engine, aliases, conflicts, part)
  for (const item of items) if (item.what === 'memory') await keepMemory(engine, item, part)
}

async function curate(
  engine: Composed,
  aliases: readonly Item<'alias'>[],
  conflicts: readonly Item<'conflict'>[],
  { idBySource, redaction, tally, dryRun }: CuratePart,
): Promise<void> {
  const pairs = await Promise.all(conflicts.map(conflict => pairOf(engine, conflict, idBySource)))
  const plan = (before: Readonly<Record<string, unknown>>) => {
    const own = { ...(before.aliases as Record<string, readonly string[]> | undefined) }
    const isNew = aliases.map(({ word, meanings }) => {
      const key = foldAlias(redact(word, redaction).text)
      const known = own[key] ?? []
      const all = [
        ...new Set([...known, ...meanings.map(meaning => foldAlias(redact(meaning, redaction).text))]),
      ]
      own[key] = all
      return all.length > known.length
    })
    const kept = Array.isArray(before.conflicts) ? [...before.conflicts] : []
    const known = new Set(kept.map(nameOfPair))
    const isNewPair = pairs.map(pair => {
      if (pair === undefined || known.has(nameOfPair(pair))) return false
      known.add(nameOfPair(pair))
      kept.push(pair)
      return true
    })
    return {
      isNew,
      isNewPair,
      after: { ...before, aliases: own, ...(kept.length > 0 && { conflicts: kept }) },
    }
  }

  const seen = plan(await engine.store.readDocument('curation.json'))
  for (const isNew of seen.isNew) tally.count('aliases', 'curation.json', isNew)
  conflicts.forEach((conflict, n) => {
    // In a dry run no entry has an id yet.
    if (pairs[n] !== undefined || dryRun)
      tally.count('conflicts', 'curation.json', dryRun || seen.isNewPair[n] === true)
    else
      tally.refuse({
        ...conflict.at,
        code: 'entry_not_found',
        message: `The conflict of ${conflict.entries.join(' and ')} names an entry that was not taken`.slice(
          0,
          200,
        ),
      })
  })
  if (dryRun) return
  await engine.store.write(engine.actor, async view => {
    const before = await view.readDocument('curation.json')
    const { isNew, isNewPair, after } = plan(before)
    if (!isNew.includes(true) && !isNewPair.includes(true)) return null
    return { action: 'import', changes: [{ type: 'document', name: 'curation.json', before, after }] }
  })
}

/** Seed C says when a conflict was resolved, not how: of a succession the newer entry holds, otherwise both do. */
async function pairOf(
  engine: Composed,
  { entries, type, detectedAt, resolvedAt }: Item<'conflict'>,
  idBySource: ReadonlyMap<string, string>,
): Promise<Record<string, unknown> | undefined> {
  const [idA, idB] = entries.map(id => idBySource.get(id))
  if (idA === undefined || idB === undefined) return undefined
  const [a, b] = [await engine.store.findEntry(idA), await engine.store.findEntry(idB)]
  if (a === undefined || b === undefined) return undefined
  const pair = { entryA: a.id, entryB: b.id, conflictType: type, detectedAt }
  if (resolvedAt === undefined) return pair
  const said = [fingerprint(a.content), fingerprint(b.content)]
  const resolved = { ...pair, resolvedAt, said, by: 'import' }
  if (type !== 'superseded') return { ...resolved, resolution: 'both' }
  return { ...resolved, resolution: 'superseded', holds: a.date > b.date ? a.id : b.id }
}

function nameOfPair(pair: unknown): string {
  const { entryA, entryB } = (pair ?? {}) as { entryA?: unknown; entryB?: unknown }
  return [String(entryA), String(entryB)].sort().join(' ')
}

async function keepMemory(
  engine: Composed,
  { memory }: Item<'memory'>,
  { idBySource, redaction, tally, dryRun }: CuratePart,
): Promise<void> {
  const known = await engine.sessions.findMemory(memory.sessionId)
  tally.count('memories of sessions', 'sessions/', known === undefined)
  if (known !== undefined || dryRun) return
  const renamed: SessionMemory = {
    ...memory,
    findings: memory.findings.map(finding => {
      const { promotedEntryId, ...rest } = finding
      const id = promotedEntryId === undefined ? undefined : idBySource.get(promotedEntryId)
      return { ...rest, ...(id !== undefined && { promotedEntryId: id }) }
    }),
  }
  const clean = withoutSecrets(renamed, redaction, tally)
  // A fingerprint and an id look like secrets, and are none.
  await engine.sessions.saveMemory({
    ...clean,
    sessionId: memory.sessionId,
    findings: clean.findings.map((finding, n) => ({
      ...finding,
      id: renamed.findings[n]?.id ?? finding.id,
      fingerprint: fingerprint(finding.content),
    })),
  })
}
