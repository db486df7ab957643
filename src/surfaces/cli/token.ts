import { CairnError } from '../../kernel/model/errors.ts'
import { tokenFile } from '../../kernel/system/token-file.ts'
import type { GlobalOptions } from './arguments.ts'

/** `cairn token`: made where there is none. Servers that run take a new one at once. */
export function tokenAnswer(words: readonly string[], { json }: Pick<GlobalOptions, 'json'>): string {
  const other = words.find(word => word !== '--new')
  if (other !== undefined)
    throw new CairnError({
      code: 'invalid_input',
      message: `cairn token does not take "${other.slice(0, 40)}".`,
      hint: 'It takes --new, which makes another one.',
    })
  const file = tokenFile()
  const token = words.length > 0 ? file.renew() : file.read()
  return json ? `${JSON.stringify({ token, path: file.path })}\n` : `${token}\n`
}
