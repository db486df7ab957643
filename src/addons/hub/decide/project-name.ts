import { CairnError } from '../../../kernel/model/errors.ts'
import { COMMAND_LINE, SERVER_ITSELF } from '../../../kernel/model/hub.ts'

/** It is part of an address, of file names in a backup and of texts for agents. */
const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/

/** Other names are not looked up: PostgreSQL rejects NUL. */
export function isProjectName(text: string): boolean {
  return NAME.test(text) && !text.includes('..')
}

export function parseProjectName(text: string): string {
  if (isProjectName(text)) return text
  throw new CairnError({
    code: 'invalid_input',
    message: `"${text.slice(0, 80)}" cannot be the name of a project on a hub.`,
    hint: 'Up to 64 of a-z, 0-9, ".", "_" and "-", with a letter or a digit first and last: for example payments-api.',
  })
}

const PRINCIPAL = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._@+-]{0,62}[\p{L}\p{N}])?$/u
/** A name with its prefixes (own-tokens.ts). */
const MAX_NAME_CHARACTERS = 200

/** Reserved: no token may have these names. */
const TAKEN: ReadonlySet<string> = new Set([COMMAND_LINE, SERVER_ITSELF])

/** `ana`, or `boss/ci-bot`: created by a project administrator. */
export function parsePrincipalName(text: string): string {
  const isName =
    text.length <= MAX_NAME_CHARACTERS &&
    text.split('/').every(part => PRINCIPAL.test(part) && !TAKEN.has(part.toLowerCase()))
  if (isName) return text
  throw new CairnError({
    code: 'invalid_input',
    message: `"${text.slice(0, 80)}" cannot be the name of a user or an agent.`,
    hint: 'Up to 64 letters, digits, spaces and . _ @ + -: for example ana, or ci-bot.',
  })
}
