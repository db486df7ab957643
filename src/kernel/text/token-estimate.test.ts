import fc from 'fast-check'
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it, test } from 'vitest'
import { estimateTokens } from './token-estimate.ts'

const ENGLISH = `We replaced the message queue with a table, because the old one lost messages whenever the service restarted
in the middle of a delivery. Each message now has a state, the time of the last attempt and the error that happened. It costs
a little more load on the database; we measured it and it stays below five percent, even during the busiest hours.`
const PORTUGUESE = `Trocamos a fila de mensagens por uma tabela, porque a antiga perdia mensagens sempre que o serviço reiniciava no
meio de uma entrega. Cada mensagem agora tem um estado, a data da última tentativa e o erro que aconteceu. Isso custa um pouco mais
de carga no banco de dados; medimos, e fica abaixo de cinco por cento mesmo nos horários de maior movimento.`
const CODE = `export async function fetchWithRetry(url: string, options: RequestInit = {}): Promise<Response> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(5_000) })
    if (response.ok || response.status < 500) return response
    await new Promise(resolve => setTimeout(resolve, 2 ** attempt * 100))
  }
  throw new Error(\`gave up on \${url} after \${MAX_ATTEMPTS} attempts\`)
}
`

describe('within a tenth of byte-pair tokenizers', () => {
  it.each([
    ['English', ENGLISH],
    ['Portuguese', PORTUGUESE],
    ['code', CODE],
  ])('on %s', (_, text) => {
    const counted = (encodeO200k(text).length + encodeCl100k(text).length) / 2
    expect(Math.abs(estimateTokens(text) / counted - 1)).toBeLessThan(0.1)
  })
})

test('is of the right size on text that is not prose', () => {
  const hostile: Record<string, string> = {
    chinese: '我们决定把消息队列换成数据库里的一张表。旧的队列在服务重启时会丢失消息。',
    arabic: 'قررنا استبدال قائمة انتظار الرسائل بجدول في قاعدة البيانات',
    emoji: '🙂🚀🎉'.repeat(20),
    base64: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ',
    hex: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    rule: '-'.repeat(300),
    nul: '\0'.repeat(100),
  }
  for (const [name, text] of Object.entries(hostile)) {
    const ratio = estimateTokens(text) / ((encodeO200k(text).length + encodeCl100k(text).length) / 2)
    expect.soft(ratio, name).toBeGreaterThan(0.6)
    expect.soft(ratio, name).toBeLessThan(1.7)
  }
})

test('counts nothing for nothing, and something for anything', () => {
  expect(estimateTokens('')).toBe(0)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), text => {
      const tokens = estimateTokens(text)
      expect(Number.isInteger(tokens)).toBe(true)
      expect(tokens).toBeGreaterThanOrEqual(1)
      expect(tokens).toBeLessThanOrEqual(text.length * 3 + 1)
    }),
  )
})

test('grows with the text, not with its square', () => {
  for (const unit of ['word ', '\n', ' ', 'a', '{', '字', '🙂', '1', '\ud800', 'aB']) {
    const tokens = estimateTokens(unit.repeat(1_000_000 / unit.length))
    expect(tokens).toBeGreaterThan(1_000)
  }
})
