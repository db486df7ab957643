import type { Engine } from '../engine-parts.ts'
import type { Entry } from '../model/entry.ts'
import { CairnError } from '../model/errors.ts'
import type { Finding } from '../model/finding.ts'
import type { SessionFinding, SessionMemory } from '../model/session.ts'
import type { Weighed } from '../pipeline/promote/plan-promotion.ts'
import { compareStatements, conceptsOf, type StatedText } from '../pipeline/promote/same-statement.ts'
import { findAlike } from '../pipeline/retrieve/find-alike.ts'
import { utcMinute } from '../text/dates.ts'
import { fingerprint } from '../text/fingerprint.ts'

/** What may say the same is looked up by words; so many are compared. */
const SIMILAR_FINDINGS = 8
const SIMILAR_ENTRIES = 6

export interface FoundByAgent {
  readonly agent: string
  readonly finding: Finding
}

export interface EvidenceInput {
  readonly session: string
  /** The first of the sessions that it was forked from, or itself. */
  readonly root: string
  readonly found: readonly FoundByAgent[]
  /** What an earlier closing of this session made of a finding. */
  readonly earlierOf: (fingerprint: string) => SessionFinding | undefined
  /** Ids of the entries that the session's context held. */
  readonly told: ReadonlySet<string>
  readonly date: string
  /** The other sessions were read in a moment ago. */
  readonly knowsOthers?: boolean
}

/** What else is known about each finding: other sessions, entries that say the same, a person's rejection. */
export async function gatherEvidence(engine: Engine, input: EvidenceInput): Promise<Weighed[]> {
  if (input.knowsOthers !== true) await readSessions(engine)
  const isSame = sameness(engine)
  const wasRejected = rejectionLookup(await rejectedStatements(engine))
  const weighed: Weighed[] = []
  for (const [at, { agent, finding }] of input.found.entries()) {
    const stated = statedOf(finding, input.date)
    const others = await otherSessions(engine, { finding, stated, root: input.root, isSame })
    const companions = await companionsOf(input.found, { at, stated, isSame, date: input.date })
    const entry = await sameEntry(engine, { agent, stated, isSame, known: others.entries })
    const earlier = input.earlierOf(finding.fingerprint)
    const sessions = new Set([input.session, ...others.sessions])
    const agents = new Set([agent, ...others.agents, ...companions.agents])
    weighed.push({
      finding,
      agent,
      sessions: sessions.size,
      agents: agents.size,
      wasTold: entry !== undefined && input.told.has(entry.id),
      isOwn: entry !== undefined && others.kinEntries.has(entry.id),
      wasRejected: await wasRejected(stated),
      ...(earlier !== undefined && { earlier }),
      ...(entry !== undefined && { entry }),
      ...(companions.first !== undefined && { sameAs: companions.first }),
    })
  }
  return weighed
}

/** Takes in what stands in `sessions/` and was not read yet, and forgets what is no longer there. `only`: looks at one session alone. */
export async function readSessions(engine: Engine, only?: string): Promise<void> {
  const known = only === undefined ? await engine.findings.stamps() : new Map<string, string>()
  const there = await engine.sessions.memoryStamps(only)
  const gone = new Set(known.keys())
  const fresh: { memory: SessionMemory; stamp: string }[] = []
  for (const { session, stamp } of there) {
    gone.delete(session)
    if (known.get(session) === stamp) continue
    const memory = await readableMemory(engine, session)
    if (memory !== undefined) fresh.push({ memory, stamp })
  }
  for (const { memory, stamp } of fresh) {
    const ancestors = await ancestorsOf(engine, memory.parentSessionId)
    await engine.findings.put({ memory, stamp, root: ancestors.at(-1) ?? memory.sessionId }, conceptsOf)
  }
  if (gone.size > 0) await engine.findings.drop([...gone])
}

/** A damaged one is told, and the others are read. */
export async function readableMemory(engine: Engine, session: string): Promise<SessionMemory | undefined> {
  try {
    return await engine.sessions.findMemory(session)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    engine.semantics.note({ code: error.code, message: error.message })
    return undefined
  }
}

type IsSame = (a: StatedText, b: StatedText, bId?: string) => Promise<boolean>

/** Equal texts only: what merely sounds alike stays two statements. */
export function sameness(_engine: Engine): IsSame {
  return async (a, b) => compareStatements(a, b).kind === 'same'
}

