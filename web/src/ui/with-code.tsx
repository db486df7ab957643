import { visibleText } from './visible-text.ts'

/** A sentence in which `words like these` are code. */
export function WithCode({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position.
    at % 2 === 1 ? <code key={at}>{visibleText(part)}</code> : visibleText(part),
  )
}
