import type { Semantics } from './engine-parts.ts'
import type { Config } from './model/config.ts'
import { CairnError } from './model/errors.ts'
import type { Degradation } from './model/search.ts'
import type { Embedder } from './pipeline/retrieve/embedder.ts'
import type { VectorIndex } from './pipeline/retrieve/vector-index.ts'
import { packageFolder } from './system/package-folder.ts'

export interface SemanticsParts {
  readonly vectors: VectorIndex
  readonly config: () => Config
  /** Another embedder than the configured one, for tests and for programs that have their own. */
  readonly embedder?: Embedder | undefined
}

/** Starting threads, each with a model, takes as long as a dozen texts. */
const WORTH_THREADS = 128

/** Most processes never need an embedder: it is opened by the first that asks, once, and its failure is told once. */
export function composeSemantics({ vectors, config, embedder: given }: SemanticsParts): Semantics & {
  close(): Promise<void>
} {
  let opened: Promise<Embedder | undefined> | undefined
  let notes: Degradation[] = []
  const note = (degradation: Degradation) => {
    if (!notes.some(({ code }) => code === degradation.code)) notes.push(degradation)
  }
  const open = async (): Promise<Embedder | undefined> => {
    if (given !== undefined) return given
    try {
      return await openConfigured(config())
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      note({ code: error.code, message: `${error.message} Words alone decide.` })
      return undefined
    }
  }
  const embedder = () => {
    opened ??= open()
    return opened
  }

  return {
    vectors,
    isOn: () => given !== undefined || config()['embedder.use'] !== 'off',
    embedder,
    async embedMany(texts, onProgress) {
      const one = await embedder()
      const mayShare = given === undefined && config()['embedder.use'] === 'built-in'
      if (one === undefined || !mayShare || texts.length < WORTH_THREADS)
        return (await one?.embed(texts)) ?? []
      const { embedMany } = await import('./providers/embedder/embed-many.ts')
      return embedMany(texts, { modelFolder: modelFolder(), ...(onProgress && { onProgress }) })
    },
    note,
    takeDegraded() {
      const taken = notes
      notes = []
      return taken
    },
    async close() {
      await (await opened)?.close()
    },
  }
}

async function openConfigured(config: Config): Promise<Embedder | undefined> {
  switch (config['embedder.use']) {
    case 'off':
      return undefined
    case 'http': {
      const { openHttpEmbedder } = await import('./providers/embedder/http-embedder.ts')
      return openHttpEmbedder({
        url: config['embedder.url'],
        model: config['embedder.model'],
        keyVariable: config['embedder.keyVariable'],
        timeoutMs: config['embedder.timeoutMs'],
      })
    }
    case 'built-in': {
      const { openBuiltInEmbedder } = await import('./providers/embedder/built-in-embedder.ts')
      return openBuiltInEmbedder(modelFolder())
    }
  }
}

function modelFolder(): string {
  return `${packageFolder()}/dist/model`
}
