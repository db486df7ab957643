import type { Config } from './model/config.ts'
import type { Actor } from './model/entry.ts'
import type { RedactedPart } from './model/new-entry.ts'
import type { Degradation } from './model/search.ts'
import type { Marks } from './model/selection.ts'
import type { AnchorIndex, ProjectFiles } from './pipeline/anchor/ports.ts'
import type { BriefLog } from './pipeline/brief/brief-log.ts'
import type { Finding } from './pipeline/brief/prompt-brief.ts'
import type { EventLog } from './pipeline/capture/event-log.ts'
import type { SessionFiles } from './pipeline/capture/session-files.ts'
import type { Embedder } from './pipeline/retrieve/embedder.ts'
import type { GraphIndex } from './pipeline/retrieve/graph-index.ts'
import type { Profiles } from './pipeline/retrieve/profiles.ts'
import type { SearchIndex } from './pipeline/retrieve/search-index.ts'
import type { VectorIndex } from './pipeline/retrieve/vector-index.ts'
import type { Store } from './pipeline/store/ports.ts'
import type { Archive } from './pipeline/upkeep/archive.ts'
import type { Clock } from './system/clock.ts'

/** What the path is walked with: every part is a port, and compose.ts chooses who stands behind it. */
export interface Engine {
  readonly store: Store
  readonly search: SearchIndex
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
  /** Meaning beside words: optional, and said in `degraded` where it is missing. */
  readonly semantics: Semantics
  readonly briefs: BriefLog
  /** Conversations, checkpoints, and what became of sessions. */
  readonly sessions: SessionFiles
  readonly events: EventLog
  readonly archive: Archive
  /** The files that entries are about, and what is known of how they changed. */
  readonly projectFiles: ProjectFiles
  readonly anchors: AnchorIndex
  /** What a brief is made of beside entries. */
  readonly sources: BriefSources
  /** The text of `_project.md`, which every agent gets. */
  readonly projectText: () => Promise<string | undefined>
  /** What tasks need: those that come with Cairn, and the project's own. */
  readonly profiles: () => Promise<Profiles>
  /** What people and agents said of entries, by id. */
  readonly feedback: () => Promise<Readonly<Record<string, Feedback>>>
}

export interface Feedback {
  readonly useful: number
  readonly wrong: number
}

/** Meaning beside words: the vectors of the entries, and the embedder that makes them, loaded when it is needed. */
export interface Semantics {
  readonly vectors: VectorIndex
  /** False when search by meaning is switched off. */
  isOn(): boolean
  /** undefined: switched off, or not to be had, which `takeDegraded` then tells. */
  embedder(): Promise<Embedder | undefined>
  /** Many texts at once, in other threads where that pays. */
  embedMany(texts: readonly string[], onProgress?: (done: number) => void): Promise<readonly Float32Array[]>
  note(degradation: Degradation): void
  takeDegraded(): readonly Degradation[]
}

/** What sessions will provide; until then nobody has anything to tell. */
export interface BriefSources {
  /** What other agents found in this session (seed C, context bridge). */
  contextBridge(session: string, agent: string): Promise<readonly Finding[]>
  sessionSummaries(agent: string): Promise<readonly Finding[]>
  /** The last messages of a session that ended without a handoff. */
  recovery(agent: string): Promise<readonly { readonly role: string; readonly text: string }[]>
  /** Conflicts and drift of these entries. */
  marks(ids: readonly string[]): Promise<ReadonlyMap<string, Marks>>
}

/** Until sessions provide them. */
export const noSources: BriefSources = {
  contextBridge: async () => [],
  sessionSummaries: async () => [],
  recovery: async () => [],
  marks: async () => new Map(),
}
