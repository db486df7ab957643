import { isFields, textField } from './payload-fields.ts'

/** What one line of a host's transcript says, as far as the worker needs it while a session runs. */
export type TranscriptEvent =
  /** A turn of the user begins here. */
  | { readonly kind: 'prompt' }
  | {
      readonly kind: 'said'
      readonly text: string
      /** UTC ISO, where the transcript has a time. */
      readonly at?: string
      /** Set where the host may write the same message again. */
      readonly id?: string
    }

export const PROMPT: TranscriptEvent = { kind: 'prompt' }

/** A message of the agent; undefined: it has no text. */
export function messageEvent(text: string, timestamp: unknown, id?: string): TranscriptEvent | undefined {
  if (text.trim() === '') return undefined
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return {
    kind: 'said',
    text,
    ...(!Number.isNaN(ms) && { at: new Date(ms).toISOString() }),
    ...(id !== undefined && { id }),
  }
}

/** A text, or the parts of one that are of this type. */
export function partsText(content: unknown, type: string): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap(part => {
      if (!isFields(part)) return typeof part === 'string' ? [part] : []
      const isOther = typeof part.type === 'string' && part.type !== type
      return isOther ? [] : (textField(part, 'text') ?? [])
    })
    .join('\n')
}
