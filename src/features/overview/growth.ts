import type { Memory } from '../../kernel/memory.ts'
import { countRecord, type DayCount, dayBefore, type GrowthDay, growthOf } from './decide/growth.ts'

/** A journal may hold years of work; whoever looks at a chart waits for a part of it. */
const MAX_RECORDS = 20_000
/** Others are answered in between. */
const RECORDS_A_BREATH = 100

export interface Growth {
  readonly days: GrowthDay[]
  /** False: more happened in these days than was looked at, and the first of them say too little. */
  readonly isWhole: boolean
}

interface Counted {
  readonly last: string | undefined
  readonly days: number
  readonly today: string
  readonly byDay: ReadonlyMap<string, DayCount>
  readonly isWhole: boolean
}

const countedByEngine = new WeakMap<Memory['store'], Counted>()

/** How the memory grew, by its journal. Counted anew only when something was written to that since. */
export async function readGrowth(memory: Memory, days: number): Promise<Growth> {
  const today = new Date(memory.clock.nowMs()).toISOString().slice(0, 10)
  const { total } = await memory.store.counts()
  const { journal } = await memory.store.health()
  const known = countedByEngine.get(memory.store)
  const isKnown = known?.last === journal.last?.id && known?.days === days && known.today === today
  const counted =
    isKnown && known !== undefined ? known : await count(memory, { days, today, last: journal.last?.id })
  countedByEngine.set(memory.store, counted)
  return { days: growthOf(counted.byDay, { days, today, total }), isWhole: counted.isWhole }
}

async function count(
  memory: Memory,
  { days, today, last }: { readonly days: number; readonly today: string; readonly last: string | undefined },
): Promise<Counted> {
  const first = dayBefore(today, days - 1)
  const byDay = new Map<string, DayCount>()
  let records = 0
  let isWhole = true
  for await (const record of memory.store.readJournal({})) {
    const day = record.at.slice(0, 10)
    if (day < first) break
    if (records++ >= MAX_RECORDS) {
      isWhole = false
      break
    }
    if (records % RECORDS_A_BREATH === 0) await memory.clock.sleep(0)
    const { added, removed } = countRecord(record)
    const own = byDay.get(day) ?? { added: 0, removed: 0 }
    byDay.set(day, { added: own.added + added, removed: own.removed + removed })
  }
  return { last, days, today, byDay, isWhole }
}
