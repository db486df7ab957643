import type { EmbedderUse } from '../features/search/decide/ports.ts'
import type { Config } from '../kernel/model/config.ts'
import { embedderTerms, embedderTermsText } from '../kernel/model/consent.ts'
import { CairnError } from '../kernel/model/errors.ts'
import type { AllowanceFile } from '../stores/files/allowance-file.ts'
import { composeConsent } from './compose-consent.ts'

/** The user's consent to the HTTP embedder on this machine. Loaded only if one is configured. */
export function composeEmbedder(parts: {
  readonly config: () => Config
  readonly allowances: AllowanceFile
  readonly now: () => string
}): EmbedderUse {
  const consent = composeConsent({
    terms: () => embedderTerms(parts.config()),
    textOf: embedderTermsText,
    allowances: parts.allowances,
    now: parts.now,
    verb: 'embedder',
    nothingToAllow,
  })
  return {
    standing: async () => consent.standing(),
    allow: async code => consent.allow(code),
    forbid: async () => consent.forbid(),
  }
}

function nothingToAllow(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message:
      'Nothing is sent to an embedder here (`embedder.use` is not http), so there is nothing to allow.',
    hint: '`cairn config set embedder.use http`, then `cairn embedder allow`.',
  })
}
