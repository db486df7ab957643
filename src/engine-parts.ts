import type { AcrossProjects } from './addons/across/decide/rooms.ts'
import type { ForeignDatabases } from './addons/import/decide/foreign-database.ts'
import type { SourceRegistry } from './addons/import/decide/source-registry.ts'
import type { HubClient } from './addons/link/decide/hub-client.ts'
import type { HubFeed } from './addons/link/decide/hub-feed.ts'
import type { HubAddress, HubLink } from './addons/link/decide/link-state.ts'
import type { ObsidianVault } from './addons/obsidian/decide/obsidian-vault.ts'
import type { HotFiles } from './addons/rules/decide/hot-files.ts'
import type { WorkBoard } from './addons/work/decide/work-board.ts'
import type { DocumentSource } from './addons/workspaces/decide/document-source.ts'
import type { WorkspaceFolder } from './addons/workspaces/decide/workspace-folder.ts'
import type { AskMarks } from './features/agent-saves/decide/ask-marks.ts'
import type { BriefLog } from './features/brief/decide/brief-log.ts'
import type { ColdCopies } from './features/cold/decide/cold-copies.ts'
import type { ConflictIndex } from './features/conflicts/decide/conflict-index.ts'
import type { AnchorIndex, ProjectFiles } from './features/freshness/decide/ports.ts'
import type { Distiller } from './features/learning/decide/distiller.ts'
import type { FindingIndex } from './features/learning/decide/finding-index.ts'
import type { SpendLog } from './features/learning/decide/spend-log.ts'
import type { MemoryChanges } from './features/overview/decide/memory-changes.ts'
import type { OverviewIndex } from './features/overview/decide/overview-index.ts'
import type { ReviewIndex } from './features/review/decide/review-index.ts'
import type { Embedder } from './features/search/decide/embedder.ts'
import type { GraphIndex } from './features/search/decide/graph-index.ts'
import type { Profiles } from './features/search/decide/profiles.ts'
import type { SearchIndex } from './features/search/decide/search-index.ts'
import type { VectorShelf } from './features/search/decide/vector-index.ts'
import type { EventLog } from './features/sessions/decide/event-log.ts'
import type { SessionFiles } from './features/sessions/decide/session-files.ts'
import type { ImportSync } from './features/state/decide/import-sync.ts'
import type { StateFiles } from './features/state/decide/state-files.ts'
import type { Archive } from './features/upkeep/decide/archive.ts'
import type { BackgroundTurns } from './features/upkeep/decide/background-turns.ts'
import type { MemoryFiles } from './features/upkeep/decide/memory-files.ts'
import type { UpkeepIndex } from './features/upkeep/decide/upkeep-index.ts'
import type {
  GitTracking,
  IndexGlance,
  MemoryMender,
  MemoryTree,
} from './features/validate/decide/memory-tree.ts'
import type { HookSpool } from './hosts/hooks/decide/hook-spool.ts'
import type { AgentPipeline } from './hosts/run/decide/agent-pipeline.ts'
import type { HostTranscripts } from './hosts/transcripts/decide/host-transcripts.ts'
import type { MemoryPlace } from './kernel/memory-place.ts'
import type { Config } from './kernel/model/config.ts'
import type { ResolvedConflict } from './kernel/model/conflict.ts'
import type { DocumentReference } from './kernel/model/document-reference.ts'
import type { EmbedderTerms } from './kernel/model/embedder-settings.ts'
import type { Actor } from './kernel/model/entry.ts'
import type { ImportSource } from './kernel/model/import-source.ts'
import type { ModelTerms } from './kernel/model/model-settings.ts'
import type { RedactedPart } from './kernel/model/new-entry.ts'
import type { TellablePreferences } from './kernel/model/preference.ts'
import type { ProjectRegistry } from './kernel/model/project.ts'
import type { Reranker } from './kernel/model/reranker.ts'
import type { Degradation, Problem } from './kernel/model/search.ts'
import type { Marks } from './kernel/model/selection.ts'
import type { Clock } from './kernel/system/clock.ts'
import type { Store } from './kernel/vault/ports.ts'
import type { TextReader } from './kernel/vault/project-texts.ts'

