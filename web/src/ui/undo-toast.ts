import { call } from '../api/client.ts'
import { tellLive } from '../api/live.ts'
import { currentLanguage } from '../language/language.tsx'
import { say, sayFailure } from './toasts.tsx'

const WORDS = {
  en: { undo: 'Undo', undone: 'Taken back.' },
  pt: { undo: 'Desfazer', undone: 'Desfeito.' },
}

/**
 * Says what was done, with a button that takes it back. `record` is the one that the change answered with; without one the change
 * cannot be named, and nothing is offered.
 */
export function undoToast(text: string, record: string | null | undefined): void {
  const words = WORDS[currentLanguage()]
  if (record === null || record === undefined) say(text)
  else say(text, { action: { label: words.undo, run: () => void takeBack(record) } })
}

/** Takes a change back, and says so. */
export async function takeBack(record: string | undefined): Promise<void> {
  try {
    await call('undo', record === undefined ? {} : { record })
    say(WORDS[currentLanguage()].undone)
    tellLive()
  } catch (error) {
    sayFailure(error)
  }
}
