import { boardOver } from '../addons/work/work-board.ts'
import { readResolutions } from '../features/conflicts/decide/resolutions.ts'
import { readAliases, readFeedback } from '../features/entries/decide/curation.ts'
import type { ModelUse } from '../features/learning/decide/ports.ts'
import type { Embedder, EmbedderUse } from '../features/search/decide/ports.ts'
import { readProfiles } from '../features/search/decide/profiles.ts'
import { conflictMarks } from '../features/search/superseded.ts'
import type { OpenTree, TreeItem } from '../features/validate/decide/ports.ts'
import { notOnHub } from '../kernel/memory-place.ts'
import { type Config, readConfig } from '../kernel/model/config.ts'
import { embedderTerms } from '../kernel/model/consent.ts'
import type { Actor } from '../kernel/model/entry.ts'
import type { HubProject } from '../kernel/model/hub.ts'
import type { Degradation } from '../kernel/model/search.ts'
import { type Clock, systemClock } from '../kernel/system/clock.ts'
import { versionHash } from '../kernel/system/digest.ts'
import { PROJECT_TEXT } from '../kernel/system/paths.ts'
import { MemoryBlobs, postgresTexts } from '../stores/postgres/memory-blobs.ts'
import { postgresAnchors } from '../stores/postgres/postgres-anchors.ts'
import { postgresArchive } from '../stores/postgres/postgres-archive.ts'
import { postgresBriefs } from '../stores/postgres/postgres-briefs.ts'
import { postgresChanges } from '../stores/postgres/postgres-changes.ts'
import { postgresConflicts } from '../stores/postgres/postgres-conflicts.ts'
import { postgresEvents } from '../stores/postgres/postgres-events.ts'
import { postgresFeed } from '../stores/postgres/postgres-feed.ts'
import { postgresFindings } from '../stores/postgres/postgres-findings.ts'
import { postgresGraph } from '../stores/postgres/postgres-graph.ts'
import { postgresMemoryFiles } from '../stores/postgres/postgres-memory-files.ts'
import { postgresOverview } from '../stores/postgres/postgres-overview.ts'
import { postgresReview } from '../stores/postgres/postgres-review.ts'
import { postgresSearch } from '../stores/postgres/postgres-search.ts'
import { postgresSessions } from '../stores/postgres/postgres-sessions.ts'
import { postgresSources } from '../stores/postgres/postgres-sources.ts'
import { postgresSpend } from '../stores/postgres/postgres-spend.ts'
import { postgresState } from '../stores/postgres/postgres-state.ts'
import { PostgresStore } from '../stores/postgres/postgres-store.ts'
import { postgresTalks } from '../stores/postgres/postgres-talks.ts'
import { postgresTree } from '../stores/postgres/postgres-tree.ts'
import { postgresTurns } from '../stores/postgres/postgres-turns.ts'
import { postgresUpkeep } from '../stores/postgres/postgres-upkeep.ts'
import { postgresVectors } from '../stores/postgres/postgres-vectors.ts'
import { postgresWork } from '../stores/postgres/postgres-work.ts'
import { signCacheOf } from '../stores/postgres/sign-cache.ts'
import type { SqlPool } from '../stores/postgres/sql-pool.ts'
import { Tenant } from '../stores/postgres/tenant.ts'
import { composeSemantics, openThreadedBuiltIn } from './compose-semantics.ts'
import { composeSources, editedInSession } from './compose-sources.ts'
import { importsElsewhere, withoutFiles } from './compose-without-files.ts'
import type { ComposedHub } from './composed.ts'

export interface PostgresEngineOptions {
  /** Owned by the caller: closing the memory leaves it open. */
  readonly pool: SqlPool
  readonly project: HubProject
  readonly actor?: Actor
  readonly clock?: Clock
  /** Replaces the configured embedder. Shared; the caller closes it. */
  readonly embedder?: Embedder
  /** Called when a read finds entries without a vector or a comparison. */
  readonly onBehind?: () => void
}

