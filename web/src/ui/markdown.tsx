import { createElement, memo, type ReactNode, useMemo, useState } from 'react'
import { type Messages, useWords } from '../language/language.tsx'
import { linkToEntry } from '../router.ts'
import { Button } from './button.tsx'
import { CodeBlock } from './code-block.tsx'
import './markdown.css'
import {
  type MarkdownToken,
  readMarkdown,
  safeAddress,
  type Tokens,
  type WikiToken,
  withoutEntities,
} from './markdown-tokens.ts'
import { markedText, marksPattern, together } from './marked-text.tsx'
import { visibleText } from './visible-text.ts'

const en = {
  showAll: 'Show all',
  cut: (shown: number, all: number) => `${shown} of ${all} characters shown.`,
  image: 'Image',
  table: 'Table',
  done: 'done',
  open: 'open',
}
const markdownWords: Messages<typeof en> = {
  en,
  pt: {
    showAll: 'Mostrar tudo',
    cut: (shown, all) => `${shown} de ${all} caracteres mostrados.`,
    image: 'Imagem',
    table: 'Tabela',
    done: 'concluída',
    open: 'aberta',
  },
}

/** The number of characters shown at first, and the maximum parsed as Markdown. The rest is plain text. */
const SHOWN_FIRST = 20_000
const READ_AT_MOST = 100_000
const MAX_DEPTH = 40

interface Props {
  readonly text: string
  /** The level of its highest heading, below the headings of the view (default 3). */
  readonly headingLevel?: number
  /** Words to mark in the text. */
  readonly marks?: readonly string[]
  /** Without the maximum line length. */
  readonly isWide?: boolean
}

/** Renders text from memory as Markdown, with React elements only. The browser never parses HTML from it. */
export const Markdown = memo(function Markdown({ text, headingLevel = 3, marks, isWide = false }: Props) {
  const words = useWords(markdownWords)
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? text : text.slice(0, SHOWN_FIRST)
  const marked = marks?.join('\n') ?? ''
  const body = useMemo(() => {
    const read = shown.slice(0, READ_AT_MOST)
    const tokens = readMarkdown(read)
    const rest = tokens === undefined ? shown : shown.slice(READ_AT_MOST)
    const render = renderer({ words, headingLevel, marks: marked === '' ? [] : marked.split('\n') })
    return (
      <>
        {tokens !== undefined && render(tokens)}
        {rest !== '' && <p className="raw">{visibleText(rest)}</p>}
      </>
    )
  }, [shown, words, headingLevel, marked])
  return (
    <div className={isWide ? 'markdown wide' : 'markdown'} dir="auto">
      {body}
      {shown.length < text.length && (
        <p className="row">
          <span className="soft">{words.cut(shown.length, text.length)}</span>
          <Button onClick={() => setWhole(true)}>{words.showAll}</Button>
        </p>
      )}
    </div>
  )
})

interface Settings {
  readonly words: typeof en
  readonly headingLevel: number
  readonly marks: readonly string[]
}

