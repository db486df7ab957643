import { expect, test } from 'vitest'
import type { AuditRecord } from '../../kernel/model/hub.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { auditTrail } from './audit-trail.ts'
import type { HubDirectory } from './decide/hub-directory.ts'

test('of a flood of refusals a few are kept each minute, and the number of the rest; what was done is kept', async () => {
  const kept: AuditRecord[] = []
  let nowMs = 1_000_000
  const trail = auditTrail({
    directory: {
      record: async (records: readonly AuditRecord[]) => {
        kept.push(...records)
      },
    } as HubDirectory,
    clock: { ...systemClock, nowMs: () => nowMs },
    onFault: error => {
      throw error
    },
  })
  const flood = () => {
    for (let n = 0; n < 5_000; n++) trail.note({ action: 'list', outcome: 'token_missing' })
    trail.note({ action: 'list', outcome: 'scope_missing', principal: 'rita', token: 'r' })
    trail.note({ action: 'remember', outcome: 'done', principal: 'will', token: 'w' })
  }
  flood()
  nowMs += 60_000
  flood()
  await trail.close()
  const told = kept.map(({ action, outcome, subject = '' }) => `${action} ${outcome} ${subject}`.trim())
  const of = (line: string) => told.filter(each => each === line).length
  expect(of('list token_missing')).toBe(120)
  expect(of('refusals not_kept 4940 more')).toBe(2)
  expect([of('list scope_missing'), of('remember done'), told.length]).toEqual([2, 2, 126])
})
