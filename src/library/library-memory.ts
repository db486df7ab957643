import type { ImportReport } from '../addons/import/import-items.ts'
import type { AgentSave, AgentSaved } from '../features/agent-saves/save-entries.ts'
import type { ReviewQueue } from '../features/learning/review-queue.ts'
import type { Reviewed } from '../features/learning/reviewing.ts'
import type { StaleKind, StaleProposalView } from '../features/review/verbs/review-stale.ts'
import type { EmbedReport } from '../features/search/meaning.ts'
import type { AgentActivity } from '../features/sessions/agent-activity.ts'
import type { Answer as QueryAnswer, QuerySource } from '../features/state/decide/answer.ts'
import type { Recalled, RecallOptions } from '../features/state/recall.ts'
import type { StateView } from '../features/state/verbs/state-view.ts'
import type { Health } from '../features/status/verbs/health-view.ts'
import type { Compaction } from '../features/upkeep/verbs/compaction-schema.ts'
import type { EntityEverywhere, Everywhere, WhoMet } from '../kernel/model/across.ts'
import type { Bundle, BundleSection, ProjectState } from '../kernel/model/bundle.ts'
import type { Category, Kind } from '../kernel/model/category.ts'
import type { ConflictReason, ConflictType, ResolvedConflict } from '../kernel/model/conflict.ts'
import type { Actor, Entry, Status } from '../kernel/model/entry.ts'
import type { Freshness } from '../kernel/model/freshness.ts'
import type {
  Backlink,
  EntityRef,
  EntityUse,
  Graph,
  Link,
  Neighbour,
  Relation,
} from '../kernel/model/graph.ts'
import type { NewEntry, RedactedPart } from '../kernel/model/new-entry.ts'
import type { Degradation, EntryFilter, Hit, Problem, Reranker } from '../kernel/model/search.ts'
import type { MemoryHot, MemorySkills } from './hot-api.ts'
import type { MemoryObsidian } from './obsidian-api.ts'
import type { MemorySessions } from './session-api.ts'
import type { MemoryWork } from './work-api.ts'
import type { MemoryWorkspaces } from './workspace-api.ts'

export type { QueryAnswer, QuerySource }

export interface OpenMemoryOptions {
  /** The project folder. Its memory is `<root>/.memory`, created by the first write. */
  readonly root: string
  /** Who is asking: recorded with every change. */
  readonly actor?: Actor
  /** Called while a large vault is read for the first time. */
  readonly onProgress?: (done: number, total: number) => void
  /** Another clock, in milliseconds since 1970: what "yesterday" refers to, and the date of new entries. */
  readonly now?: () => number
  /**
   * When the vectors of new entries are made: `background` (the default), a few at a time after a write, while this
   * process has nothing else to do; or `never`, until `embed` is called.
   */
  readonly vectors?: 'background' | 'never'
  /**
   * When upkeep runs: `background` (the default), soon after opening and after many accesses, if it is due and `upkeep.auto` is on;
   * or `never`, until `compact` is called.
   */
  readonly upkeep?: 'background' | 'never'
  /**
   * When recall runs by itself: `background` (the default), soon after a session was closed, if it is due and `automation.autoRecall` is on;
   * or `never`, until `recall` is called.
   */
  readonly recall?: 'background' | 'never'
  /** Puts the best entries for a prompt into another order before they are cut, in place of `brief.reranker`. */
  readonly reranker?: Reranker
}

/** The same without a root: the folder is the user's own. */
export type OpenUserMemoryOptions = Omit<OpenMemoryOptions, 'root'>

/** An entry after a change, or the one that was removed. */
type ChangedEntry = Entry & {
  /** What `undo` takes back; null when nothing changed. */
  readonly record: string | null
}

export interface EntryPatch {
  readonly content?: string
  readonly agent?: string
  readonly category?: Category
  readonly kind?: Kind
  readonly tags?: readonly string[]
  readonly files?: readonly string[]
  readonly importance?: number
  readonly status?: Status
  /** The content you last saw: the update is refused with `entry_changed` when it is another by now. */
  readonly expect?: string
}

/** What ties one entry to others. */
export interface EntryLinks {
  readonly links: readonly Link[]
  readonly backlinks: readonly Backlink[]
  readonly entities: readonly EntityUse[]
  readonly relations: readonly Relation[]
  /** Entries that a link or a rare entity ties to this one, the strongest first. */
  readonly related: readonly Neighbour[]
  readonly degraded: readonly Degradation[]
}

