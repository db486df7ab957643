import { randomBytes } from 'node:crypto'
import type { WorkBoard } from './decide/work-board.ts'
import type { WorkTable } from './decide/work-table.ts'
import { workBoard } from './work-board.ts'

export function boardOver(table: WorkTable): WorkBoard {
  return workBoard({
    table,
    newSecret: () => randomBytes(9).toString('hex'),
    monotonicMs: () => performance.now(),
  })
}
