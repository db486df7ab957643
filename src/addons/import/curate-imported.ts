import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import { checkSessionId } from '../../features/sessions/session-ids.ts'
import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { SessionFinding, SessionMemory } from '../../kernel/model/session.ts'
import { foldAlias } from '../../kernel/text/aliases.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { madeFindingId } from './sources/project-source.ts'
import { type Item, type TakePart, withoutSecrets } from './tally.ts'

interface CuratePart extends TakePart {
  /** Ids of the entries by what they were there. */
  readonly idBySource: ReadonlyMap<string, string>
}

/** Aliases and conflicts go to curation.json as one change; memories of sessions to sessions/. */
export async function curateImported(
  memory: Memory & SessionPorts,
  items: readonly (Item<'alias'> | Item<'conflict'> | Item<'memory'>)[],
  part: CuratePart,
): Promise<void> {
  const aliases = items.filter(item => item.what === 'alias')
  const conflicts = items.filter(item => item.what === 'conflict')
  if (aliases.length + conflicts.length > 0) await curate(memory, aliases, conflicts, part)
  for (const item of items) {
    if (item.what !== 'memory') continue
    try {
      await keepMemory(memory, item, part)
    } catch (error) {
      if (!(error instanceof CairnError) || !(error.class === 'usage' || error.code === 'document_damaged'))
        throw error
      part.tally.refuse({ ...item.at, code: error.code, message: error.message })
    }
  }
}

async function curate(
  memory: Memory,
  aliases: readonly Item<'alias'>[],
  conflicts: readonly Item<'conflict'>[],
  { idBySource, redaction, tally, dryRun, batch }: CuratePart,
): Promise<void> {
  const pairs = await Promise.all(conflicts.map(conflict => pairOf(memory, conflict, idBySource)))
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

  const seen = plan(await memory.store.readDocument('curation.json'))
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
  const written = await memory.store.write(memory.actor, async view => {
    const before = await view.readDocument('curation.json')
    const { isNew, isNewPair, after } = plan(before)
    if (!isNew.includes(true) && !isNewPair.includes(true)) return null
    return { action: 'import', batch, changes: [{ type: 'document', name: 'curation.json', before, after }] }
  })
  tally.wrote(written?.id ?? null)
}

/** Seed C says when a conflict was resolved, not how: of a succession the newer entry holds, otherwise both do. */
async function pairOf(
  memory: Memory,
  { entries, type, detectedAt, resolvedAt }: Item<'conflict'>,
  idBySource: ReadonlyMap<string, string>,
): Promise<Record<string, unknown> | undefined> {
  const [idA, idB] = entries.map(id => idBySource.get(id))
  if (idA === undefined || idB === undefined) return undefined
  const [a, b] = [await memory.store.findEntry(idA), await memory.store.findEntry(idB)]
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
  engine: Memory & SessionPorts,
  { memory }: Item<'memory'>,
  { idBySource, redaction, tally, dryRun }: CuratePart,
): Promise<void> {
  const config = await engine.config()
  // Ids are never redacted, for two would become one: one that looks like a secret is refused, or made anew.
  const sessionId = checkSessionId(memory.sessionId, config)
  const parent =
    memory.parentSessionId === undefined ? undefined : checkSessionId(memory.parentSessionId, config)
  const known = await engine.sessions.findMemory(sessionId)
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
  const net = async (text: string) => {
    if (!config['redaction.secondNet']) return text
    const second = await engine.secondNet(text)
    tally.redacted(second.redacted.length)
    return second.text
  }
  const findings: SessionFinding[] = []
  for (const [n, finding] of clean.findings.entries()) {
    const content = await net(finding.content)
    const { id, promotedEntryId } = renamed.findings[n] ?? finding
    findings.push({
      ...finding,
      content,
      id: finding.id === id ? id : madeFindingId(sessionId, n, content),
      fingerprint: fingerprint(content),
      ...(promotedEntryId !== undefined && { promotedEntryId }),
    })
  }
  await engine.sessions.saveMemory({
    ...clean,
    sessionId,
    ...(parent !== undefined && { parentSessionId: parent }),
    agentId: clean.agentId === memory.agentId ? memory.agentId : config['vault.defaultAgent'],
    summary: await net(clean.summary),
    findings,
  })
}
