/** An entry that may answer a prompt, with what speaks for it. */
export interface RankedCandidate {
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  /** How much of what the prompt asks for it has in words, 0 to 1. */
  readonly words: number
  /** How near it is in meaning, 0 to 1. */
  readonly meaning: number
}

/** Reorders the best candidates before they are cut. Scores may change; a candidate that is not given back is left out. */
export interface Reranker {
  readonly name: string
  rerank(best: readonly RankedCandidate[], given: RerankInput): Promise<readonly RankedCandidate[]>
}

export interface RerankInput {
  readonly prompt: string
  /** Cosine of two entries; undefined where one has no vector. */
  readonly similarity: (a: string, b: string) => Promise<number | undefined>
}
