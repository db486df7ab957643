/** A language model that can be asked one thing at a time. It knows nothing of findings. */
export interface Distiller {
  /** `anthropic:…`, `openai:…`, `cli:claude`. */
  readonly name: string
  /**
   * Throws `model_failed`; `details.spent` then says whether it can have cost anything: `nothing`, or `unknown`.
   */
  ask(request: DistillerRequest): Promise<DistillerAnswer>
}

export interface DistillerRequest {
  readonly instruction: string
  readonly content: string
  readonly maxOutputTokens: number
}

export interface DistillerAnswer {
  readonly text: string
  /** undefined: it did not tell. */
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  /** Where it says what it cost. */
  readonly costMicroUsd?: number
  /** It stopped because the answer became too long. */
  readonly isCut: boolean
}
