import { ApiError, call } from '../api/client.ts'
import { tellLive } from '../api/live.ts'
import { currentLanguage } from '../language/language.tsx'
import { goTo } from '../place.ts'
import { say, sayFailure, type Toast } from './toasts.tsx'

const WORDS = {
  en: {
    undo: 'Undo',
    undone: 'Undone.',
    nothing: 'Nothing to undo on this page.',
    journal: 'Show the journal',
  },
  pt: {
    undo: 'Desfazer',
    undone: 'Desfeito.',
    nothing: 'Nada para desfazer nesta página.',
    journal: 'Mostrar o diário',
  },
}

/**
 * Takes records back, the newest first, as each may stand on the one before. What cannot be taken back is told, and the rest is. Only
 * records that an answer named are ever given here: the newest of the journal may be somebody else's.
 */
export async function undoAll(
  records: readonly string[],
  onProgress?: (done: number) => void,
): Promise<{ readonly undone: number; readonly failures: readonly ApiError[] }> {
  const failures: ApiError[] = []
  let undone = 0
  for (const record of [...records].reverse()) {
    try {
      await call('undo', { record })
      undone += 1
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures.push(error)
    }
    onProgress?.(undone + failures.length)
  }
  return { undone, failures }
}

/** Takes changes back, and says so. */
export async function takeBack(records: readonly string[]): Promise<void> {
  try {
    const { undone, failures } = await undoAll(records)
    if (undone > 0) say(WORDS[currentLanguage()].undone)
    const [failure] = failures
    // Where later changes stand in the way, the journal has them.
    if (failure !== undefined) sayFailure(failure, failure.code === 'undo_conflict' ? toJournal() : undefined)
  } catch (error) {
    sayFailure(error)
  } finally {
    tellLive()
  }
}

function toJournal(): NonNullable<Toast['action']> {
  return {
    label: WORDS[currentLanguage()].journal,
    run: () => goTo('health', { tab: 'journal' }),
  }
}

/** Ways back from what was done on this page, newest last. */
let waysBack: readonly (() => void)[] = []

/** Takes back what was done last on this page, and nothing that others did. */
export function undoLast(): void {
  const run = waysBack.at(-1)
  dismissNothing()
  if (run !== undefined) run()
  else dismissNothing = say(WORDS[currentLanguage()].nothing, { action: toJournal() })
}

/** Said once, however often the key is pressed. */
let dismissNothing: () => void = () => undefined

/**
 * Says what was done, with a way back by the records that the answers named; where nothing was written there is none. The way back is
 * handed over as well, for a key.
 */
export function sayDone(
  text: string,
  named: string | null | readonly (string | null)[],
  {
    undo = takeBack,
    onUndone,
  }: {
    /** Where taking back takes long enough to be watched. */
    undo?(records: readonly string[]): Promise<void>
    /** Called when it was taken back, or when that failed. */
    onUndone?(): void
  } = {},
): (() => void) | undefined {
  const records = [...new Set([named].flat().filter(record => record !== null))]
  if (records.length === 0) {
    say(text)
    return undefined
  }
  let isTaken = false
  const run = () => {
    // The button and the key mean the same undo: the second one would find nothing to take back.
    if (isTaken) return
    isTaken = true
    waysBack = waysBack.filter(way => way !== run)
    // By a key or the palette: its button would do nothing any more.
    dismiss()
    undo(records).catch(sayFailure).finally(onUndone)
  }
  waysBack = [...waysBack, run]
  const dismiss = say(text, { action: { label: WORDS[currentLanguage()].undo, run } })
  return run
}
