import { reservedNames } from '../layout.ts'
import { CairnError } from './errors.ts'

const MAX_LENGTH = 64
const ALLOWED = /^[A-Za-z0-9._-]+$/
const NOT_ALLOWED = /[^a-z0-9._-]+/g
const MAY_BE_KEY = /(?=[a-z]*\d)[a-z0-9]{16,}/
const STARTS_WELL = /^[A-Za-z0-9]/

/** Windows refuses these as a file name, with any extension. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/

/**
 * The folder name of an agent, in lower case. Throws `agent_id_invalid` if the text is not a valid name on every file system, or if Cairn
 * uses the name itself.
 */
export function parseAgentId(text: string): string {
  const broken = brokenRule(text)
  if (broken !== undefined) {
    const suggestion = suggestAgentId(text)
    // A key in lower case is not recognised any more, so a name that could be a key is not repeated.
    const isPlain = !MAY_BE_KEY.test(suggestion)
    throw new CairnError({
      code: 'agent_id_invalid',
      message: `"${shown(text)}" cannot be an agent id: ${broken}`,
      hint: isPlain ? `${broken}. Try "${suggestion}".` : `${broken}.`,
      ...(isPlain && { details: { suggestion } }),
    })
  }
  return text.toLowerCase()
}

function brokenRule(text: string): string | undefined {
  if (text === '') return 'an agent id has at least one character'
  if (text.length > MAX_LENGTH) return `an agent id has at most ${MAX_LENGTH} characters`
  // Before folding: the Kelvin sign would become a plain k.
  if (!ALLOWED.test(text)) return 'an agent id is made of a-z, 0-9, ".", "_" and "-"'
  if (!STARTS_WELL.test(text)) return 'an agent id starts with a letter or a digit'
  if (text.endsWith('.')) return 'an agent id does not end with a dot'
  const id = text.toLowerCase()
  if (WINDOWS_DEVICE.test(id)) return 'Windows reserves this name'
  if (isTaken(id)) return 'Cairn uses this name itself'
  return undefined
}

/** Always a valid id, as close to the typed text as the rules allow. */
export function suggestAgentId(text: string): string {
  const plain = text
    .slice(0, 4 * MAX_LENGTH)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(NOT_ALLOWED, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, MAX_LENGTH)
    .replace(/[._-]+$/, '')
  if (plain === '') return 'agent'
  return brokenRule(plain) === undefined ? plain : `agent-${plain}`.slice(0, MAX_LENGTH)
}

function shown(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

/** A name in `.memory/` that Cairn uses itself, never an agent. */
export function isTaken(name: string): boolean {
  return reservedNames().has(name.toLowerCase())
}