/** What the path is walked with: every part is a port, and compose.ts chooses who stands behind it. */
export interface Engine {
  readonly place: MemoryPlace
  /** The memory of the person instead of a project's: its root is the user's own folder. */
  readonly isUserMemory: boolean
  readonly store: Store
  readonly search: SearchIndex
  /** The documents of the workspaces, in the same index. */
  readonly shelf: DocumentShelf
  /** Links, entities and what they tie together. */
  readonly graph: GraphIndex
  readonly clock: Clock
  readonly config: () => Promise<Config>
  readonly aliases: () => Promise<Readonly<Record<string, readonly string[]>>>
  /** The second net under our own redaction: a library that is loaded only when a text still looks suspicious. */
  readonly secondNet: (
    text: string,
  ) => Promise<{ text: string; redacted: readonly Omit<RedactedPart, 'field'>[] }>
  readonly actor: Actor
  /** False: whoever asks a hub, and does not administer the project, leaves its settings as they are. */
  readonly mayConfigure?: boolean
  /** Meaning beside words: optional, and said in `degraded` where it is missing. */
  readonly semantics: Semantics
  /** Whether an embedder behind HTTP was allowed on this machine. */
  readonly embedder: EmbedderUse
  /** A language model that goes over what was distilled: off unless it is configured and allowed. */
  readonly model: ModelUse
  /** What models were paid. */
  readonly spend: SpendLog
  readonly briefs: BriefLog
  /** Conversations, checkpoints, and what became of sessions. */
  readonly sessions: SessionFiles
  /** What closed sessions found, for looking up. */
  readonly findings: FindingIndex
  readonly events: EventLog
  /** Where is imported from again and again, and which of that this user allowed. */
  readonly sourceRegistry: SourceRegistry
  readonly sourceUse: SourceUse
  /** What hosts keep of this project's sessions; read where it lies. */
  readonly transcripts: HostTranscripts
  /** Copies of those, in the user's own folder. */
  readonly coldCopies: ColdCopies
  /** Databases of other tools, which are imported from and never written. */
  readonly foreignDatabases: ForeignDatabases
  /** The notes of an Obsidian vault that are kept in step with the entries, where this user linked one. */
  readonly obsidian: ObsidianVault
  /** The hub that this project is linked to on this machine. */
  readonly hubLink: HubLink
  /** Speaks to it. With `onceMs` each question is asked once, and waited for so long. */
  readonly hubClient: (
    address: Pick<HubAddress, 'url' | 'project'>,
    token: string,
    patience?: { readonly onceMs: number },
  ) => Promise<HubClient>
  /** Where this is a project on a hub: what those that are linked to it ask for. */
  readonly hubFeed: HubFeed
  /** What is known of the project in a few lines, and what was known before. */
  readonly state: StateFiles
  /** Import sources that recall may take in first. */
  readonly importSync: ImportSync
  readonly archive: Archive
  readonly upkeepIndex: UpkeepIndex
  /** Which of several servers does what nobody waits for. */
  readonly turns: BackgroundTurns
  /** What changes in the memory, for whoever listens. */
  readonly changes: MemoryChanges
  /** The whole memory at one glance. */
  readonly overview: OverviewIndex
  /** Every entry as a review of what is stale looks at it. */
  readonly reviewIndex: ReviewIndex
  /** What upkeep moves to the archive beside entries, and its log. */
  readonly memoryFiles: MemoryFiles
  /** Everything on disk as it lies there, for whoever looks whether it is sound; and the little that is mended by itself. */
  readonly memoryTree: MemoryTree
  readonly memoryMender: MemoryMender
  readonly gitTracking: GitTracking
  readonly indexGlance: IndexGlance
  /** The files that entries are about, and what is known of how they changed. */
  readonly projectFiles: ProjectFiles
  readonly anchors: AnchorIndex
  /** The project's own text files, which some verbs edit; `store.write` with a change of type `file` is how. */
  readonly projectTexts: TextReader
  /** The files of the workspaces, under the roots that are configured. */
  readonly workspaces: () => Promise<WorkspaceFolder>
  /** The same as documents, for whoever keeps an index of them. */
  readonly documents: () => Promise<DocumentSource>
  /** Rule files and skills, and the folders in which hosts look for them. */
  readonly hotFiles: HotFiles
  /** What hooks left behind and nobody has taken in yet. */
  readonly hookSpool: HookSpool
  /** Which sessions' agents may be asked what they learned, and were. */
  readonly asks: AskMarks
  /** What a brief is made of beside entries. */
  readonly sources: BriefSources
  /** The text of `_project.md`, which every agent gets. */
  readonly projectText: () => Promise<string | undefined>
  /** What tasks need: those that come with Cairn, and the project's own. */
  readonly profiles: () => Promise<Profiles>
  /** In place of the one that `brief.reranker` names. */
  readonly reranker?: Reranker
  /** What people and agents said of entries, by id. */
  readonly feedback: () => Promise<Readonly<Record<string, Feedback>>>
  /** Which entries were compared, and which of them are against each other. */
  readonly conflicts: ConflictIndex
  /** What was decided about conflicts. */
  readonly resolutions: () => Promise<readonly ResolvedConflict[]>
  /** The projects that this user knows on this machine, and which of them are trusted. */
  readonly projects: ProjectRegistry
  /** Agents at work through their hosts' own programs: off until this user enables a host. */
  readonly agents: AgentPipeline
  /** What may be looked into from here beside this project: asked by verbs of its own, never for a brief. */
  readonly across: AcrossProjects
  /** The tasks that an orchestrator and its workers share. */
  readonly work: WorkBoard
}

