import { createElement, Fragment, type ReactNode } from 'react'
import { visibleText } from './visible-text.ts'

/** Siblings that never change their order need no keys. */
export function together(nodes: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...nodes)
}

/** A text with the given words marked. */
export function Marked({ text, marks }: { readonly text: string; readonly marks: readonly string[] }) {
  return <>{markedText(visibleText(text), marksPattern(marks))}</>
}

export function marksPattern(marks: readonly string[]): RegExp | undefined {
  const wanted = marks
    .filter(mark => mark.trim() !== '')
    .map(mark => mark.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return wanted.length === 0 ? undefined : new RegExp(`(${wanted.join('|')})`, 'gi')
}

export function markedText(text: string, pattern: RegExp | undefined): ReactNode {
  if (pattern === undefined) return text
  // `split` with a capture group puts the matches at odd positions.
  return together(
    text.split(pattern).map((piece, at) => (at % 2 === 1 ? createElement('mark', null, piece) : piece)),
  )
}
