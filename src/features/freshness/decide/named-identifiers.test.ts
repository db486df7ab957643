import { expect, it } from 'vitest'
import { wordHashes } from './file-words.ts'
import { nameHashes } from './named-identifiers.ts'

const hashesOf = (name: string) => wordHashes(new TextEncoder().encode(name))

it('finds what only code is written like', () => {
  expect(
    nameHashes('Call retryLimit, MAX_RETRIES or close() and set `brief.reranker`; SessionStore is Fine.'),
  ).toEqual(['brief.reranker', 'retryLimit', 'MAX_RETRIES', 'close', 'SessionStore'].map(hashesOf))
})

it('leaves prose, file names and commands alone', () => {
  expect(nameHashes('We use Redis. See src/auth_store.ts, `package.json` and run `npm run build`.')).toEqual(
    [],
  )
})
