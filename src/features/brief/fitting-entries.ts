import type { Memory } from '../../kernel/memory.ts'
import { nameOfPlace } from '../../kernel/memory-place.ts'
import { type Entry, isSuggestion } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { EntryFilter } from '../../kernel/model/search.ts'
import type { Marks } from '../../kernel/model/selection.ts'
import type { DocumentReference } from '../../kernel/model/workspace.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import { essentialPart } from '../../kernel/text/essential-part.ts'
import { isGeneralRequest } from '../../kernel/text/general-request.ts'
import type { ConflictPorts } from '../conflicts/decide/ports.ts'
import type { Scored } from '../search/decide/fuse.ts'
import type { DocumentPorts, MeaningPorts, SearchPorts } from '../search/decide/ports.ts'
import { DEFAULT_PROFILE, detectProfile, type Profiles, TROUBLE_PROFILE } from '../search/decide/profiles.ts'
import { RERANKERS } from '../search/decide/rerank.ts'
import { type Retrieved, retrieve } from '../search/decide/retrieve.ts'
import { triggerTest } from '../search/decide/rule-trigger.ts'
import { snippetMaker } from '../search/decide/snippet.ts'
import { documentsToSearch, loadHits, withVectors } from '../search/document-search.ts'
import { type EmbeddedQuestion, embedQuestion } from '../search/meaning.ts'
import { supersededBy } from '../search/superseded.ts'
import { effectiveImportance, NO_ACCESS } from '../upkeep/decide/decay.ts'
import type { PromptPorts } from './decide/ports.ts'
import { type Considered, type Floor, type FloorKind, floorFor, selectEntries } from './decide/select.ts'

/** Entries that get factors: a factor cannot lift an entry that ranks lower than this. */
const CONSIDERED = 40
/** Tokens of the prompt for the search by words; the prompt of a hook may be a megabyte of log. */
const WORD_TOKENS = 200
/** How far an open file goes, and what it adds to the relevance of the entries that name it. */
const MAX_OPEN_FILES = 5
const ENTRIES_OF_A_FILE = 5
const OPEN_FILE_GAIN = 0.1
const NO_FLOOR: Floor = { relevance: 0, best: 0, shareOfBest: 0 }

interface FittingInput {
  readonly prompt: string
  /** Open in the editor, or edited in this session. */
  readonly openFiles: readonly string[]
  /** Those, and the ones that the prompt names. */
  readonly activeFiles: readonly string[]
  readonly filter: EntryFilter
  readonly profile?: string | undefined
  readonly topK: number
  /** The kind of prompt: see `FLOORS`. */
  readonly floor: FloorKind
  readonly withoutDocuments?: boolean
  /** Documents that changed are read until then. */
  readonly readUntilMs?: number
}

interface FittingEntries {
  readonly considered: readonly Considered[]
  /** Those of them that are documents of workspaces, by id. */
  readonly documentById: ReadonlyMap<string, DocumentReference>
  /** Puts the part of a long text first that the prompt is about. */
  readonly snippetOf: (content: string) => string
  readonly floor: Floor
  readonly isGeneral: boolean
  readonly profile: string
}

/** prompt ▶ candidates ▶ open files ▶ reranker ▶ factors ▶ selection */
export async function findFittingEntries(
  memory: Memory & PromptPorts,
  input: FittingInput,
): Promise<FittingEntries> {
  const question = await prepareSearch(memory, input)
  return memory.store.reading(() => fittingEntries(memory, input, question))
}

async function fittingEntries(
  memory: Memory & PromptPorts,
  input: FittingInput,
  question: PreparedSearch,
): Promise<FittingEntries> {
  const { filter, topK } = input
  const isGeneral = isGeneralRequest(input.prompt)
  const profiles = await memory.profiles()
  const profile = input.profile ?? detectProfile(input.prompt, profiles)
  if (profile !== DEFAULT_PROFILE && !Object.hasOwn(profiles, profile))
    throw unknownProfile(profile, profiles)
  const queryText = essentialPart(input.prompt)
  if (queryText === '')
    return {
      considered: [],
      documentById: new Map(),
      snippetOf: () => '',
      floor: NO_FLOOR,
      isGeneral,
      profile,
    }
  const { ranked, plan, hasMeaning } = await searchByWordsAndMeaning(memory, question, filter, 2 * topK)
  const found = await withOpenFiles(memory, ranked, { filter, files: input.openFiles })
  const reranker = memory.reranker ?? RERANKERS[(await memory.config())['brief.reranker']]
  const reranked = await reranker.rerank(found.slice(0, topK), {
    prompt: queryText,
    similarity: (a, b) => similarity(memory, found, a, b),
  })
  const scoredById = new Map(found.map(scored => [scored.id, scored]))
  const best = reranked.flatMap(({ id, score }) => {
    const scored = scoredById.get(id)
    return scored === undefined ? [] : [{ ...scored, score }]
  })
  const pool = [...best, ...found.slice(topK)].slice(0, CONSIDERED)
  const ids = pool.map(({ id }) => id)
  const { entryById, documentById } = await loadHits(memory, pool)
  const accesses = await memory.briefs.accesses(ids)
  const nowMs = memory.clock.nowMs()
  const feedback = await memory.feedback()
  const drifted = await memory.sources.marks(
    ids.filter(id => !documentById.has(id)),
    filter.reader,
  )
  const floor = floorFor({
    kind: input.floor,
    isGeneral,
    isTrouble: profile === TROUBLE_PROFILE,
    hasMeaning,
    knownShare: plan.knownShare,
  })
  const considered = selectEntries({
    ranked: pool.filter(({ id }) => mayFit(entryById.get(id))),
    entryById,
    context: {
      nowMs,
      activeFiles: input.activeFiles,
      kindWeights: profiles[profile]?.kinds ?? {},
      accessCountOf: id => accesses.get(id)?.accessCount ?? 0,
      importanceOf: entry => effectiveImportance(entry, accesses.get(entry.id) ?? NO_ACCESS, nowMs),
      feedbackOf: id => feedback[id] ?? { useful: 0, wrong: 0 },
      hasDrifted: id => hasDrifted(drifted.get(id)),
      planStatusOf: id => documentById.get(id)?.status,
    },
    floor,
    topK,
    isTriggered: triggerTest({ prompt: queryText, files: input.activeFiles }),
  })
  const makeSnippet = snippetMaker([...plan.terms, ...plan.pruned])
  return {
    considered,
    documentById,
    snippetOf: content => makeSnippet(content).text,
    floor,
    isGeneral,
    profile,
  }
}

