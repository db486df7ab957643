import type { Config } from './config.ts'

/** Whether the user of this machine has allowed what config.json asks for. */
export type ConsentState<Terms> =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'allowed'
      readonly terms: Terms
      readonly code: string
      /** UTC, to the minute. */
      readonly since: string
    }
  | {
      readonly kind: 'not_allowed'
      readonly terms: Terms
      readonly code: string
      /** `changed`: the user allowed other settings. */
      readonly why: 'none' | 'changed' | 'damaged'
    }

/** What the user agrees to on a machine: where every entry, workspace document and question would be sent, and with which key. */
export interface EmbedderTerms {
  readonly url: string
  readonly model: string
  /** The NAME of the environment variable that has the key. */
  readonly keyVariable: string
}

/** undefined: nothing leaves the processes of this machine, so no consent is needed. */
export function embedderTerms(config: Config): EmbedderTerms | undefined {
  if (config['embedder.use'] !== 'http') return undefined
  return {
    url: config['embedder.url'],
    model: config['embedder.model'],
    keyVariable: config['embedder.keyVariable'],
  }
}

/** Equal terms give equal text: the order of the keys is fixed here. */
export function embedderTermsText({ url, model, keyVariable }: EmbedderTerms): string {
  return JSON.stringify({ url, model, keyVariable })
}