async function otherSessions(
  engine: Engine,
  { finding, stated, root, isSame }: { finding: Finding; stated: StatedText; root: string; isSame: IsSame },
): Promise<Record<'sessions' | 'agents' | 'entries' | 'kinEntries', Set<string>>> {
  const found = {
    sessions: new Set<string>(),
    agents: new Set<string>(),
    entries: new Set<string>(),
    kinEntries: new Set<string>(),
  }
  const similar = await engine.findings.findSimilar({
    fingerprint: finding.fingerprint,
    concepts: conceptsOf(finding.text),
    limit: SIMILAR_FINDINGS,
  })
  for (const known of similar) {
    const isKin = known.root === root
    const other = {
      content: known.content,
      kind: known.category,
      tags: known.tags ?? [],
      files: known.filePaths ?? [],
      date: utcMinute(known.finalizedAt),
    }
    if (!(await isSame(stated, other))) continue
    if (known.promotedEntryId !== undefined) found.entries.add(known.promotedEntryId)
    if (isKin && known.promotedEntryId !== undefined) found.kinEntries.add(known.promotedEntryId)
    if (isKin) continue
    found.sessions.add(known.root)
    found.agents.add(known.agent)
  }
  return found
}

/** Others of this session that say the same: the first of them is what the later ones join. */
async function companionsOf(
  found: readonly FoundByAgent[],
  { at, stated, isSame, date }: { at: number; stated: StatedText; isSame: IsSame; date: string },
): Promise<{ agents: Set<string>; first: number | undefined }> {
  const agents = new Set<string>()
  let first: number | undefined
  for (const [other, { agent, finding }] of found.entries()) {
    if (other === at || agent === found[at]?.agent) continue
    if (!(await isSame(stated, statedOf(finding, date)))) continue
    agents.add(agent)
    if (other < at) first ??= other
  }
  return { agents, first }
}

async function sameEntry(
  engine: Engine,
  {
    agent,
    stated,
    isSame,
    known,
  }: { agent: string; stated: StatedText; isSame: IsSame; known: ReadonlySet<string> },
): Promise<Entry | undefined> {
  const alike = await findAlike(engine.search, {
    text: stated.content,
    filter: { reader: agent },
    limit: SIMILAR_ENTRIES,
  })
  const ids = [...new Set([...known, ...alike])]
  const entryById = await engine.search.loadEntries(ids)
  for (const id of ids) {
    const entry = entryById.get(id)
    if (entry === undefined || entry.category === 'handoffs') continue
    if (await isSame(stated, { ...entry, content: withoutBox(entry.content) })) return entry
  }
  return undefined
}

async function rejectedStatements(engine: Engine): Promise<readonly StatedText[]> {
  const { rejections } = await engine.store.readDocument('curation.json')
  if (!Array.isArray(rejections)) return []
  return rejections.flatMap((each: unknown) => {
    const { content, kind } = (each ?? {}) as { content?: unknown; kind?: unknown }
    if (typeof content !== 'string') return []
    return [{ content, kind: typeof kind === 'string' ? kind : 'lesson', tags: [], files: [], date: '' }]
  })
}

function rejectionLookup(rejections: readonly StatedText[]): (stated: StatedText) => boolean {
  const prints = new Set(rejections.map(({ content }) => fingerprint(content)))
  return ({ content }) => prints.has(fingerprint(content))
}

/** More is no lineage but a ring. */
const MOST_FORKS = 100

/** The sessions that one was forked from, its parent first. What is in the archive by now is known by its findings. */
export async function ancestorsOf(engine: Engine, parent: string | undefined): Promise<readonly string[]> {
  const ancestors: string[] = []
  for (let next = parent; next !== undefined && ancestors.length < MOST_FORKS; ) {
    if (ancestors.includes(next)) break
    ancestors.push(next)
    const heads = await engine.sessions.conversationsOf(next)
    const before: string | undefined = heads.find(head => head.parent !== undefined)?.parent
    const root = heads.length > 0 ? undefined : await engine.findings.rootOf(next)
    next = before ?? (root === next ? undefined : root)
  }
  return ancestors
}

export function statedOf(finding: Finding, date: string): StatedText {
  return { content: finding.text, kind: finding.kind, tags: finding.tags, files: finding.files, date }
}

function withoutBox(content: string): string {
  return content.replace(/^\s*[-*] \[[ xX]\] /, '')
}
