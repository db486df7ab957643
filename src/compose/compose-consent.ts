import { createHash } from 'node:crypto'
import type { ConsentState } from '../kernel/model/consent.ts'
import { CairnError } from '../kernel/model/errors.ts'
import type { AllowanceFile } from '../stores/files/allowance-file.ts'

interface ConsentParts<Terms> {
  /** What config.json requests now; undefined: nothing that needs consent. */
  readonly terms: () => Terms | undefined
  /** Equal terms, equal text. */
  readonly textOf: (terms: Terms) => string
  readonly allowances: AllowanceFile
  readonly now: () => string
  /** For messages: `model` for `cairn model allow`. */
  readonly verb: 'model' | 'embedder'
  readonly nothingToAllow: () => CairnError
}

interface Consent<Terms> {
  standing(): ConsentState<Terms>
  /** Throws `not_confirmed` if it is the code of other terms. */
  allow(code: string): ConsentState<Terms>
  /** false: there was no consent. */
  forbid(): boolean
}

/**
 * `config.json` comes with the repository, and so do its addresses, programs and names of variables. None is used before the user of this
 * machine has seen and allowed exactly these.
 */
export function composeConsent<Terms>(parts: ConsentParts<Terms>): Consent<Terms> {
  const { allowances, textOf } = parts
  const standing = (): ConsentState<Terms> => {
    const terms = parts.terms()
    if (terms === undefined) return { kind: 'off' }
    const code = codeOf(textOf(terms))
    const found = allowances.find()
    if (found.kind === 'allowed' && found.terms === textOf(terms))
      return { kind: 'allowed', terms, code, since: found.at }
    return { kind: 'not_allowed', terms, code, why: found.kind === 'allowed' ? 'changed' : found.kind }
  }
  return {
    standing,
    allow(code) {
      const current = standing()
      if (current.kind === 'off') throw parts.nothingToAllow()
      if (code !== current.code) throw otherTerms(code, parts.verb)
      allowances.put(textOf(current.terms), parts.now())
      return standing()
    },
    forbid: () => allowances.remove(),
  }
}

/** The user types it to allow what was shown, and nothing that changed since. */
function codeOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}

function otherTerms(code: string, verb: string): CairnError {
  return new CairnError({
    code: 'not_confirmed',
    message: `${JSON.stringify(code.slice(0, 20))} is not the code of the settings as they are now.`,
    hint: `\`cairn ${verb} allow\` shows them, with their code.`,
  })
}
