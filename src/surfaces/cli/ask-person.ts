import { CairnError } from '../../kernel/model/errors.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { Question } from '../../verbs/operation.ts'

/** Without a terminal nothing is done: a question whose default is yes throws `not_confirmed`. */
export async function askYesOrNo(
  { text, isYesByDefault, hint }: Question,
  terminal: Terminal,
): Promise<boolean> {
  if (!terminal.isInteractive) {
    // For this question the default answer is enough.
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

/** Shows the matches and asks which one is meant. Any answer but a number changes nothing. */
export async function chooseCandidate(error: CairnError, terminal: Terminal): Promise<string> {
  const candidates = (error.details?.candidates ?? []) as readonly { id: string; snippet: string }[]
  candidates.forEach(({ id, snippet }, at) => {
    terminal.err(
      `  ${terminal.bold(String(at + 1))}  ${terminal.dim(visibleName(id))}  ${visible(snippet)}\n`,
    )
  })
  const answer = await terminal.ask(`Which one? [1-${candidates.length}, Enter for none] `)
  const chosen = candidates[Number(answer) - 1]
  if (chosen !== undefined && /^\d+$/.test(answer)) return chosen.id
  throw new CairnError({
    code: 'not_confirmed',
    message: 'Nothing was changed.',
    hint: 'Name the entry by its id.',
  })
}
