import { memo, useId, useMemo, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { piecesOf } from './checklist.ts'
import type { Listed } from './pages.ts'
import { vaultWords } from './words.ts'

/** Longer texts are collapsed. */
const FOLDED_CHARACTERS = 700
const FOLDED_LINES = 12

interface Props {
  readonly content: string
  readonly isWhole?: boolean
  /** Ticks the checkbox of a line; without it the checkboxes are read-only. */
  readonly onTick?: ((line: number, isDone: boolean) => void) | undefined
}

/** The text of an entry: Markdown with checkboxes. */
export const EntryText = memo(function EntryText({ content, isWhole = false, onTick }: Props) {
  const words = useWords(vaultWords)
  const [isUnfolded, setUnfolded] = useState(false)
  const isLong = useMemo(() => isFoldable(content), [content])
  const isFolded = isLong && !isWhole && !isUnfolded
  const pieces = useMemo(() => piecesOf(isFolded ? beginningOf(content) : content), [content, isFolded])
  return (
    <div className="entry-text">
      <div className={isFolded ? 'folded' : undefined}>
        {pieces.map((piece, at) =>
          piece.kind === 'text' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position.
            <Markdown key={at} text={piece.text} />
          ) : (
            <Tick key={`line ${piece.line}`} {...piece} onTick={onTick} />
          ),
        )}
      </div>
      {isLong && !isWhole && (
        <Button
          variant="plain"
          className="more"
          aria-expanded={!isFolded}
          onClick={() => setUnfolded(isFolded)}
        >
          {isFolded ? words.more : words.less}
        </Button>
      )}
    </div>
  )
})

function Tick({
  line,
  isDone,
  text,
  onTick,
}: {
  readonly line: number
  readonly isDone: boolean
  readonly text: string
  readonly onTick: Props['onTick']
}) {
  const id = useId()
  return (
    <div className={isDone ? 'tick done' : 'tick'}>
      <input
        type="checkbox"
        checked={isDone}
        disabled={onTick === undefined}
        aria-labelledby={id}
        onChange={() => onTick?.(line, !isDone)}
      />
      <div id={id}>
        <Markdown text={text} />
      </div>
    </div>
  )
}

/** The part of the text that a search found, with the words marked. */
export function Snippet({ snippet, matches }: NonNullable<Listed['found']>) {
  const parts: { readonly text: string; readonly isMatch: boolean; readonly at: number }[] = []
  let at = 0
  for (const { start, end } of matches) {
    if (start > at) parts.push({ text: snippet.slice(at, start), isMatch: false, at })
    if (end > Math.max(start, at))
      parts.push({ text: snippet.slice(Math.max(start, at), end), isMatch: true, at: start })
    at = Math.max(at, end)
  }
  if (at < snippet.length) parts.push({ text: snippet.slice(at), isMatch: false, at })
  return (
    <p className="snippet" dir="auto">
      {parts.map(({ text, isMatch, at: place }) =>
        isMatch ? <mark key={place}>{visibleText(text)}</mark> : <span key={place}>{visibleText(text)}</span>,
      )}
    </p>
  )
}

function isFoldable(content: string): boolean {
  return (
    content.length > FOLDED_CHARACTERS * 1.3 ||
    content.split('\n', FOLDED_LINES + 4).length > FOLDED_LINES + 3
  )
}

/** Cuts at the end of a line if possible. */
function beginningOf(content: string): string {
  const lines = content.split('\n').slice(0, FOLDED_LINES).join('\n')
  if (lines.length <= FOLDED_CHARACTERS) return lines
  const space = lines.lastIndexOf(' ', FOLDED_CHARACTERS)
  return `${lines.slice(0, space > FOLDED_CHARACTERS / 2 ? space : FOLDED_CHARACTERS)} …`
}