/** Two entries that cannot both hold. */
export interface Conflict {
  readonly id: string
  readonly type: ConflictType
  readonly confidence?: number
  readonly reason?: ConflictReason
  readonly detectedAt: number
  readonly older: Entry
  readonly newer: Entry
  /** What was decided about it; absent while it is open. */
  readonly resolved?: ResolvedConflict
}

/** What is decided about a conflict: exactly one of the first four. */
export interface ConflictDecision {
  /** This entry is right: the other is not told any more. */
  readonly keep?: string
  /** This entry held once: the other has taken its place. */
  readonly supersede?: string
  readonly both?: boolean
  readonly notAConflict?: boolean
  /** With `keep`: the other is removed instead. */
  readonly remove?: boolean
}

export interface AcrossOptions {
  readonly limit?: number
  /** Only these, by name or id. */
  readonly projects?: readonly string[]
  /** What this agent reads. */
  readonly reader?: string
  /** 5,000 unless told; what was not reached by then is in `degraded`. */
  readonly withinMs?: number
}

export interface GraphOptions {
  readonly agent?: string
  readonly reader?: string
  readonly kind?: Kind
  /** `redis`, `service:redis`, `src/auth.ts`: only what is around it. Throws `entity_not_found`. */
  readonly entity?: string
  /** 1 (the default) is the entries that are asked for, 2 their neighbours too, at most 5. */
  readonly depth?: number
  /** How many entries, and how many entities; 50 unless told, at most 1000. */
  readonly limit?: number
}

export interface MemoryStatus {
  readonly entries: number
  readonly agents: readonly {
    readonly agent: string
    readonly counts: Readonly<Partial<Record<Category, number>>>
  }[]
  readonly kinds: Readonly<Record<string, number>>
  readonly statuses: Readonly<Record<string, number>>
  readonly openTasks: number
  readonly index: { readonly mode: string; readonly bytes: number; readonly version: number }
  /** Entries that wait for their vector are found by their words. */
  readonly vectors: { readonly model: string | null; readonly count: number; readonly waiting: number }
  /** Of workspaces, with their own vectors. */
  readonly documents: { readonly count: number; readonly vectors: number; readonly waiting: number }
  /** Briefs given, those of them that told nothing, and the tokens of all. */
  readonly briefs: {
    readonly given: number
    readonly silent: number
    readonly tokens: number
    readonly last: { readonly at: string; readonly tokens: number } | null
  }
  /** How often agents were asked what they learned, how many saved something then, and the tokens of the questions. */
  readonly agentSaves: {
    readonly mode: 'off' | 'next' | 'stop'
    readonly asked: number
    readonly answered: number
    readonly tokens: number
  }
  readonly retrieval: { readonly state: string; readonly p95Ms: number | null; readonly samples: number }
  /** The last upkeep, whether one is due, and why the last that began by itself failed. */
  readonly upkeep: {
    readonly last: Compaction | null
    readonly isDue: boolean
    readonly failure: { readonly at: string; readonly code: string; readonly message: string } | null
  }
  /** The bundle, what happened since its last checkpoint, and what waits for recall. */
  readonly state: StateView
  /** Everything in a few words: what to look at first. */
  readonly health: Health
  readonly readOnly: { readonly code: string; readonly message: string } | null
  readonly problems: readonly Problem[]
  readonly degraded: readonly Degradation[]
}

export interface QueryOptions {
  /** Only these sections of the state, now and before; entries and events then only where `sources` names them. */
  readonly sections?: readonly BundleSection[]
  readonly sources?: readonly QuerySource[]
  /** How many answers, or how many of each section; at most 100. */
  readonly limit?: number
  /** As of this checkpoint: its id, the beginning of one, or `latest`. */
  readonly checkpoint?: string
  readonly reader?: string
  readonly output?: 'text' | 'markdown' | 'json' | 'prompt'
  /** Whose instructions stand before a prompt. */
  readonly template?: string
  /** Most tokens of a prompt. */
  readonly budget?: number
}

export interface QueryReport {
  /** null: there is none, which `degraded` says, or none that can be used, which `problems` says. */
  readonly state: {
    readonly bundleHash: string
    readonly at: string
    readonly checkpoint: string | null
  } | null
  /** Without a question: the state, or the sections asked for. */
  readonly bundle: Partial<Bundle> | null
  /** Best first. */
  readonly answers: readonly QueryAnswer[]
  readonly left: readonly { readonly what: string; readonly count: number; readonly why: string }[]
  /** The answer in the output that was asked for. */
  readonly text: string
  readonly problems: readonly Problem[]
  readonly degraded: readonly Degradation[]
}

