import { describe, expect, it } from 'vitest'
import type { VectorIndex } from '../features/search/decide/ports.ts'
import { DEFAULT_CONFIG } from '../kernel/model/config.ts'
import type { ConsentState, EmbedderTerms } from '../kernel/model/consent.ts'
import { composeSemantics } from './compose-semantics.ts'

const TERMS: EmbedderTerms = { url: 'http://127.0.0.1:9/api/embed', model: 'm', keyVariable: 'NONE' }

function open(standing: () => ConsentState<EmbedderTerms>) {
  return composeSemantics({
    vectors: {} as VectorIndex,
    config: async () => ({ ...DEFAULT_CONFIG, 'embedder.use': 'http' }),
    standing: async () => standing(),
  })
}

describe('an embedder behind HTTP', () => {
  it('is there only while it is allowed, also for a process that lives long', async () => {
    let standing: ConsentState<EmbedderTerms> = {
      kind: 'not_allowed',
      terms: TERMS,
      code: 'a',
      why: 'none',
    }
    const semantics = open(() => standing)
    const codes = () => semantics.takeDegraded().map(({ code }) => code)
    expect(await semantics.embedder()).toBeUndefined()
    expect(codes()).toEqual(['not_confirmed'])

    standing = { kind: 'allowed', terms: TERMS, code: 'a', since: '2026-03-16T10:00' }
    const one = await semantics.embedder()
    expect(one?.model).toBe('http://127.0.0.1:9/api/embed#m')
    expect(await semantics.embedder()).toBe(one)
    expect(codes()).toEqual([])

    standing = { kind: 'allowed', terms: { ...TERMS, model: 'n' }, code: 'b', since: '2026-03-16T10:01' }
    expect((await semantics.embedder())?.model).toBe('http://127.0.0.1:9/api/embed#n')

    standing = { kind: 'not_allowed', terms: TERMS, code: 'a', why: 'changed' }
    for (let n = 0; n < 2; n++) {
      expect(await semantics.embedder()).toBeUndefined()
      expect(await semantics.embedMany(['a text'])).toEqual([])
      expect(codes()).toEqual(['not_confirmed'])
    }
    await semantics.close()
  })
})
