import fc from 'fast-check'
import { expect, it } from 'vitest'
import { judgeEventLines } from './judge-logs.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('\\', '"', '\\u12', '\u2028'),
)
const texts = fc.array(text, { maxLength: 3 })
const event = fc.record({
  id: text.filter(id => id !== ''),
  kind: fc.constantFrom('tool_run', 'imported_session'),
  sourceId: text,
  createdAt: fc.constantFrom('2026-03-16T10:00:00.000Z', '2026-03-16T10:00Z'),
  contentHash: text,
  summary: text,
  signals: fc.record({
    decisions: texts,
    gotchas: texts,
    nextStepHints: texts,
    keyPaths: texts,
    validationObservations: fc.array(
      fc.record({ command: text, outcome: fc.constantFrom('passed', 'failed') }),
      { maxLength: 2 },
    ),
  }),
  sourceRef: text,
})

const verdict = (line: string) => {
  const { count, findings } = judgeEventLines(`${line}\n`)
  return { count, codes: findings.map(({ code, message }) => `${code} ${message}`) }
}

it('takes every event that is written as JSON', () => {
  fc.assert(
    fc.property(event, one => {
      expect(verdict(JSON.stringify(one))).toEqual({ count: 1, codes: [] })
      expect(judgeEventLines(JSON.stringify(one)).has(one.id)).toBe(true)
    }),
  )
})

it('says the same of a line whether it is recognised or parsed, however it was damaged', () => {
  fc.assert(
    fc.property(
      event,
      fc.nat(),
      fc.constantFrom('', '"', '\\', ',', '}', ']', 'x', '\u0001', '0'),
      (one, at, put) => {
        const line = JSON.stringify(one)
        const place = at % line.length
        const damaged = line.slice(0, place) + put + line.slice(place + 1)
        // A blank before it has it parsed.
        expect(verdict(damaged)).toEqual(verdict(` ${damaged}`))
      },
    ),
    { numRuns: 2_000 },
  )
})

it('finds every id that stands twice, in whatever order they come', () => {
  const line = (id: number, n: number) =>
    JSON.stringify({
      id: String(id),
      kind: 'tool_run',
      sourceId: 's',
      createdAt: '2026-03-16T10:00Z',
      contentHash: String(n),
      summary: '',
      signals: { decisions: [], gotchas: [], nextStepHints: [], keyPaths: [], validationObservations: [] },
      sourceRef: '',
    })
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 10, max: 40 }), { maxLength: 30 }), ids => {
      const { findings, count } = judgeEventLines(ids.map(line).join('\n'))
      expect([findings.length, count]).toEqual([ids.length - new Set(ids).size, ids.length])
    }),
  )
})
