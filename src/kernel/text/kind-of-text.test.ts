import { expect, it } from 'vitest'
import { kindOfText } from './kind-of-text.ts'

it.each([
  ['Never edit an applied migration.', 'warning'],
  ['Careful: the cache is shared by all tenants.', 'warning'],
  ['The worker must not write to the replica.', 'warning'],
  ['Nunca suba o arquivo de produção.', 'warning'],
  ['We use SSE, not WebSockets: the proxy drops idle sockets.', 'decision'],
  ['We decided to store amounts in cents.', 'decision'],
  ['Decidimos usar filas por cliente.', 'decision'],
  ['I prefer short commit messages.', 'preference'],
  ['Answer in German.', 'preference'],
  ['Prefiro respostas curtas.', 'preference'],
  ['`npm test` fails when the port is taken.', 'error'],
  ['The importer crashed because the header was in UTF-16.', 'error'],
  ['The nightly job starts at two.', undefined],
  ['Invoices are numbered per year.', undefined],
])('%s', (text, kind) => {
  expect(kindOfText(text)).toBe(kind)
})