/** What lies on disk and is not as it should be. */
export interface ValidationReport {
  /** False: there is no memory. */
  readonly exists: boolean
  /** No error was found. */
  readonly valid: boolean
  readonly files: number
  readonly totals: { readonly error: number; readonly warning: number; readonly note: number }
  /** The worst file first; at most a thousand. */
  readonly findings: readonly ValidationFinding[]
  /** What was not looked at, and why. */
  readonly skipped: readonly { readonly what: string; readonly why: string }[]
}

export interface ValidationFinding {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'note'
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly line?: number
  readonly message: string
  /** The command or the edit that mends it. */
  readonly fix: string
}

export interface BriefOptions {
  readonly prompt?: string
  /** The brief of a new session; also what is given without a prompt. */
  readonly start?: boolean
  /** `claude-code`, `codex`, `gemini`, `opencode`, `copilot`, `cursor`: its format and its limits. */
  readonly host?: string
  readonly format?: 'xml' | 'markdown' | 'plain'
  readonly agent?: string
  /** Open in the editor. */
  readonly files?: readonly string[]
  /** What the task is: `debug`, `plan`, `default` or one of the project's own; without it the prompt tells. */
  readonly profile?: string
  /** Counts it as given to this session: nothing is told twice. */
  readonly session?: string
  readonly compacted?: boolean
  /** Tokens left in the model's context. */
  readonly remaining?: number
}

export interface BriefResult {
  readonly text: string
  readonly tokens: number
  /** What the task was taken for. */
  readonly profile: string
  readonly included: readonly { id?: string; tier: string; tokens: number; score?: number }[]
  readonly left: readonly { id?: string; tier?: string; reason: string }[]
  readonly degraded: readonly Degradation[]
}

export interface MemoryReview {
  /** Candidates first, then suggestions; each newest first. `archived`: the suggestions that are not shown by default. */
  list(options?: {
    agent?: string
    archived?: boolean
    limit?: number
    offset?: number
  }): Promise<ReviewQueue>
  /** It becomes a confirmed entry, in other words if `content` is given. Throws `finding_not_found`. */
  accept(id: string, edit?: { content?: string }): Promise<Reviewed & { readonly record: string | null }>
  /** It goes, and the same words are not suggested again. Throws `finding_not_found`. */
  reject(id: string): Promise<Reviewed & { readonly record: string | null }>
  /** What may no longer serve: files with too many entries; entries never used, drifted, contradicted or superseded. Each with what could be done. */
  stale(options?: { kind?: StaleKind; agent?: string; limit?: number; offset?: number }): Promise<StaleReport>
  /**
   * Does what these proposals say, or all of a kind but for what a person has to name. `archive`: named entries go to the archive instead of
   * being confirmed. Throws `finding_not_found`, and `entry_changed` or `file_changed` when what one is about changed since.
   */
  apply(
    proposals: string | readonly string[] | { readonly all: 'split' | 'archive' },
    options?: { archive?: boolean; dryRun?: boolean },
  ): Promise<AppliedReview>
  /** Says no: it is not proposed again until it changes; `undo` takes that back. */
  dismiss(id: string): Promise<StaleProposalView>
}

export interface StaleReport {
  readonly proposals: readonly StaleProposalView[]
  /** How many there are of what was asked for. */
  readonly total: number
  readonly totals: Readonly<Record<StaleKind, number>>
  readonly dismissed: number
  /** How many entries were looked at. */
  readonly entries: number
  readonly problems: readonly Problem[]
  readonly degraded: readonly Degradation[]
}

export interface AppliedReview {
  readonly applied: readonly { readonly proposal: StaleProposalView; readonly record: string | null }[]
  /** What changed meanwhile, and is as it was. */
  readonly left: readonly { readonly proposal: StaleProposalView; readonly why: string }[]
  /** With `all`: what a person has to name. */
  readonly toBeNamed: number
  /** Of the archive, for `restore`. */
  readonly batch: string | null
  readonly degraded: readonly Degradation[]
}

