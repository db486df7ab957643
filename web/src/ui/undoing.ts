import { ApiError, call } from '../api/client.ts'
import { tellLive } from '../api/live.ts'
import { currentLanguage } from '../language/language.tsx'
import { goTo } from '../place.ts'
import { say, sayFailure } from './toasts.tsx'

const WORDS = {
  en: {
    undo: 'Undo',
    undone: 'Taken back.',
    nothing: 'Nothing was changed on this page since it was opened.',
    journal: 'Show the journal',
  },
  pt: {
    undo: 'Desfazer',
    undone: 'Desfeito.',
    nothing: 'Nada foi alterado nesta página desde que ela foi aberta.',
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
    if (failures.length > 0) sayFailure(failures[0])
  } catch (error) {
    sayFailure(error)
  } finally {
    tellLive()
  }
}

/** Ways back from what was done on this page, newest last. */
let waysBack: readonly (() => void)[] = []

/** Takes back what was done last on this page, and nothing that others did. */
export function undoLast(): void {
  const words = WORDS[currentLanguage()]
  const run = waysBack.at(-1)
  if (run !== undefined) run()
  else
    say(words.nothing, {
      action: { label: words.journal, run: () => goTo('health', { tab: 'journal' }) },
    })
}

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
    undo(records).catch(sayFailure).finally(onUndone)
  }
  waysBack = [...waysBack, run]
  say(text, { action: { label: WORDS[currentLanguage()].undo, run } })
  return run
}