/** A memory over a project of a PostgreSQL database. Ports that need the files of a repository throw `not_on_hub`. */
export function composePostgresEngine(options: PostgresEngineOptions): ComposedHub {
  const { pool, project } = options
  const clock = options.clock ?? systemClock
  const tenant = new Tenant(pool, project.number)
  const store = new PostgresStore({ tenant, clock, onBehind: options.onBehind })
  const config = async (): Promise<Config> => readConfig(await store.readDocument('config.json'))
  const embedder = embedderOfHub(config)
  const semantics = composeSemantics({
    vectors: postgresVectors(tenant, {
      signs: signCacheOf(pool),
      onWithoutExtension: () => semantics.note(BY_SIGNS),
      onBehind: options.onBehind,
    }),
    config,
    standing: () => embedder.standing(),
    embedder: options.embedder && unowned(options.embedder),
    openBuiltIn: async () => unowned(await sharedBuiltIn()),
  })
  const texts = postgresTexts(tenant)
  const changes = postgresChanges(pool, tenant)
  const work = boardOver(postgresWork(tenant, changes))
  const nowMs = () => clock.nowMs()
  const blobs = new MemoryBlobs(tenant, nowMs)
  const parts = { tenant, blobs, clock }
  const tree = postgresTree(tenant, blobs)

  const memory: ComposedHub = {
    ...withoutFiles(),
    place: { kind: 'hub', project },
    isUserMemory: false,
    store,
    clock,
    search: postgresSearch(tenant),
    semantics,
    embedder,
    model: NO_MODEL,
    spend: postgresSpend(tenant),
    briefs: postgresBriefs(tenant),
    sessions: postgresSessions(parts),
    events: postgresEvents(tenant),
    sourceRegistry: postgresSources(tenant, blobs, nowMs),
    state: postgresState(tenant, blobs, nowMs),
    archive: postgresArchive(tenant, blobs),
    memoryFiles: postgresMemoryFiles(parts),
    memoryTree: { open: async () => hubTree(await tree.items()), readEnd: tree.readEnd },
    findings: postgresFindings(tenant),
    anchors: {
      ...postgresAnchors(tenant),
      judged: async () => [],
      keep: async judged => {
        if (judged.length > 0) throw notOnHub('What files say by now')
      },
    },
    projectTexts: { read: texts.read, linkTarget: async () => undefined },
    projectText: () => texts.read(PROJECT_TEXT),
    importSync: importsElsewhere(() => memory),
    upkeepIndex: postgresUpkeep(tenant),
    turns: postgresTurns(tenant),
    changes,
    hubFeed: postgresFeed({ tenant, clock, print: versionHash }),
    overview: postgresOverview(tenant),
    reviewIndex: postgresReview(tenant),
    sources: composeSources({
      talks: {
        ...postgresTalks(tenant),
        editedFiles: (session, agent) => editedInSession(memory, session, agent),
      },
      engine: () => memory,
      // The user's preferences come from their own machine.
      preferences: async () => ({ preferences: [], left: [] }),
      marks: [(ids, reader) => conflictMarks(memory, ids, reader)],
    }),
    profiles: async () => readProfiles((await store.readDocument('config.json')).profiles).profiles,
    feedback: async () => readFeedback((await store.readDocument('curation.json')).feedback),
    conflicts: postgresConflicts(tenant),
    resolutions: async () => readResolutions((await store.readDocument('curation.json')).conflicts),
    graph: postgresGraph(tenant),
    work,
    config,
    aliases: async () => readAliases((await store.readDocument('curation.json')).aliases),
    secondNet: async text => {
      const { mayHoldSecret } = await import('../kernel/text/redaction/may-hold-secret.ts')
      if (!mayHoldSecret(text)) return { text, redacted: [] }
      const { scanWithSecretlint } = await import('../providers/secret-scanner.ts')
      return scanWithSecretlint(text)
    },
    actor: options.actor ?? { host: 'hub' },
    // The readable projects depend on the principal: see compose-hub-across.ts.
    across: {
      atOnce: 1,
      hasOthers: async () => false,
      readable: async () => {
        throw notOnHub('Other projects, without knowing who asks')
      },
    },
    close: async () => {
      await work.close()
      await semantics.close()
      await store.close()
    },
  }
  return memory
}

/** Only sizes are reported; rows are not read as files. */
function hubTree(items: readonly TreeItem[]): OpenTree {
  return {
    items,
    isWhole: true,
    unreadable: [],
    read: path => {
      throw notOnHub(`Reading ${path} as a file`)
    },
  }
}

const BY_SIGNS: Degradation = {
  code: 'vectors_by_signs',
  message:
    'The database has no pgvector: what is near in meaning was picked by the signs of the vectors, and then measured; what words found was ranked by meaning as always.',
}

let builtIn: Promise<Embedder> | undefined

/** One model for all projects of this process: its weights take as much memory as thousands of entries. */
function sharedBuiltIn(): Promise<Embedder> {
  builtIn ??= openThreadedBuiltIn().catch(error => {
    builtIn = undefined
    throw error
  })
  return builtIn
}

/** The same embedder, without closing it with the memory. */
function unowned(embedder: Embedder): Embedder {
  return {
    model: embedder.model,
    get dimensions() {
      return embedder.dimensions
    },
    embed: (texts, options) => embedder.embed(texts, options),
    close: async () => undefined,
  }
}

/** config.json may come from any linked repository: a hub contacts nothing that it names. */
function embedderOfHub(config: () => Promise<Config>): EmbedderUse {
  return {
    async standing() {
      const terms = embedderTerms(await config())
      return terms === undefined ? { kind: 'off' } : { kind: 'not_allowed', terms, code: '', why: 'none' }
    },
    allow: async () => {
      throw notOnHub('A yes to an embedder behind HTTP')
    },
    forbid: async () => false,
  }
}

/** Models refine sessions only on the machine of the sessions. */
const NO_MODEL: ModelUse = {
  standing: async () => ({ kind: 'off' }),
  allow: async () => {
    throw notOnHub('A yes to a model')
  },
  forbid: async () => false,
  distiller: async () => {
    throw notOnHub('A model')
  },
}