export interface FreshnessReport {
  /** Fresh ones only where a file was moved. */
  readonly entries: readonly { readonly entry: Entry; readonly freshness: Freshness }[]
  /** Entries that are anchored to files, and those that name files and are not. */
  readonly checked: number
  readonly unanchored: number
  readonly degraded: readonly Degradation[]
}

/** The memory of one project. Any number of processes may hold one at the same time. Close it when done. */
export interface LibraryMemory {
  /** Keeps an entry, freed of secrets. The same text again strengthens the one that is there: `duplicate` says so. `record` is what `undo` takes back. */
  remember(entry: string | NewEntry): Promise<{
    entry: Entry
    duplicate: boolean
    redacted: readonly RedactedPart[]
    record: string | null
  }>
  /**
   * What the agent of a session saves: checked entries as its candidates, and a handoff. An entry that is refused says why, and the others
   * are stored. `similar` are older entries that resemble what was stored.
   */
  rememberAll(save: AgentSave): Promise<AgentSaved>
  /** Changes what the patch names. Throws `entry_not_found`. */
  update(id: string, patch: EntryPatch): Promise<ChangedEntry>
  /** Removes an entry; `undo(record)` brings it back. Throws `entry_not_found`. */
  forget(id: string): Promise<ChangedEntry>
  pin(id: string): Promise<ChangedEntry>
  unpin(id: string): Promise<ChangedEntry>
  /** One entry by its id, or undefined. Counts as an access. */
  get(id: string): Promise<Entry | undefined>
  /** Newest first. `asOf` lists the vault as it was. */
  list(
    options?: EntryFilter & { limit?: number; offset?: number; asOf?: string },
  ): Promise<{ entries: Entry[]; total: number }>
  /** By words or by a question; at most 100 hits. `words`: by words alone, without meaning. `archive`: what upkeep let go. Documents of workspaces answer too, unless `entriesOnly`; `scope` asks for those of one scope alone. `degraded` names what could not be looked at. */
  search(
    query: string,
    options?: EntryFilter & {
      limit?: number
      words?: boolean
      archive?: boolean
      entriesOnly?: boolean
      scope?: string
    },
  ): Promise<{ hits: (Hit & { readonly archived?: string })[]; degraded: readonly Degradation[] }>
  /** The memories of all projects that this user trusts here and that let themselves be read from others. Throws `query_empty`, `project_not_found`. */
  everywhere(query: string, options?: AcrossOptions): Promise<Everywhere>
  /** "Who else has met this?": an error as it was printed, or a decision in a sentence. */
  met(text: string, options?: AcrossOptions): Promise<WhoMet>
  /** In which projects an entity occurs, and what is said of it there. */
  entity(name: string, options?: AcrossOptions): Promise<EntityEverywhere>
  /** What an entry links to, what links to it, what it is about, and what is related. Throws `entry_not_found`. */
  links(id: string, options?: { limit?: number }): Promise<EntryLinks>
  /** Entries that cannot both hold, after comparing what was not compared yet. `all`: also those decided about. */
  conflicts(options?: {
    all?: boolean
  }): Promise<{ conflicts: readonly Conflict[]; waiting: number; degraded: readonly Degradation[] }>
  /** Decides about a pair: its id, or its two entry ids. `undo` opens it again. Throws `conflict_not_found`. */
  resolveConflict(
    pair: string | readonly [string, string],
    decision: ConflictDecision,
  ): Promise<{ resolved: ResolvedConflict; removed: string | null; record: string | null }>
  /** Entries and entities as nodes; links, mentions and stated relations as edges. */
  graph(options?: GraphOptions): Promise<
    Graph & {
      readonly entity: (EntityRef & { entries: number }) | null
      readonly degraded: readonly Degradation[]
    }
  >
  /** Many at once. An entry that cannot be taken is reported, and the others are taken. */
  importEntries(
    entries: Iterable<NewEntry> | AsyncIterable<NewEntry>,
    options?: { onProgress?: (done: number) => void },
  ): Promise<ImportReport>
  /** What a prompt should be given, within its budget; an empty text when nothing is worth telling. */
  brief(options: BriefOptions): Promise<BriefResult>
  /** Asks the state, the entries, the events and what the state said before; without a question, the state itself. */
  query(question?: string, options?: QueryOptions): Promise<QueryReport>
  /** Says that an entry was useful or wrong: it comes earlier or later from then on. Throws `entry_not_found`. */
  feedback(
    id: string,
    saying: 'useful' | 'wrong' | 'clear',
  ): Promise<{ useful: number; wrong: number; record: string | null }>
  /** Says that an entry still holds: confirmed, and anchored to its files as they are now. Throws `entry_not_found`. */
  confirm(id: string): Promise<ChangedEntry>
  /** Entries whose files changed a lot, moved or are gone, newest first. */
  freshness(): Promise<FreshnessReport>
  /** Makes the vectors that search by meaning needs, for every entry that has none yet. */
  embed(options?: { onProgress?: (done: number, total: number) => void }): Promise<EmbedReport>
  /** What happens between a person and agents in one sitting: kept as it grows, recovered, forked. */
  readonly sessions: MemorySessions
  /** What each agent is doing now, and what it has done; one of them, or all. */
  agents(
    agent?: string,
  ): Promise<{ readonly agents: readonly AgentActivity[]; readonly problems: readonly Problem[] }>
  /** Knowledge by place: plans, overviews, decisions and lessons of workspaces. */
  readonly workspaces: MemoryWorkspaces
  /** The rule files that every conversation begins with. */
  readonly hot: MemoryHot
  /** What agents learned to do, as skills that hosts find. */
  readonly skills: MemorySkills
  /** The same entries as notes of an Obsidian vault, where the user linked one. */
  readonly obsidian: MemoryObsidian
  /** Tasks that an orchestrator and its workers share. */
  readonly work: MemoryWork
  /** Agents' candidates and the suggestions of rules and imports, for a person to accept or reject. */
  readonly review: MemoryReview
  /**
   * Takes back a named change, or the last one that was made through this object; where nothing was, the last one that Cairn made. `undone`
   * says which it was, and by whom.
   */
  undo(record?: string): Promise<{ undone: { id: string; action: string; by: Actor } }>
  /** Upkeep, now. `dryRun` plans, with the reasons, and changes nothing. */
  compact(options?: {
    dryRun?: boolean
    onProgress?: (done: number, total: number | undefined, what: string) => void
  }): Promise<CompactionReport>
  /** What upkeep moved to the archive, newest batch first. */
  archive(): Promise<{ batches: readonly ArchiveBatch[]; problems: readonly Problem[] }>
  /** Brings back a batch, or one entry by its id. Throws `batch_not_found`, `entry_not_found`, `restore_conflict`. */
  restore(batchOrEntry: string, options?: { dryRun?: boolean }): Promise<RestoreReport>
  /** Folds what happened and what was kept into the state of the project. Throws `vault_newer`, `source_not_found`. */
  recall(options?: RecallOptions): Promise<Recalled>
  /** Where the project stands, as recall last said; undefined before the first. Throws `document_damaged`, `vault_newer`. */
  state(): Promise<ProjectState | undefined>
  /** What was said before, newest first. */
  checkpoints(): Promise<
    readonly { readonly id: string; readonly createdAt: string; readonly path: string }[]
  >
  /** The bundle of a checkpoint again. Throws `checkpoint_not_found`. */
  restoreCheckpoint(checkpoint: string, options?: { dryRun?: boolean }): Promise<ProjectState>
  status(): Promise<MemoryStatus>
  /** Looks at everything on disk, and changes nothing. `deep` reads more: secrets in texts, every conversation. */
  validate(options?: { deep?: boolean; only?: readonly string[] }): Promise<ValidationReport>
  close(): Promise<void>
}

/** What upkeep was to do, and did. */
export interface CompactionReport {
  readonly plan: readonly {
    readonly does: string
    readonly count: number
    readonly items: readonly { readonly what: string; readonly why: string; readonly text?: string }[]
  }[]
  /** null with `dryRun`. */
  readonly result: Compaction | null
  readonly problems: readonly Problem[]
}

export interface ArchiveBatch {
  readonly id: string
  readonly kind: 'evict' | 'prune'
  readonly at: string
  readonly entries: number
  readonly events: number
  /** Relative to `.memory/`. */
  readonly files: readonly string[]
  readonly restoredAt?: string
}

export interface RestoreReport {
  readonly batch: string
  readonly entries: readonly Entry[]
  readonly files: readonly string[]
  readonly events: number
  /** Were there already, unchanged. */
  readonly already: number
  /** What stands in the way; the rest came back. */
  readonly conflicts: readonly { readonly what: string; readonly message: string }[]
  readonly problems: readonly Problem[]
  /** What `undo` takes back; null when no entry came back. */
  readonly record: string | null
}
