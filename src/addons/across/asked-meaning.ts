import type { Semantics } from '../../features/search/decide/ports.ts'
import { QUESTION_TOKENS } from '../../features/search/meaning.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { AskedMeaning } from './decide/rooms.ts'

/** What a question to several projects means, by the embedder of one of them. Without it words answer, and it is told why. */
export async function askedMeaning(
  semantics: Pick<Semantics, 'isOn' | 'embedder' | 'takeDegraded'>,
  question: string,
): Promise<AskedMeaning> {
  if (!(await semantics.isOn())) return { degraded: [] }
  try {
    const embedder = await semantics.embedder()
    const [vector] = (await embedder?.embed([question], { maxTokens: QUESTION_TOKENS })) ?? []
    if (embedder !== undefined && vector !== undefined)
      return { asked: { vector, model: embedder.model }, degraded: [] }
    return { degraded: semantics.takeDegraded() }
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    return { degraded: [{ code: error.code, message: `${error.message} Words alone decided.` }] }
  }
}
