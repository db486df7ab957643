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
 * Undoes records, newest first, because each may depend on the one before. Returns the failures and continues after them. Call only with
 * records named in answers: the newest record in the journal may belong to another user.
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

/** Undoes changes and shows a toast. */
export async function undoRecords(records: readonly string[]): Promise<void> {
  try {
    const { undone, failures } = await undoAll(records)
    if (undone > 0) showToast(WORDS[currentLanguage()].undone)
    const [failure] = failures
    // If later changes block the undo, the toast links to the journal.
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

/** Undo functions for the changes made on this page, newest last. */
let undoStack: readonly (() => void)[] = []

/** Undoes the last change made on this page, never a change of other users. */
export function undoLast(): void {
  const run = undoStack.at(-1)
  dismissNothing()
  if (run !== undefined) run()
  else dismissNothing = showToast(WORDS[currentLanguage()].nothing, { action: journalLink() })
}

/** Shown once, however often the key is pressed. */
let dismissNothing: () => void = () => undefined

/**
 * Shows a toast with an Undo button for the given records; without records there is no button. Returns the undo function, for a keyboard
 * shortcut.
 */
export function undoToast(
  text: string,
  recordIds: string | null | readonly (string | null)[],
  {
    undo = undoRecords,
    onUndone,
  }: {
    /** Replaces the default undo, where it takes long enough to show progress. */
    undo?(records: readonly string[]): Promise<void>
    /** Called after the undo, also if it failed. */
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
    // The button and the key share one undo, which must run once.
    if (isRun) return
    isRun = true
    undoStack = undoStack.filter(way => way !== run)
    // After an undo by key or palette, the button has no effect.
    dismiss()
    undo(records).catch(showFailure).finally(onUndone)
  }
  undoStack = [...undoStack, run]
  const dismiss = showToast(text, { action: { label: WORDS[currentLanguage()].undo, run } })
  return run
}
