import type { Engine } from '../engine-parts.ts'
import type { Entry } from '../model/entry.ts'
import { CairnError } from '../model/errors.ts'
import type { Finding } from '../model/finding.ts'
import type { SessionFinding, SessionMemory } from '../model/session.ts'
import type { Weighed } from '../pipeline/promote/plan-promotion.ts'
import { compareStatements, conceptsOf, type StatedText } from '../pipeline/promote/same-statement.ts'
import { findAlike } from '../pipeline/retrieve/find-alike.ts'
import { utcMinute } from '../text/dates.ts'

/** What may say the same is looked up by words; so many are compared. */
const SIMILAR_FINDINGS = 12
const SIMILAR_ENTRIES = 8
/** Vectors made for one closing: where words leave it open whether two statements are the same. */
const MOST_VECTORS = 12
const VECTOR_TOKENS = 96

export interface FoundByAgent {
  readonly agent: string
  readonly finding: Finding
}

export interface EvidenceInput {
  readonly session: string
  readonly parent?: string
  readonly found: readonly FoundByAgent[]
  /** What an earlier closing of this session left. */
  readonly earlier: readonly SessionFinding[]
  /** Ids of the entries that a closing which broke off has strengthened already. */
  readonly touched: ReadonlySet<string>
  /** Ids of the entries that the session's context held. */
  readonly told: ReadonlySet<string>
  readonly date: string
}

/** What else is known about each finding: other sessions, entries that say the same, a person's rejection. */
export async function gatherEvidence(engine: Engine, input: EvidenceInput): Promise<Weighed[]> {
  await readSessions(engine)
  const isSame = sameness(engine)
  const rejections = await rejectedStatements(engine)
  const earlierByPrint = new Map(input.earlier.map(finding => [finding.fingerprint, finding]))
  const root = await rootOf(engine, input)
  const weighed: Weighed[] = []
  for (const [at, { agent, finding }] of input.found.entries()) {
    const stated = statedOf(finding, input.date)
    const others = await otherSessions(engine, { finding, stated, root, isSame })
    const companions = await companionsOf(input.found, { at, stated, isSame, date: input.date })
    const entry = await sameEntry(engine, { agent, stated, isSame, known: others.entries })
    const earlier = earlierByPrint.get(finding.fingerprint)
    const sessions = new Set([input.session, ...others.sessions])
    const agents = new Set([agent, ...others.agents, ...companions.agents])
    weighed.push({
      finding,
      agent,
      sessions: sessions.size,
      agents: agents.size,
      wasTold: entry !== undefined && input.told.has(entry.id),
      isOwn: entry !== undefined && (others.kinEntries.has(entry.id) || input.touched.has(entry.id)),
      wasRejected: await someSame(rejections, stated, isSame),
      ...(earlier !== undefined && { earlier }),
      ...(entry !== undefined && { entry }),
      ...(companions.first !== undefined && { sameAs: companions.first }),
    })
  }
  return weighed
}

/** Takes in what stands in `sessions/` and was not read yet, and forgets what is no longer there. */
export async function readSessions(engine: Engine): Promise<void> {
  const known = await engine.findings.stamps()
  const there = await engine.sessions.memoryStamps()
  const gone = new Set(known.keys())
  const fresh: { memory: SessionMemory; stamp: string }[] = []
  for (const { session, stamp } of there) {
    gone.delete(session)
    if (known.get(session) === stamp) continue
    const memory = await engine.sessions.findMemory(session)
    if (memory !== undefined) fresh.push({ memory, stamp })
  }
  // A fork after its parent: it takes over the parent's root.
  fresh.sort((a, b) => a.memory.createdAt - b.memory.createdAt)
  for (const each of fresh) await engine.findings.put(each, conceptsOf)
  if (gone.size > 0) await engine.findings.drop([...gone])
}

type IsSame = (a: StatedText, b: StatedText, bId?: string) => Promise<boolean>

/** Words first; a vector only where they leave it open, and not more than a closing may cost. */
export function sameness(engine: Engine): IsSame {
  const vectorByText = new Map<string, Promise<Float32Array | undefined>>()
  const vectorOf = (text: string) => {
    const known = vectorByText.get(text)
    if (known !== undefined) return known
    const made = vectorByText.size >= MOST_VECTORS ? Promise.resolve(undefined) : embedText(engine, text)
    vectorByText.set(text, made)
    return made
  }
  return async (a, b) => {
    const byWords = compareStatements(a, b)
    if (byWords.kind !== 'near') return byWords.kind === 'same'
    const [one, other] = [await vectorOf(a.content), await vectorOf(b.content)]
    if (one === undefined || other === undefined) return false
    return compareStatements(a, b, cosineOf(one, other)).kind === 'same'
  }
}

async function embedText(engine: Engine, text: string): Promise<Float32Array | undefined> {
  if (!engine.semantics.isOn()) return undefined
  const embedder = await engine.semantics.embedder()
  if (embedder === undefined) return undefined
  try {
    const [vector] = await embedder.embed([text], { maxTokens: VECTOR_TOKENS })
    return vector
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    engine.semantics.note({
      code: error.code,
      message: `${error.message} Words alone decided what is the same.`,
    })
    return undefined
  }
}

/** Both are of unit length. */
function cosineOf(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
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

async function someSame(known: readonly StatedText[], stated: StatedText, isSame: IsSame): Promise<boolean> {
  for (const each of known) if (await isSame({ ...stated, kind: each.kind }, each)) return true
  return false
}

async function rootOf(engine: Engine, { session, parent }: EvidenceInput): Promise<string> {
  if (parent === undefined) return session
  return (await engine.findings.rootOf(parent)) ?? parent
}

function statedOf(finding: Finding, date: string): StatedText {
  return { content: finding.text, kind: finding.kind, tags: finding.tags, files: finding.files, date }
}

function withoutBox(content: string): string {
  return content.replace(/^\s*[-*] \[[ xX]\] /, '')
}
