import type { Config } from './config.ts'

/** What a person says yes to on a machine, whole: where every entry, every document of a workspace and every question would be sent, and with which key. */
export interface EmbedderTerms {
  readonly url: string
  readonly model: string
  /** The NAME of the environment variable with the key. */
  readonly keyVariable: string
}

/** undefined: nothing leaves this machine's processes, so there is nothing to ask for. */
export function embedderTerms(config: Config): EmbedderTerms | undefined {
  if (config['embedder.use'] !== 'http') return undefined
  return {
    url: config['embedder.url'],
    model: config['embedder.model'],
    keyVariable: config['embedder.keyVariable'],
  }
}

/** Equal terms, equal text: the order of the keys is ours. */
export function embedderTermsText({ url, model, keyVariable }: EmbedderTerms): string {
  return JSON.stringify({ url, model, keyVariable })
}
