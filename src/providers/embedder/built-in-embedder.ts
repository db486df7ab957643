import * as path from 'node:path'
import type { Embedder } from '../../features/search/decide/ports.ts'
import { isMostlyLatin } from '../../kernel/text/script.ts'
import { pieceIds } from '../../kernel/text/wordpiece.ts'
import { type ModelFile, openModelFile, unavailable } from './model-file.ts'

const PAGE_BYTES = 65_536

/** The part of the interface that is used here: its types belong to browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

/** The exports of embedding-model/transformer.ts. */
interface Transformer {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly imageBytes: { readonly value: number }
  readonly inputRows: { readonly value: number }
  readonly result: { readonly value: number }
  readonly memoryBytes: { readonly value: number }
  embed(tokens: number): void
}

/**
 * The model that comes with the package. Opening it takes a few milliseconds: the weights are read straight into the memory
 * of the program that uses them. Throws `embedder_unavailable`.
 */
export function openBuiltInEmbedder(modelFolder: string): Embedder {
  const file = openModelFile(path.join(modelFolder, 'minilm.bin'))
  try {
    return embedderOf(file)
  } catch (error) {
    file.close()
    throw unavailable('its program does not run here', error)
  }
}

function embedderOf(file: ModelFile): Embedder {
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
    reads: isMostlyLatin,
    async embed(texts, { maxTokens = file.maxTokens } = {}) {
      const most = Math.max(2, Math.min(Math.floor(maxTokens), file.maxTokens))
      const vectors: Float32Array[] = []
      for (const text of texts) {
        // A text takes up to a tenth of a second: other work of this process runs in between.
        if (vectors.length > 0) await new Promise(resolve => setImmediate(resolve))
        if (!isOpen) throw unavailable('it is closed')
        vectors.push(vectorOf(text, most))
      }
      return vectors
    },
    async close() {
      if (isOpen) file.close()
      isOpen = false
    },
  }
}
