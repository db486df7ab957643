import { CairnError } from '../../kernel/model/errors.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'

/** Shows what matched and asks which one is meant. Anything but a number leaves everything as it is. */
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
