/** Turns texts into unit vectors. Vectors of different `model`s are never compared. */
export interface Embedder {
  /** Changes whenever the vectors of the same texts would. */
  readonly model: string
  /** Of every vector; 0 while it is not known yet (a server tells with its first answer). */
  readonly dimensions: number
  /** False: the text is in a script that the model has not learned, and its vector is near to any other such text. Absent: it reads all. */
  reads?(text: string): boolean
  /** A vector for each text, in their order. A text is read up to `maxTokens`, by default as far as the model can. */
  embed(texts: readonly string[], options?: EmbedderOptions): Promise<Float32Array[]>
  close(): Promise<void>
}

export interface EmbedderOptions {
  readonly maxTokens?: number
}
