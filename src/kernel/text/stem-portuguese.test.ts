import { stemmer as snowball } from '@orama/stemmers/portuguese'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldWord } from './fold.ts'
import { singularPortuguese, stemPortuguese } from './stem-portuguese.ts'

/** A folded word as Snowball expects it: in the singular, with the accents of its suffixes. */
function accented(folded: string): string {
  return singularPortuguese(folded)
    .replace(/cao$/, 'ção')
    .replace(/ao$/, 'ão')
    .replace(/avel$/, 'ável')
    .replace(/ivel$/, 'ível')
    .replace(/encia$/, 'ência')
    .replace(/ancia$/, 'ância')
}

function snowballStem(folded: string): string {
  const stem = foldWord(snowball(accented(folded)))
  return stem.length > 3 ? stem.replace(/[aeo]$/, '') : stem
}

const ENDINGS =
  'eza icas ismos avel ivel istas osas amento imentos adoras acoes antes ancia logias ucao encias amente mente idades ativo ira iras aria asse iste irei ariam avam issem ando irao ardes areis aveis amos ermos iu os gue cie ativamente osamente icidade abilidade antemente avelmente eiras'.split(
    ' ',
  )

const letters = fc.string({ unit: fc.constantFrom(...'aaeeiioouubcdfghjlmnpqrstvxz'), maxLength: 7 })
const ending = fc.constantFrom('', ...ENDINGS)

test('stems every word as Snowball does', () => {
  fc.assert(
    fc.property(letters, ending, ending, (beginning, middle, end) => {
      const word = beginning + middle + end
      if (word.length < 3) return
      expect(stemPortuguese(word)).toBe(snowballStem(word))
    }),
    { numRuns: 20_000 },
  )
})

test.each([
  ['decisoes', 'decis'],
  ['decisao', 'decis'],
  ['configuracao', 'configur'],
  ['autenticacao', 'autentic'],
  ['administrativamente', 'administr'],
  ['erros', 'err'],
])('%s is %s', (word, stem) => {
  expect(stemPortuguese(word)).toBe(stem)
})
