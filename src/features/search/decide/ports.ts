import type { ConsentState, EmbedderTerms } from '../../../kernel/model/consent.ts'
import type { Degradation, Problem } from '../../../kernel/model/search.ts'
import type { DocumentReference } from '../../../kernel/model/workspace.ts'
import type { Embedder } from './embedder.ts'
import type { GraphIndex } from './graph-index.ts'
import type { SearchIndex } from './search-index.ts'
import type { VectorShelf } from './vector-index.ts'

export interface SearchPorts {
  readonly search: SearchIndex
  /** Links, entities and what they tie together. */
  readonly graph: GraphIndex
}

export interface MeaningPorts {
  /** Meaning beside words: optional, and named in `degraded` where it is missing. */
  readonly semantics: Semantics
  /** Whether an embedder behind HTTP was allowed on this machine. */
  readonly embedder: EmbedderUse
}

export interface ShelfPorts {
  /** The documents of the workspaces, in the same index. */
  readonly shelf: DocumentShelf
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

/** An embedder behind HTTP gets every entry: the same question as for a model. */
export interface EmbedderUse {
  standing(): Promise<ConsentState<EmbedderTerms>>
  /** Throws `not_confirmed` when it is the code of other settings. */
  allow(code: string): Promise<ConsentState<EmbedderTerms>>
  /** Takes the yes back; false: there was none. */
  forbid(): Promise<boolean>
}
