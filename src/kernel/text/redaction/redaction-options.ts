import type { Config } from '../../model/config.ts'
import { CairnError } from '../../model/errors.ts'
import type { RedactOptions } from './redact.ts'

/** The options for `redact` from the configuration. */
export function redactionOptions(config: Config): RedactOptions {
  return {
    emails: config['redaction.emails'],
    personalNumbers: config['redaction.personalNumbers'],
    allow: config['redaction.allow'].map(compileAllow),
  }
}

function compileAllow(pattern: string): RegExp {
  try {
    return new RegExp(pattern)
  } catch (cause) {
    throw new CairnError({
      code: 'config_value_invalid',
      message: `\`redaction.allow\` contains a pattern that is not a regular expression: ${pattern}`,
      hint: 'Correct it with `cairn config set redaction.allow …`.',
      cause,
    })
  }
}
