import type { Engine } from '../engine-parts.ts'
import type { HookCall, TakenLines } from '../pipeline/hooks/hook-spool.ts'
import { parseSpoolLine, type SpoolLine } from '../pipeline/hooks/spool-line.ts'
import { noteQuestion } from './note-question.ts'
import { takeInSession } from './take-in-session.ts'

/** How long a worker waits for another to end. That one looks once more before it does. */
const TURN_PATIENCE_MS = 15_000
const TURN_PAUSE_MS = 100
/** So often it says that it lives. */
const SIGN_OF_LIFE_MS = 10_000
const CURSOR_DAYS = 30
const DAY_MS = 86_400_000

export interface WorkerParts {
  /** Something failed: it is written down, and the rest goes on. */
  readonly note: (event: string, error: unknown) => void
  /** What else is due, once. `hasBegun`: a session began. */
  readonly afterwards: (hasBegun: boolean) => Promise<void>
}

/**
 * Takes in what hooks left behind, one worker at a time, and ends. A hook appends its line and then looks for a worker; a worker takes its
 * mark away and then looks for lines: one of the two sees the other.
 *
 *   turn ▶ mark ▶ take in ▶ what is due ▶ take in ▶ mark away ▶ anything left? ─no─▶ end
 *            ▲                                                        └─ yes ─┐
 *            └──────────────────────────────────────────────────────────────┘
 */
export async function drainSpool(engine: Engine, { note, afterwards }: WorkerParts): Promise<void> {
  const { hookSpool } = engine
  if (!(await waitForTurn(engine))) return
  const failed = new Set<string>()
  const left = async () => (await hookSpool.waiting()).filter(name => !failed.has(name))
  let signs: Promise<void> = Promise.resolve()
  const living = setInterval(() => {
    signs = hookSpool.mark().catch(error => note('mark', error))
  }, SIGN_OF_LIFE_MS)
  try {
    let isDone = false
    let hasBegun = false
    do {
      await hookSpool.mark()
      for (let names = await left(); names.length > 0; names = await left())
        for (const name of names) {
          try {
            if (await takeInName(engine, name, note)) hasBegun = true
          } catch (error) {
            failed.add(name)
            note('drain', error)
          }
        }
      if (!isDone) await afterwards(hasBegun)
      isDone = true
      await hookSpool.tidy(CURSOR_DAYS * DAY_MS)
      await engine.asks.tidy(CURSOR_DAYS * DAY_MS)
      await signs
      await hookSpool.unmark()
    } while ((await left()).length > 0)
  } finally {
    clearInterval(living)
    await signs
    try {
      await hookSpool.unmark()
    } finally {
      await hookSpool.endTurn()
    }
  }
}

async function waitForTurn({ hookSpool, clock }: Engine): Promise<boolean> {
  const endMs = clock.nowMs() + TURN_PATIENCE_MS
  while (!(await hookSpool.tryTurn())) {
    if (clock.nowMs() >= endMs || (await hookSpool.waiting()).length === 0) return false
    await clock.sleep(TURN_PAUSE_MS)
  }
  return true
}

/** Every line under one name; true: a session began. Its file is removed only when all of it is kept. */
async function takeInName(engine: Engine, name: string, note: WorkerParts['note']): Promise<boolean> {
  let hasBegun = false
  for (
    let taken: TakenLines | undefined = await engine.hookSpool.take(name);
    taken !== undefined;
    taken = await engine.hookSpool.finish(name, taken)
  ) {
    const lines = taken.lines.flatMap(text => parseSpoolLine(text) ?? [])
    if (lines.length < taken.lines.length) note('drain', damaged(taken.lines.length - lines.length))
    for (const own of bySession(lines).values())
      await takeInSession(engine, { name, lines: own, isLeftover: taken.isLeftover, note }).then(() =>
        noteQuestion(engine, own).catch(error => note('question', error)),
      )
    await engine.hookSpool.noteCalls(lastCalls(lines))
    hasBegun ||= lines.some(({ purpose }) => purpose === 'start')
  }
  return hasBegun
}

function damaged(count: number): Error {
  return Object.assign(new Error(), { name: `${count} damaged lines of a spool, left out,` })
}

function bySession(lines: readonly SpoolLine[]): Map<string, SpoolLine[]> {
  const found = new Map<string, SpoolLine[]>()
  for (const line of lines) found.set(line.session, [...(found.get(line.session) ?? []), line])
  return found
}

function lastCalls(lines: readonly SpoolLine[]): Record<string, HookCall> {
  return Object.fromEntries(lines.map(({ host, at, event }) => [host, { at, event }]))
}
