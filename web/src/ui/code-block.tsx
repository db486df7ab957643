import { createElement, Fragment, type ReactNode, useEffect, useState } from 'react'
import type { CodePiece } from './highlight.ts'
import { visibleText } from './visible-text.ts'

/** Longer code is not highlighted, because that would block the page. */
const MAX_HIGHLIGHTED = 20_000

const CLASS_BY_SCOPE: Readonly<Record<string, string>> = {
  comment: 'code-comment',
  quote: 'code-comment',
  keyword: 'code-keyword',
  'selector-tag': 'code-keyword',
  name: 'code-keyword',
  literal: 'code-number',
  number: 'code-number',
  symbol: 'code-number',
  meta: 'code-comment',
  string: 'code-string',
  regexp: 'code-string',
  attr: 'code-title',
  attribute: 'code-title',
  title: 'code-title',
  built_in: 'code-title',
  type: 'code-title',
  section: 'code-title',
  addition: 'code-added',
  deletion: 'code-removed',
}

/** A code block. It is highlighted once the languages have loaded. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }) {
  const [pieces, setPieces] = useState<readonly CodePiece[]>()
  useEffect(() => {
    setPieces(undefined)
    if (language === '' || code.length > MAX_HIGHLIGHTED) return
    let isLeft = false
    void import('./highlight.ts').then(({ highlight }) => {
      if (!isLeft) setPieces(highlight(code, language))
    })
    return () => {
      isLeft = true
    }
  }, [code, language])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre tabIndex={0}>
      <code>
        {pieces === undefined ? visibleText(code) : createElement(Fragment, null, ...pieces.map(element))}
      </code>
    </pre>
  )
}

function element(piece: CodePiece): ReactNode {
  if (typeof piece === 'string') return visibleText(piece)
  const className = CLASS_BY_SCOPE[piece.scope?.split('.')[0] ?? '']
  return createElement('span', { className }, ...piece.children.map(element))
}
