/** An entry that may answer a prompt, with its evidence. */
export interface RankedCandidate {
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  /** 0 to 1: the share of the prompt's words that it has. */
  readonly words: number
  /** 0 to 1: its semantic similarity. */
  readonly meaning: number
}

/** Reorders the best candidates before they are cut. Scores may change; a candidate that is not returned is dropped. */
export interface Reranker {
  readonly name: string
  rerank(best: readonly RankedCandidate[], given: RerankInput): Promise<readonly RankedCandidate[]>
}

export interface RerankInput {
  readonly prompt: string
  /** Cosine of two entries; undefined if one has no vector. */
  readonly similarity: (a: string, b: string) => Promise<number | undefined>
}
