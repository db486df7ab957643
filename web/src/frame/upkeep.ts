import { useEffect, useSyncExternalStore } from 'react'
import { type Answered, ApiError, call, callWithProgress, type Progress } from '../api/client.ts'
import { notifyChange } from '../api/live.ts'
import { useTokenState } from '../api/token.ts'
import type { ServerMessage } from '../language/server-messages.ts'

export type Compaction = NonNullable<Answered<'compact'>['result']>
export type Step = Answered<'compact'>['plan'][number]

/** While the page is open, upkeep runs every ten minutes. */
const EVERY_MS = 600_000
/** Maximum number of listed runs of this page. */
const MAX_RUNS = 50
/** Only one tab at a time runs upkeep. */
const LOCK = 'cairn-upkeep'
const KEY = 'cairn-upkeep-runs'

/** The result of a run, or its failure. */
export type UpkeepRun =
  | {
      readonly kind: 'done'
      readonly result: Compaction
      readonly steps: readonly Step[]
      readonly isAsked: boolean
    }
  | { readonly kind: 'failed'; readonly at: string; readonly failure: ServerMessage }

interface UpkeepState {
  readonly runs: readonly UpkeepRun[]
  readonly running: Progress | undefined
}

let state: UpkeepState = { runs: keptRuns(), running: undefined }
const listeners = new Set<() => void>()

function set(next: Partial<UpkeepState>): void {
  state = { ...state, ...next }
  if (next.runs !== undefined) sessionStorage.setItem(KEY, JSON.stringify(state.runs))
  for (const listener of listeners) listener()
}

function keptRuns(): readonly UpkeepRun[] {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as UpkeepRun[]
}

export function useUpkeep(): UpkeepState {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
}

/** Runs upkeep now. Does nothing if another tab is running it. */
export async function runUpkeep({ isAsked }: { readonly isAsked: boolean }): Promise<void> {
  await navigator.locks.request(LOCK, { ifAvailable: true }, async lock => {
    if (lock === null) return
    if (!isAsked && !isDue(await lastRun())) return
    await run(isAsked)
  })
}

async function run(isAsked: boolean): Promise<void> {
  set({ running: { done: 0, what: '' } })
  try {
    const { result, plan } = await callWithProgress('compact', {}, running => set({ running }))
    if (result !== null) keep({ kind: 'done', result, steps: plan, isAsked })
    notifyChange()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, hint } = error
    keep({ kind: 'failed', at: new Date().toISOString(), failure: { code, message, hint } })
  } finally {
    set({ running: undefined })
  }
}

function keep(run: UpkeepRun): void {
  set({ runs: [run, ...state.runs].slice(0, MAX_RUNS) })
}

/** The time of the last run, by any process. */
async function lastRun(): Promise<Compaction | null> {
  return (await call('compact', { last: true })).result
}

function isDue(last: Compaction | null): boolean {
  return last === null || Date.now() - Date.parse(last.timestamp) >= EVERY_MS
}

/** Runs upkeep when the page opens, if the last run was long ago, and then every ten minutes. */
export function useAutoUpkeep(isOn: boolean): void {
  const tokenState = useTokenState()
  const may = isOn && tokenState === 'present'
  useEffect(() => {
    if (!may) return
    const turn = () => {
      runUpkeep({ isAsked: false }).catch((error: unknown) => {
        // The connection bar reports an unreachable server. The next run follows anyway.
        if (!(error instanceof ApiError)) throw error
      })
    }
    // Does not delay the first view.
    const first = setTimeout(turn, 3_000)
    const timer = setInterval(turn, EVERY_MS)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [may])
}
