/** `- [ ] text` or `- [x] text`, on a line of its own, as the verb `task` knows it. */
const CHECKBOX = /^(\s*[-*] \[)([ xX])(\] )(.*)$/
const FENCE = /^\s*(```|~~~)/

type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'box'; readonly line: number; readonly isDone: boolean; readonly text: string }

/** Splits a text at its checkboxes, except those in code. */
export function piecesOf(content: string): Piece[] {
  const pieces: Piece[] = []
  let text: string[] = []
  let isCode = false
  const flush = () => {
    const joined = text.join('\n')
    if (joined.trim() !== '') pieces.push({ kind: 'text', text: joined })
    text = []
  }
  content.split('\n').forEach((line, at) => {
    if (FENCE.test(line)) isCode = !isCode
    const box = isCode ? null : CHECKBOX.exec(line.replace(/\r$/, ''))
    if (box === null) {
      text.push(line)
      return
    }
    flush()
    pieces.push({ kind: 'box', line: at, isDone: box[2] !== ' ', text: box[4] ?? '' })
  })
  flush()
  return pieces
}

/** Sets or clears the checkbox of a line. No other byte changes. */
export function ticked(content: string, line: number, isDone: boolean): string {
  return content
    .split('\n')
    .map((text, at) => (at === line ? text.replace(/\[[ xX]\]/, isDone ? '[x]' : '[ ]') : text))
    .join('\n')
}

/** Whether all checkboxes are ticked. */
export function isDone(content: string): boolean {
  const boxes = piecesOf(content).filter(piece => piece.kind === 'box')
  return boxes.length > 0 && boxes.every(box => box.isDone)
}
