import type { Answered } from '../api/client.ts'
import { call } from '../api/client.ts'
import { tellLive } from '../api/live.ts'
import { currentLanguage } from '../language/language.tsx'
import { say, sayFailure } from './toasts.tsx'

const WORDS = {
  en: { undo: 'Undo', undone: 'Taken back.' },
  pt: { undo: 'Desfazer', undone: 'Desfeito.' },
}

type Action = Answered<'log'>['records'][number]['action']

/**
 * The journal's record of what was just done to an entry, or to a document such as curation.json, where the answer did not name it.
 * Only a record of the expected kind is taken: what somebody else did in the same moment is not ours to undo.
 */
export async function recordOf(target: string, actions: readonly Action[]): Promise<string | undefined> {
  const { records } = await call('log', { entry: target, limit: 5 })
  return records.find(({ action, undone }) => actions.includes(action) && !undone)?.id
}

/** Takes records back, the newest first: that is how they can be. */
export async function undoAll(records: readonly string[]): Promise<void> {
  for (const record of [...records].reverse()) await call('undo', { record })
}

interface WayBack {
  /** Of what was done, in its order. */
  readonly records: readonly string[]
  /** Called when it was taken back, or when that failed. */
  onUndone?(): void
}

/**
 * Says what was done, with a way back where there is one: of several records at once, if several were written. The way back is handed
 * over as well, for a key.
 */
export function sayDone(text: string, { records, onUndone }: WayBack): (() => void) | undefined {
  if (records.length === 0) {
    say(text)
    return undefined
  }
  const words = WORDS[currentLanguage()]
  let isTaken = false
  const run = () => {
    // The button and the key mean the same undo: the second one would find nothing to take back.
    if (isTaken) return
    isTaken = true
    undoAll(records)
      .then(() => say(words.undone), sayFailure)
      .finally(() => {
        onUndone?.()
        tellLive()
      })
  }
  say(text, { action: { label: words.undo, run } })
  return run
}
