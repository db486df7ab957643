import { useRef, useState } from 'react'
import { ApiError, callWithProgress, type Progress } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { showFailure } from '../../ui/toasts.tsx'
import { undoAll } from '../../ui/undo-toast.ts'
import { type ImportSource, importInputOf, type Outcome, outcomeOf, outcomeOfSync } from './import-model.ts'

export type Row =
  | { readonly state: 'waiting' }
  | { readonly state: 'working'; readonly progress: Progress }
  | { readonly state: 'done'; readonly outcome: Outcome }
  | { readonly state: 'failed'; readonly error: ApiError }
  | { readonly state: 'skipped' }

export interface ImportRun {
  readonly isDryRun: boolean
  readonly isRunning: boolean
  readonly isStopping: boolean
  readonly choices: readonly ImportSource[]
  readonly rows: Readonly<Record<string, Row>>
  readonly isUndone: boolean
}

/** Runs one source after the other. A failure is shown in the row of its source, and the next source starts. */
export function useImport() {
  const [run, setRun] = useState<ImportRun>()
  const stopping = useRef<AbortController>(undefined)

  const begin = async (choices: readonly ImportSource[], isDryRun: boolean) => {
    const ending = new AbortController()
    stopping.current = ending
    const rows: Record<string, Row> = Object.fromEntries(
      choices.map(({ key }) => [key, { state: 'waiting' }]),
    )
    const show = (more: Partial<ImportRun> = {}) =>
      setRun(before => ({
        isDryRun,
        isRunning: true,
        isStopping: before?.isStopping ?? false,
        choices,
        rows: { ...rows },
        isUndone: false,
        ...more,
      }))
    show({ isStopping: false })
    for (const choice of choices) {
      if (ending.signal.aborted) {
        rows[choice.key] = { state: 'skipped' }
        continue
      }
      rows[choice.key] = { state: 'working', progress: { done: 0, what: '' } }
      show()
      rows[choice.key] = await runOne(choice, isDryRun, ending.signal, progress => {
        rows[choice.key] = { state: 'working', progress }
        show()
      })
      show()
    }
    show({ isRunning: false, isStopping: false })
    if (!isDryRun) notifyChange()
  }

  /** Cancels a preview immediately. A running import of a source finishes, and the next one does not start. */
  const stop = () => {
    stopping.current?.abort()
    setRun(before => before && { ...before, isStopping: true })
  }

  const undo = async () => {
    try {
      const { failures } = await undoAll(run === undefined ? [] : recordsOf(run))
      if (failures.length > 0) showFailure(failures[0])
      else setRun(before => before && { ...before, isUndone: true })
    } catch (error) {
      showFailure(error)
    }
    notifyChange()
  }

  return { run, begin, stop, undo, reset: () => setRun(undefined) }
}

/** The journal records of a run, oldest first. */
export function recordsOf({ choices, rows }: ImportRun): readonly string[] {
  return choices.flatMap(({ key }) => {
    const row = rows[key]
    return row?.state === 'done' ? row.outcome.records : []
  })
}

async function runOne(
  choice: ImportSource,
  dryRun: boolean,
  stopped: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Row> {
  const options = dryRun ? { signal: stopped } : {}
  try {
    const outcome =
      choice.kind === 'sessions'
        ? outcomeOfSync(await callWithProgress('importSync', { dryRun }, onProgress, options))
        : outcomeOf(
            await callWithProgress('import', { ...importInputOf(choice), dryRun }, onProgress, options),
          )
    return { state: 'done', outcome }
  } catch (error) {
    if (stopped.aborted && !(error instanceof ApiError)) return { state: 'skipped' }
    return {
      state: 'failed',
      error:
        error instanceof ApiError
          ? error
          : new ApiError({ code: 'internal', message: String(error), hint: 'Reload the page.' }),
    }
  }
}
