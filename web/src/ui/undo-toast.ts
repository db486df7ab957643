import { ApiError, call } from '../api/client.ts'
import { notifyChange } from '../api/live.ts'
import { currentLanguage } from '../language/language.tsx'
import { goTo } from '../router.ts'
import { showFailure, showToast, type Toast } from './toasts.tsx'

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
export async function undoRecords(records: readonly string[]): Promise<void> {
  try {
    const { undone, failures } = await undoAll(records)
    if (undone > 0) showToast(WORDS[currentLanguage()].undone)
    const [failure] = failures
    // Where later changes stand in the way, the journal has them.
    if (failure !== undefined)
      showFailure(failure, failure.code === 'undo_conflict' ? journalLink() : undefined)
  } catch (error) {
    showFailure(error)
  } finally {
    notifyChange()
  }
}

function journalLink(): NonNullable<Toast['action']> {
  return {
    label: WORDS[currentLanguage()].journal,
    run: () => goTo('health', { tab: 'journal' }),
  }
}

/** Ways back from what was done on this page, newest last. */
let undoStack: readonly (() => void)[] = []

/** Takes back what was done last on this page, and nothing that others did. */
export function undoLast(): void {
  const run = undoStack.at(-1)
  dismissNothing()
  if (run !== undefined) run()
  else dismissNothing = showToast(WORDS[currentLanguage()].nothing, { action: journalLink() })
}

/** Said once, however often the key is pressed. */
let dismissNothing: () => void = () => undefined

/**
 * Says what was done, with a way back by the records that the answers named; where nothing was written there is none. The way back is
 * handed over as well, for a key.
 */
export function undoToast(
  text: string,
  recordIds: string | null | readonly (string | null)[],
  {
    undo = undoRecords,
    onUndone,
  }: {
    /** Where taking back takes long enough to be watched. */
    undo?(records: readonly string[]): Promise<void>
    /** Called when it was taken back, or when that failed. */
    onUndone?(): void
  } = {},
): (() => void) | undefined {
  const records = [...new Set([recordIds].flat().filter(record => record !== null))]
  if (records.length === 0) {
    showToast(text)
    return undefined
  }
  let isRun = false
  const run = () => {
    // The button and the key mean the same undo: the second one would find nothing to take back.
    if (isRun) return
    isRun = true
    undoStack = undoStack.filter(way => way !== run)
    // By a key or the palette: its button would do nothing any more.
    dismiss()
    undo(records).catch(showFailure).finally(onUndone)
  }
  undoStack = [...undoStack, run]
  const dismiss = showToast(text, { action: { label: WORDS[currentLanguage()].undo, run } })
  return run
}
