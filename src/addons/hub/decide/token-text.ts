/**
 * A token as it is handed over: `cairn_<id>_<secret>`, both in base 16. The id is public: lists and the audit name the token by it. The
 * secret has 256 bits of chance, so its SHA-256 can be kept without salt or slowness: there is nothing to guess.
 */
const TOKEN = /^cairn_([0-9a-f]{16})_([0-9a-f]{64})$/
export const ID_BYTES = 8
export const SECRET_BYTES = 32

export interface TokenParts {
  readonly id: string
  readonly secret: string
}

export function tokenText({ id, secret }: TokenParts): string {
  return `cairn_${id}_${secret}`
}

/** undefined: it is none of a hub. */
export function parseToken(text: string): TokenParts | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}
