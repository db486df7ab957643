import type { Distiller, ModelUse } from '../features/learning/decide/ports.ts'
import type { Config } from '../kernel/model/config.ts'
import { CairnError } from '../kernel/model/errors.ts'
import { type ModelTerms, modelSettings, modelTermsOf, termsText } from '../kernel/model/model-settings.ts'
import type { AllowanceFile } from '../stores/files/allowance-file.ts'
import { composeConsent } from './compose-consent.ts'

interface ModelParts {
  readonly config: () => Config
  readonly allowances: AllowanceFile
  readonly now: () => string
  /** Cairn itself started the surrounding process. */
  readonly isInternal: boolean
}

/** The model that config.json names, and a client for it once this user has allowed it. */
export function composeModel({ config, allowances, now, isInternal }: ModelParts): ModelUse {
  const { standing, allow, forbid } = composeConsent({
    terms: () => {
      const settings = modelSettings(config())
      return settings.use === 'off' ? undefined : modelTermsOf(settings)
    },
    textOf: termsText,
    allowances,
    now,
    verb: 'model',
    nothingToAllow: switchedOff,
  })
  let opened: { readonly code: string; readonly distiller: Promise<Distiller> } | undefined

  return {
    standing: async () => standing(),

    allow: async code => allow(code),

    forbid: async () => forbid(),

    async distiller() {
      if (isInternal) throw insideItself()
      const current = standing()
      if (current.kind === 'off') throw switchedOff()
      if (current.kind === 'not_allowed') throw notAllowed(current)
      if (opened?.code !== current.code)
        opened = { code: current.code, distiller: open(current.terms, config()['model.timeoutMs']) }
      return opened.distiller
    },
  }
}

async function open(terms: ModelTerms, timeoutMs: number): Promise<Distiller> {
  switch (terms.use) {
    case 'anthropic':
      return (await import('../providers/distiller/anthropic.ts')).openAnthropic({ ...terms, timeoutMs })
    case 'openai':
      return (await import('../providers/distiller/openai-compatible.ts')).openOpenAiCompatible({
        ...terms,
        timeoutMs,
      })
    case 'cli':
      return (await import('../providers/distiller/host-cli.ts')).openHostCli({ ...terms, timeoutMs })
  }
}

function switchedOff(): CairnError {
  return new CairnError({
    code: 'model_off',
    message: 'No model is used here (`model.use` is off).',
    hint: '`cairn config set model.use openai`, then `cairn model allow`.',
  })
}

function insideItself(): CairnError {
  return new CairnError({
    code: 'model_off',
    message: 'This runs inside a model that Cairn asked, and asks none itself.',
    hint: 'Unset CAIRN_INTERNAL if that is not so.',
  })
}

function notAllowed({ why }: { readonly why: 'none' | 'changed' | 'damaged' }): CairnError {
  const reasons = {
    none: 'The model in config.json was not allowed on this machine yet.',
    changed: 'The settings of the model have changed since they were allowed on this machine.',
    damaged: 'The file with what was allowed on this machine cannot be read.',
  }
  return new CairnError({
    code: 'not_confirmed',
    message: reasons[why],
    hint: '`cairn model allow` shows what would be contacted or run, and how to say yes.',
  })
}
