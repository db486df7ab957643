import * as path from 'node:path'
import type { Embedder } from '../../pipeline/retrieve/embedder.ts'
import { pieceIds } from '../../text/wordpiece.ts'
import { type ModelFile, openModelFile, unavailable } from './model-file.ts'

const PAGE_BYTES = 65_536

/** As much of it as is used here: its types come with those of browsers, and this is no browser. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

/** What embedding-model/transformer.ts exports. */
interface Transformer {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly imageBytes: { readonly value: number }
  readonly inputRows: { readonly value: number }
  readonly result: { readonly value: number }
  readonly memoryBytes: { readonly value: number }
  readonly scoredQuery: { readonly value: number }
  readonly scoredRows: { readonly value: number }
  readonly mostScoredRows: { readonly value: number }
  readonly scores: { readonly value: number }
  embed(tokens: number): void
  score(rows: number): void
}

export interface BuiltInEmbedder extends Embedder {
  /**
   * What `scorePacked` gives, without JavaScript that is to be compiled first: a cold process scores some thousand vectors in
   * a millisecond. For vectors of this model only.
   */
  scorePacked(block: Uint8Array, query: Float32Array): Float32Array
}

/**
 * The model that comes with the package. Opening it takes a few milliseconds: the weights are read straight into the memory
 * of the program that uses them. Throws `embedder_unavailable`.
 */
export function openBuiltInEmbedder(modelFolder: string): BuiltInEmbedder {
  const file = openModelFile(path.join(modelFolder, 'minilm.bin'))
  try {
    return embedderOf(file)
  } catch (error) {
    file.close()
    throw unavailable('its program does not run here', error)
  }
}

function embedderOf(file: ModelFile): BuiltInEmbedder {
  const program = new WebAssembly.Module(file.program)
  const transformer = new WebAssembly.Instance(program).exports as Transformer
  const { memory, imageBytes, inputRows, result, memoryBytes } = transformer
  if (imageBytes.value !== file.encoderBytes) throw new Error('the weights are not those of the program')
  memory.grow(Math.ceil(memoryBytes.value / PAGE_BYTES) - memory.buffer.byteLength / PAGE_BYTES)
  file.readEncoder(new Uint8Array(memory.buffer, 0, file.encoderBytes))
  let isOpen = true

  const vectorOf = (text: string, maxTokens: number): Float32Array => {
    const ids = pieceIds(text, file.pieces, maxTokens)
    ids.forEach((id, i) => {
      file.readRow(id, new Uint8Array(memory.buffer, inputRows.value + i * file.rowBytes, file.rowBytes))
    })
    try {
      transformer.embed(ids.length)
    } catch (error) {
      throw unavailable('its weights are damaged', error)
    }
    const vector = new Float32Array(memory.buffer, result.value, file.dimensions).slice()
    if (!vector.every(Number.isFinite)) throw unavailable('its weights are damaged')
    return vector
  }

  return {
    model: file.model,
    dimensions: file.dimensions,
    async embed(texts, { maxTokens = file.mostTokens } = {}) {
      const most = Math.max(2, Math.min(Math.floor(maxTokens), file.mostTokens))
      const vectors: Float32Array[] = []
      for (const text of texts) {
        // A text takes up to a tenth of a second: whoever else lives in this process has a turn in between.
        if (vectors.length > 0) await new Promise(resolve => setImmediate(resolve))
        if (!isOpen) throw unavailable('it is closed')
        vectors.push(vectorOf(text, most))
      }
      return vectors
    },
    scorePacked(block, query) {
      const rowBytes = file.dimensions + 4
      const scores = new Float32Array(block.length / rowBytes)
      const { scoredQuery, scoredRows, mostScoredRows } = transformer
      new Float32Array(memory.buffer, scoredQuery.value, file.dimensions).set(query)
      for (let row = 0; row < scores.length; row += mostScoredRows.value) {
        const count = Math.min(mostScoredRows.value, scores.length - row)
        const rows = block.subarray(row * rowBytes, (row + count) * rowBytes)
        new Uint8Array(memory.buffer, scoredRows.value, rows.length).set(rows)
        transformer.score(count)
        scores.set(new Float32Array(memory.buffer, transformer.scores.value, count), row)
      }
      return scores
    },
    async close() {
      if (isOpen) file.close()
      isOpen = false
    },
  }
}
