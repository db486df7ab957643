import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RecallCursor } from '../../../kernel/model/bundle.ts'
import { countEvents } from './backlog.ts'

const line = (id: string, sourceId: string, createdAt = '2026-03-16T10:00:00.000Z') =>
  JSON.stringify({ id, kind: 'tool_run', sourceId, createdAt, contentHash: id, summary: 'x' })
const counts = (text: string, cursors: Record<string, RecallCursor>) =>
  Object.fromEntries(countEvents(text, cursors, []).waitingBySource)
const at = '2026-03-16T10:00:00.000Z'

it('counts what stands behind the cursor of each source', () => {
  const log = [line('1', 'a'), line('2', 'b'), line('3', 'a'), line('4', 'b'), line('5', 'c')].join('\n')
  expect(counts(log, { a: { id: '1', at }, b: { id: '4', at } })).toEqual({ a: 1, c: 1 })
})

it('goes by the time where the event of the cursor was archived', () => {
  const log = `${line('8', 'a', '2026-03-16T09:00:00.000Z')}\n${line('9', 'a', '2026-03-16T11:00:00.000Z')}\n`
  expect(counts(log, { a: { id: 'gone', at } })).toEqual({ a: 1 })
})

it('reads lines that somebody else wrote, and passes over what is no event', () => {
  const other = '{ "createdAt": "2026-03-16T10:00:00.000Z", "sourceId": "a\\"b", "id": "1" }'
  const log = `\ufeff${other}\r\n{"id":\nnull\n\n[]\n${line('2', 'a')}`
  expect(counts(log, {})).toEqual({ 'a"b': 1, a: 1 })
})

it('tells how many are younger than a moment, and where their lines begin', () => {
  const log = `${line('1', 'a', '2026-03-16T09:00:00.000Z')}\n${line('2', 'a', '2026-03-16T11:00:00.000Z')}\n`
  const { count, since, youngLines } = countEvents(log, {}, [at, '2026-03-01T00:00:00.000Z'])
  expect([count, since, youngLines]).toEqual([2, [1, 2], [log.indexOf('{"id":"2"')]])
})

it('finds in a line of ours what JSON finds in it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (id, source) => {
      expect([...countEvents(line(id, source), {}, []).waitingBySource]).toEqual([[source, 1]])
      const cursors = Object.fromEntries([[source, { id, at }]])
      expect(countEvents(line(id, source), cursors, []).waitingBySource.size).toBe(0)
    }),
  )
})