function hasDrifted({ changedFiles = [], goneFiles = [] }: Marks = {}): boolean {
  return changedFiles.length + goneFiles.length > 0
}

/**
 * Handoffs begin a session; with a prompt they would only repeat what the entries say. A suggestion can come in as the successor of an
 * entry, which no filter saw.
 */
function mayFit(entry: Entry | undefined): boolean {
  return (
    entry !== undefined &&
    !isSuggestion(entry) &&
    !(entry.category === 'handoffs' && entry.origin !== 'person')
  )
}

function unknownProfile(name: string, profiles: Profiles): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `There is no profile \`${name}\`.`,
    hint: `There are ${[DEFAULT_PROFILE, ...Object.keys(profiles)].join(', ')}; \`profiles\` in .memory/config.json adds your own.`,
  })
}

interface PreparedSearch {
  readonly prompt: string
  readonly documentSearch: Awaited<ReturnType<typeof documentsToSearch>>
  readonly embedded: EmbeddedQuestion | undefined
}

/** Before the reading, as far as it takes long: documents that changed, and the vector of the prompt. */
async function prepareSearch(
  memory: Memory & MeaningPorts & DocumentPorts,
  {
    prompt,
    filter,
    readUntilMs,
    withoutDocuments,
  }: Pick<FittingInput, 'prompt' | 'filter' | 'readUntilMs' | 'withoutDocuments'>,
): Promise<PreparedSearch> {
  const queryText = essentialPart(prompt)
  if (queryText === '') return { prompt, documentSearch: undefined, embedded: undefined }
  const documentSearch =
    withoutDocuments === true ? undefined : await documentsToSearch(memory, filter, { readUntilMs })
  const embedded = await embedQuestion(memory, queryText, {
    hasDocuments: documentSearch !== undefined,
    onlyIfRead: true,
  })
  return { prompt, documentSearch, embedded }
}

/** Words and meaning, each from the extracted query of the prompt. */
async function searchByWordsAndMeaning(
  memory: Memory & SearchPorts & ConflictPorts,
  { prompt, documentSearch, embedded }: PreparedSearch,
  filter: EntryFilter,
  wanted: number,
): Promise<Retrieved & { hasMeaning: boolean }> {
  const meaning = await embedded?.compared()
  const retrieved = await retrieve(memory.search, {
    query: essentialPart(prompt, WORD_TOKENS),
    filter,
    wanted,
    aliases: await memory.aliases(),
    now: utcMinute(memory.clock.nowMs()),
    meaning,
    projectName: nameOfPlace(memory),
    documentCollection: withVectors(documentSearch, meaning),
    successors: ids => supersededBy(memory, ids, { reader: filter.reader }),
  })
  return { ...retrieved, hasMeaning: meaning !== undefined }
}

/** An open file is part of the question: "what is this for?" has no other subject. */
async function withOpenFiles(
  memory: SearchPorts,
  ranked: readonly Scored[],
  { filter, files }: { filter: EntryFilter; files: readonly string[] },
): Promise<readonly Scored[]> {
  if (files.length === 0) return ranked
  const known = new Map(ranked.map(scored => [scored.id, scored]))
  for (const file of files.slice(0, MAX_OPEN_FILES)) {
    const { entries } = await memory.search.listEntries({
      filter: { ...filter, file },
      limit: ENTRIES_OF_A_FILE,
      offset: 0,
    })
    for (const { id } of entries) {
      const own = known.get(id) ?? { id, score: 0, words: 0, meaning: 0 }
      known.set(id, { ...own, score: Math.min(1, own.score + OPEN_FILE_GAIN) })
    }
  }
  return [...known.values()].sort((a, b) => b.score - a.score)
}

async function similarity(
  memory: MeaningPorts & DocumentPorts,
  ranked: readonly Scored[],
  a: string,
  b: string,
): Promise<number | undefined> {
  const vectorsOf = (id: string) =>
    ranked.find(scored => scored.id === id)?.isDocument === true
      ? memory.documentSearch.vectors
      : memory.semantics.vectors
  const vector = await vectorsOf(a).vectorOf(a)
  if (vector === undefined) return undefined
  return (await vectorsOf(b).measure(vector, [b])).measuredById.get(b)?.cosine
}
