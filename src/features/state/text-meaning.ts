import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { essentialPart } from '../../kernel/text/essential-part.ts'
import type { MeaningPorts, ShelfPorts } from '../search/decide/ports.ts'
import { candidateOf, type TextToIndex } from '../search/decide/text-index.ts'
import type { Measured, VectorShelf } from '../search/decide/vector-index.ts'
import { meaningOf } from '../search/meaning.ts'

/** Each text costs a few milliseconds, and nobody keeps their vectors: as much of it as a statement has. */
const TEXT_TOKENS = 64

/**
 * What the question means, measured against texts that are no entries, around the mean of the vault. undefined: words alone decide,
 * as they do for entries that have no vectors; nothing is sent to a server for it.
 */
export async function meaningOfTexts(
  memory: Memory & MeaningPorts & ShelfPorts,
  question: string,
  texts: readonly TextToIndex[],
): Promise<{ vector: Float32Array; index: VectorShelf } | undefined> {
  if (texts.length === 0 || (await memory.semantics.isRemote())) return undefined
  const asked = await meaningOf(memory, essentialPart(question))
  const vault = asked?.index
  const embedder = vault && (await memory.semantics.embedder())
  if (asked === undefined || vault === undefined || embedder === undefined) return undefined
  const vectors = await embedOrNote(memory, () =>
    embedder.embed(
      texts.map(({ content }) => content),
      { maxTokens: TEXT_TOKENS },
    ),
  )
  if (vectors === undefined) return undefined
  const { vector } = asked
  const { mean, count } = await vault.mean()
  const measuredById = new Map(
    texts.map(({ id }, at): [string, Measured] => {
      const own = vectors[at] as Float32Array
      return [id, { cosine: dot(own, vector), toMean: dot(own, mean) }]
    }),
  )
  const index: VectorShelf = {
    ...vault,
    findNearest: async () => texts.map(candidateOf),
    measure: async () => ({ measuredById, mean, count }),
  }
  return { vector, index }
}

async function embedOrNote(
  memory: MeaningPorts,
  embed: () => Promise<readonly Float32Array[]>,
): Promise<readonly Float32Array[] | undefined> {
  try {
    return await embed()
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    memory.semantics.note({ code: error.code, message: `${error.message} Words alone decided.` })
    return undefined
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
