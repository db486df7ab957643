import type { Embedder, Semantics, VectorIndex } from '../features/search/decide/ports.ts'
import type { Config } from '../kernel/model/config.ts'
import type { ConsentState, EmbedderTerms } from '../kernel/model/consent.ts'
import { CairnError } from '../kernel/model/errors.ts'
import type { Degradation } from '../kernel/model/search.ts'
import { packageFolder } from '../kernel/system/package-facts.ts'

interface SemanticsParts {
  readonly vectors: VectorIndex
  readonly config: () => Promise<Config>
  /** The user's consent to the server of `embedder.*`. Needed only if it is a server. */
  readonly standing: () => Promise<ConsentState<EmbedderTerms>>
  /** Replaces the configured embedder, for tests and for programs with their own. */
  readonly embedder?: Embedder | undefined
  /** Replaces the loader of the built-in model: a hub loads it once for all projects. */
  readonly openBuiltIn?: () => Promise<Embedder>
}

/** Starting threads, each with a model, takes as long as a dozen texts. */
const WORTH_THREADS = 128

/** Most processes never need an embedder: it is loaded once by the first use, and a failure is reported once. */
export function composeSemantics({
  vectors,
  config,
  standing,
  embedder: given,
  openBuiltIn = openOwnBuiltIn,
}: SemanticsParts): Semantics & {
  close(): Promise<void>
} {
  let opened: Promise<Embedder | undefined> | undefined
  let remote: { readonly code: string; readonly embedder: Promise<Embedder | undefined> } | undefined
  let notes: Degradation[] = []
  const note = (degradation: Degradation) => {
    if (!notes.some(({ code }) => code === degradation.code)) notes.push(degradation)
  }
  const orNone = async (open: () => Promise<Embedder | undefined>): Promise<Embedder | undefined> => {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      note({ code: error.code, message: `${error.message} Words alone decide.` })
      return undefined
    }
  }
  /** Checked each time: a withdrawn consent also applies to a long-lived process. */
  const openRemote = async (): Promise<Embedder | undefined> => {
    const current = await standing()
    if (current.kind === 'off') return undefined
    if (current.kind === 'not_allowed') {
      note({ code: 'not_confirmed', message: `${NOT_ALLOWED[current.why]} Words alone decide.` })
      return undefined
    }
    const { terms, code } = current
    if (remote?.code !== code) {
      const { openHttpEmbedder } = await import('../providers/embedder/http-embedder.ts')
      const timeoutMs = (await config())['embedder.timeoutMs']
      remote = { code, embedder: orNone(async () => openHttpEmbedder({ ...terms, timeoutMs })) }
    }
    return remote.embedder
  }
  const use = async () => (given === undefined ? (await config())['embedder.use'] : 'given')
  const embedder = async (): Promise<Embedder | undefined> => {
    if (opened !== undefined) return opened
    const asked = await use()
    if (asked === 'http') return openRemote()
    opened ??= orNone(async () => given ?? (asked === 'off' ? undefined : await openBuiltIn()))
    return opened
  }

  return {
    vectors,
    isOn: async () => (await use()) !== 'off',
    isRemote: async () => (await use()) === 'http',
    embedder,
    async embedMany(texts, onProgress) {
      const one = await embedder()
      const mayShare = (await use()) === 'built-in'
      if (one === undefined || !mayShare || texts.length < WORTH_THREADS)
        return (await one?.embed(texts)) ?? []
      const { embedMany } = await import('../providers/embedder/embed-many.ts')
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
      await (await remote?.embedder)?.close()
    },
  }
}

async function openOwnBuiltIn(): Promise<Embedder> {
  const { openBuiltInEmbedder } = await import('../providers/embedder/built-in-embedder.ts')
  return openBuiltInEmbedder(modelFolder())
}

/** For a server, whose own thread must stay free for requests. */
export async function openThreadedBuiltIn(): Promise<Embedder> {
  const { openThreadedEmbedder } = await import('../providers/embedder/threaded-embedder.ts')
  return openThreadedEmbedder(modelFolder())
}

const SHOWS = '`cairn embedder allow` shows where entries would be sent, and how to say yes.'

const NOT_ALLOWED = {
  none: `The embedder in config.json was not allowed on this machine yet. ${SHOWS}`,
  changed: `The settings of the embedder have changed since they were allowed on this machine. ${SHOWS}`,
  damaged: `The file with what was allowed on this machine cannot be read. ${SHOWS}`,
}

function modelFolder(): string {
  return `${packageFolder()}/dist/model`
}