function renderer({ words, headingLevel, marks }: Settings) {
  // Heading levels increase one by one, so that screen readers find no gap.
  let lastLevel = headingLevel - 1
  const pattern = marksPattern(marks)
  const leaf = (text: string): ReactNode => markedText(visibleText(text), pattern)

  const all = (tokens: readonly MarkdownToken[] | undefined, depth: number): ReactNode =>
    together((tokens ?? []).map(token => one(token, depth + 1)))

  const link = (address: string, label: ReactNode): ReactNode => {
    const safe = safeAddress(address)
    if (safe === undefined)
      return (
        <>
          {label} ({leaf(address)})
        </>
      )
    return (
      <a href={safe} title={safe} target="_blank" rel="noopener noreferrer">
        {label}
      </a>
    )
  }

  const one = (token: MarkdownToken, depth: number): ReactNode => {
    if (depth > MAX_DEPTH) return leaf(token.raw)
    switch (token.type) {
      case 'space':
      case 'def':
        return null
      case 'heading': {
        const { depth: level, tokens } = token as Tokens.Heading
        lastLevel = Math.min(headingLevel - 1 + level, lastLevel + 1, 6)
        return createElement(`h${lastLevel}`, null, all(tokens, depth))
      }
      case 'paragraph':
        return <p>{all((token as Tokens.Paragraph).tokens, depth)}</p>
      case 'blockquote':
        return <blockquote>{all((token as Tokens.Blockquote).tokens, depth)}</blockquote>
      case 'hr':
        return <hr />
      case 'br':
        return <br />
      case 'code': {
        const { text, lang } = token as Tokens.Code
        return (
          <CodeBlock code={text} language={/^[\w+#-]{1,20}/.exec(lang ?? '')?.[0]?.toLowerCase() ?? ''} />
        )
      }
      case 'list':
        return list(token as Tokens.List, depth)
      case 'checkbox': {
        const isDone = (token as Tokens.Checkbox).checked
        return (
          <input
            type="checkbox"
            checked={isDone}
            disabled
            readOnly
            aria-label={isDone ? words.done : words.open}
          />
        )
      }
      case 'table':
        return table(token as Tokens.Table, depth)
      case 'strong':
        return <strong>{all((token as Tokens.Strong).tokens, depth)}</strong>
      case 'em':
        return <em>{all((token as Tokens.Em).tokens, depth)}</em>
      case 'del':
        return <del>{all((token as Tokens.Del).tokens, depth)}</del>
      case 'codespan':
        return <code>{leaf((token as Tokens.Codespan).text)}</code>
      case 'link': {
        const { href, tokens } = token as Tokens.Link
        return link(href, all(tokens, depth))
      }
      case 'image': {
        // External images are never loaded.
        const { href, text } = token as Tokens.Image
        return link(href, leaf(`${words.image}: ${text === '' ? href : text}`))
      }
      case 'wiki': {
        const { id } = token as WikiToken
        return <a href={linkToEntry(id)}>{leaf(id)}</a>
      }
      case 'html': {
        const { raw, block } = token as Tokens.HTML & { block?: boolean }
        return block ? <p className="raw">{leaf(raw.trimEnd())}</p> : leaf(raw)
      }
      case 'text': {
        const { text, tokens } = token as Tokens.Text
        return tokens === undefined ? leaf(withoutEntities(text)) : all(tokens, depth)
      }
      case 'escape':
        return leaf(withoutEntities((token as Tokens.Escape).text))
      default:
        return leaf(token.raw)
    }
  }

  const list = ({ ordered, start, items }: Tokens.List, depth: number): ReactNode => {
    const rows = together(
      items.map(({ task, tokens }) =>
        createElement('li', { className: task ? 'task' : undefined }, all(tokens, depth)),
      ),
    )
    return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>
  }

  const table = ({ header, rows }: Tokens.Table, depth: number): ReactNode => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls.
    <div className="table" role="group" aria-label={words.table} tabIndex={0}>
      <table>
        <thead>
          <tr>{together(header.map(({ tokens, align }) => cell('th', all(tokens, depth), align)))}</tr>
        </thead>
        <tbody>
          {together(
            rows.map(cells =>
              createElement(
                'tr',
                null,
                together(cells.map(({ tokens, align }) => cell('td', all(tokens, depth), align))),
              ),
            ),
          )}
        </tbody>
      </table>
    </div>
  )

  return (tokens: readonly MarkdownToken[]) => all(tokens, 0)
}

function cell(tag: 'th' | 'td', content: ReactNode, align: Tokens.TableCell['align']): ReactNode {
  return createElement(
    tag,
    { ...(tag === 'th' && { scope: 'col' }), ...(align !== null && { style: { textAlign: align } }) },
    content,
  )
}
