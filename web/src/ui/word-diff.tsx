import { useMemo } from 'react'
import { type DiffPart, diffWords } from './diff-words.ts'
import { visibleText } from './visible-text.ts'
import './word-diff.css'

/** Two versions in one text: removed words are struck through, added words underlined, never by colour alone. */
export function WordDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = useMemo(() => diffWords(before, after), [before, after])
  return <DiffText parts={parts} />
}

/** One of two versions side by side, with only its own words marked. Neither version replaces the other. */
export function DiffSide({
  before,
  after,
  side,
}: {
  readonly before: string
  readonly after: string
  readonly side: 'before' | 'after'
}) {
  const parts = useMemo(() => diffWords(before, after), [before, after])
  const own = parts.filter(({ kind }) => kind !== (side === 'before' ? 'added' : 'removed'))
  return (
    <p className="word-diff">
      {own.map(({ kind, text }, at) =>
        kind === 'same' ? (
          <span key={keyOf(at)}>{visibleText(text)}</span>
        ) : (
          <mark key={keyOf(at)}>{visibleText(text)}</mark>
        ),
      )}
    </p>
  )
}

function DiffText({ parts }: { readonly parts: readonly DiffPart[] }) {
  return (
    <p className="word-diff">
      {parts.map(({ kind, text }, at) => {
        if (kind === 'removed') return <del key={keyOf(at)}>{visibleText(text)}</del>
        if (kind === 'added') return <ins key={keyOf(at)}>{visibleText(text)}</ins>
        return <span key={keyOf(at)}>{visibleText(text)}</span>
      })}
    </p>
  )
}

/** The parts have no ids, and their order within one diff is fixed. */
function keyOf(at: number): string {
  return `part ${at}`
}