/** Documents beside the entries: found and told with them, and in nothing that lists, counts or changes entries. */
export interface DocumentShelf {
  /** Takes in what changed in their files. False: there is no document. What is not read by the deadline waits, and is told. */
  refresh(options?: { readonly deadlineMs?: number }): Promise<boolean>
  readonly search: SearchIndex
  readonly vectors: VectorShelf
  /** By id; `isCut`: only the beginning of its text is in the index. */
  references(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, DocumentReference & { readonly isCut: boolean }>>
  /** Every scope that has a document. */
  scopes(): Promise<readonly string[]>
  state(): Promise<{ readonly documents: number; readonly problems: readonly Problem[] }>
  /** Whether something was taken in since this was last asked: it may wait for its vector. */
  takeNews(): boolean
  takeDegraded(): readonly Degradation[]
}

export interface Feedback {
  readonly useful: number
  readonly wrong: number
}

/** Meaning beside words: the vectors of the entries, and the embedder that makes them, loaded when it is needed. */
export interface Semantics {
  readonly vectors: VectorShelf
  /** False when search by meaning is switched off. */
  isOn(): Promise<boolean>
  /** True when texts would be sent to a server: only after the user's yes. */
  isRemote(): Promise<boolean>
  /** undefined: switched off, or not to be had, which `takeDegraded` then tells. */
  embedder(): Promise<Embedder | undefined>
  /** Many texts at once, in other threads where that pays. */
  embedMany(texts: readonly string[], onProgress?: (done: number) => void): Promise<readonly Float32Array[]>
  note(degradation: Degradation): void
  takeDegraded(): readonly Degradation[]
}

/** Which model is configured, whether this user allowed it on this machine, and the model itself, opened when it is asked for. */
export interface ModelUse {
  standing(): Promise<ModelStanding>
  /** Says yes to the settings that have this code. Throws `model_off`, or `not_confirmed` when it is the code of others. */
  allow(code: string): Promise<ModelStanding>
  /** Takes the yes back; false: there was none. */
  forbid(): Promise<boolean>
  /** Throws `model_off` or `not_confirmed`. */
  distiller(): Promise<Distiller>
}

/** An embedder behind HTTP gets every entry: the same question as for a model. */
export interface EmbedderUse {
  standing(): Promise<ConsentStanding<EmbedderTerms>>
  /** Throws `not_confirmed` when it is the code of other settings. */
  allow(code: string): Promise<ConsentStanding<EmbedderTerms>>
  /** Takes the yes back; false: there was none. */
  forbid(): Promise<boolean>
}

/** Which import sources the user of this machine added or allowed: the registry may have come with a clone. */
export interface SourceUse {
  /** The ids of those that may be read. */
  allowed(sources: readonly ImportSource[]): Promise<ReadonlySet<string>>
  /** What is typed to say yes to exactly these. */
  codeOf(sources: readonly ImportSource[]): Promise<string>
  /** Throws `not_confirmed` when it is the code of others. */
  allow(sources: readonly ImportSource[], code: string): Promise<void>
  /** The user named it just now: that is a yes. */
  trust(source: ImportSource): Promise<void>
  forget(source: ImportSource): Promise<void>
}

export type ModelStanding = ConsentStanding<ModelTerms>

/** How what config.json asks for stands with the user of this machine. */
export type ConsentStanding<Terms> =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'allowed'
      readonly terms: Terms
      readonly code: string
      /** UTC, to the minute. */
      readonly since: string
    }
  | {
      readonly kind: 'not_allowed'
      readonly terms: Terms
      readonly code: string
      /** `changed`: other settings were allowed here. */
      readonly why: 'none' | 'changed' | 'damaged'
    }

/** What a brief is made of beside entries (compose-sources.ts). */
export interface BriefSources {
  /** The files that the agent edited in the last turns of this session, newest first. */
  editedFiles(session: string, agent: string): Promise<readonly string[]>
  /** What the user wants in every project, best first, as far as the reader sees it. Throws `store_io` when it cannot be read. */
  preferences(reader?: string): Promise<TellablePreferences>
  /** The last messages of the agent's last session, when it was never closed and is not this one. */
  recovery(
    agent: string,
    session?: string,
  ): Promise<readonly { readonly role: string; readonly text: string }[]>
  /** Conflicts and drift of these entries, as far as the reader sees both sides; without one, every vault is read. */
  marks(ids: readonly string[], reader?: string): Promise<ReadonlyMap<string, Marks>>
}
