import { CairnError } from '../../kernel/model/errors.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { Question } from '../../verbs/operation.ts'

/** Where no person looks, what is asked was shown, and nothing is done. */
export async function askYesOrNo(
  { text, isYesByDefault, hint }: Question,
  terminal: Terminal,
): Promise<boolean> {
  if (!terminal.isInteractive) {
    // A question of its own on top of the first has its answer in the default.
    if (!isYesByDefault) return false
    throw new CairnError({
      code: 'not_confirmed',
      message: 'Nothing was changed: this needs confirmation, and there is no terminal to ask on.',
      hint,
    })
  }
  const answer = await terminal.ask(
    `\n${terminal.bold(visible(text))} ${isYesByDefault ? '[Y/n]' : '[y/N]'} `,
  )
  return answer === '' ? isYesByDefault : /^(?:y|yes|j|ja|s|sim|oui)$/i.test(answer)
}
