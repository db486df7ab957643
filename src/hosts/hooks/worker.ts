import type { AskPorts } from '../../features/agent-saves/decide/ports.ts'
import type { ConflictPorts } from '../../features/conflicts/decide/ports.ts'
import type { ClosingPorts } from '../../features/learning/decide/ports.ts'
import type { DocumentPorts } from '../../features/search/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { HookCall, TakenLines } from './decide/hook-queue.ts'
import type { HookPorts } from './decide/ports.ts'
import { type HookQueueLine, parseQueueLine } from './decide/queue-line.ts'
import { noteQuestion } from './note-question.ts'
import { storeSessionLines } from './store-session-lines.ts'

/** How long a worker waits for another one to end. That one checks for lines again before it ends. */
const TURN_PATIENCE_MS = 15_000
const TURN_PAUSE_MS = 100
/** How often it shows that it is alive. */
const SIGN_OF_LIFE_MS = 10_000
const CURSOR_DAYS = 30
const DAY_MS = 86_400_000

interface WorkerParts {
  /** Records a failure; the rest continues. */
  readonly note: (event: string, error: unknown) => void
  /** Other work that is due, once. `hasBegun`: a session began. */
  readonly afterwards: (hasBegun: boolean) => Promise<void>
}

/**
 * Processes the lines that hooks left in the spool, one worker at a time, and ends. A hook appends its line and then checks for a worker; a
 * worker removes its mark and then checks for lines: one of the two sees the other.
 *
 *   turn ▶ mark ▶ take in ▶ what is due ▶ take in ▶ mark away ▶ anything left? ─no─▶ end
 *            ▲                                                        └─ yes ─┐
 *            └──────────────────────────────────────────────────────────────┘
 */
export async function drainHookQueue(
  memory: Memory & ClosingPorts & DocumentPorts & ConflictPorts & AskPorts & HookPorts,
  { note, afterwards }: WorkerParts,
): Promise<void> {
  const { hookQueue } = memory
  if (!(await waitForTurn(memory))) return
  const failed = new Set<string>()
  const left = async () => (await hookQueue.waiting()).filter(name => !failed.has(name))
  let signs: Promise<void> = Promise.resolve()
  const living = setInterval(() => {
    signs = hookQueue.mark().catch(error => note('mark', error))
  }, SIGN_OF_LIFE_MS)
  try {
    let isDone = false
    let hasBegun = false
    do {
      await hookQueue.mark()
      for (let names = await left(); names.length > 0; names = await left())
        for (const name of names) {
          try {
            if (await takeInName(memory, name, note)) hasBegun = true
          } catch (error) {
            failed.add(name)
            note('drain', error)
          }
        }
      if (!isDone) await afterwards(hasBegun)
      isDone = true
      await hookQueue.tidy(CURSOR_DAYS * DAY_MS)
      await memory.asks.tidy(CURSOR_DAYS * DAY_MS)
      await signs
      await hookQueue.unmark()
    } while ((await left()).length > 0)
  } finally {
    clearInterval(living)
    await signs
    try {
      await hookQueue.unmark()
    } finally {
      await hookQueue.endTurn()
    }
  }
}

async function waitForTurn({ hookQueue, clock }: Memory & HookPorts): Promise<boolean> {
  const endMs = clock.nowMs() + TURN_PATIENCE_MS
  while (!(await hookQueue.tryTurn())) {
    if (clock.nowMs() >= endMs || (await hookQueue.waiting()).length === 0) return false
    await clock.sleep(TURN_PAUSE_MS)
  }
  return true
}

/** Every line under one name; true: a session began. Its file is removed only when all of it is stored. */
async function takeInName(
  memory: Memory & ClosingPorts & DocumentPorts & ConflictPorts & AskPorts & HookPorts,
  name: string,
  note: WorkerParts['note'],
): Promise<boolean> {
  let hasBegun = false
  let taken: TakenLines | undefined = await memory.hookQueue.take(name)
  const first = fingerprint(taken?.lines[0] ?? '')
  const { done } = taken?.isLeftover ? await memory.hookQueue.readCursor(name) : {}
  const stored = done?.first === first ? done.lines : 0
  for (let before = 0; taken !== undefined; taken = await memory.hookQueue.finish(name, taken)) {
    const { isLeftover } = taken
    const lines = taken.lines.flatMap((text, index) => {
      const line = parseQueueLine(text)
      return line === undefined ? [] : { line, isStored: before + index < stored }
    })
    if (lines.length < taken.lines.length) note('drain', damaged(taken.lines.length - lines.length))
    before += taken.lines.length
    for (const own of bySession(lines).values())
      await storeSessionLines(memory, {
        name,
        lines: own.map(({ line }) => line),
        stored: own.filter(({ isStored }) => isStored).length,
        isLeftover,
        done: { first, lines: before },
      }).then(() =>
        noteQuestion(
          memory,
          own.map(({ line }) => line),
        ).catch(error => note('question', error)),
      )
    await memory.hookQueue.noteCalls(lastCalls(lines.map(({ line }) => line)))
    hasBegun ||= lines.some(({ line }) => line.purpose === 'start')
  }
  return hasBegun
}

function damaged(count: number): Error {
  return Object.assign(new Error(), { name: `${count} damaged lines of the hook queue, skipped,` })
}

function bySession<T extends { readonly line: HookQueueLine }>(lines: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const one of lines) found.set(one.line.session, [...(found.get(one.line.session) ?? []), one])
  return found
}

function lastCalls(lines: readonly HookQueueLine[]): Record<string, HookCall> {
  return Object.fromEntries(lines.map(({ host, at, event }) => [host, { at, event }]))
}
