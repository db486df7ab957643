import type { Config } from './config.ts'

/** How a language model is reached and what it may cost: the keys `model.*`, with the defaults of empty ones. */
type ModelSettings = { readonly use: 'off' } | (ModelTerms & { readonly timeoutMs: number })

/**
 * What the user agrees to on a machine. The agreement ends if the address, the program, the name of the key's variable or the cost limit
 * changes.
 */
export type ModelTerms = ModelLimits &
  (
    | {
        readonly use: 'anthropic' | 'openai'
        readonly url: string
        readonly name: string
        readonly keyVariable: string
      }
    | { readonly use: 'cli'; readonly command: readonly string[] }
  )

interface ModelLimits {
  readonly dailyTokens: number
  readonly dailyCents: number
  /** US cents per million tokens; 0: unknown. */
  readonly inputPrice: number
  readonly outputPrice: number
  readonly maxOutputTokens: number
}

const DEFAULT_URLS = { anthropic: 'https://api.anthropic.com', openai: 'http://127.0.0.1:11434/v1' } as const

export function modelSettings(config: Config): ModelSettings {
  const use = config['model.use']
  if (use === 'off') return { use }
  const limits = {
    dailyTokens: config['model.dailyTokens'],
    dailyCents: config['model.dailyCents'],
    inputPrice: config['model.inputPrice'],
    outputPrice: config['model.outputPrice'],
    maxOutputTokens: config['model.maxOutputTokens'],
    timeoutMs: config['model.timeoutMs'],
  }
  if (use === 'cli') return { use, command: config['model.command'], ...limits }
  return {
    use,
    url: config['model.url'] || DEFAULT_URLS[use],
    name: config['model.name'],
    keyVariable: config['model.keyVariable'],
    ...limits,
  }
}

/** The timeout affects neither privacy nor cost, so it is not part of the agreement. */
export function modelTermsOf({
  timeoutMs: _,
  ...terms
}: ModelTerms & { readonly timeoutMs: number }): ModelTerms {
  return terms
}

/** Equal terms give equal text: the order of the keys is fixed here. */
export function termsText(terms: ModelTerms): string {
  const { use, dailyTokens, dailyCents, inputPrice, outputPrice, maxOutputTokens } = terms
  const where =
    terms.use === 'cli'
      ? { command: terms.command }
      : { url: terms.url, name: terms.name, keyVariable: terms.keyVariable }
  return JSON.stringify({ use, ...where, dailyTokens, dailyCents, inputPrice, outputPrice, maxOutputTokens })
}

/** The name in lists and logs. */
export function modelLabel(terms: ModelTerms): string {
  return terms.use === 'cli' ? `cli:${terms.command[0] ?? ''}` : `${terms.use}:${terms.name}`
}

export const MICRO_USD_A_CENT = 10_000

/** tokens · cents / 1,000,000 in cents, so tokens · cents / 100 in millionths of a dollar; rounded up. */
export function costMicroUsd(
  used: { readonly inputTokens: number; readonly outputTokens: number },
  price: { readonly inputPrice: number; readonly outputPrice: number },
): number {
  return Math.ceil((used.inputTokens * price.inputPrice + used.outputTokens * price.outputPrice) / 100)
}

export function hasPrice(price: { readonly inputPrice: number; readonly outputPrice: number }): boolean {
  return price.inputPrice > 0 || price.outputPrice > 0
}

/** A host's command line adds its own instructions and list of tools: 10 to 25 thousand tokens were observed. */
const CLI_OVERHEAD_TOKENS = 30_000

/** Input tokens in addition to the prompt. */
export function overheadTokens(terms: ModelTerms): number {
  return terms.use === 'cli' ? CLI_OVERHEAD_TOKENS : 0
}
