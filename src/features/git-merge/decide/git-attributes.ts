/** In `.memory/.gitattributes`, so that a clone carries it. By itself it makes git run nothing: that takes the local configuration. */
const FIRST_LINE = '# >>> cairn merge-driver'
const LAST_LINE = '# <<< cairn merge-driver'
const LINES = [
  `${FIRST_LINE}: merged entry by entry where \`cairn merge-driver install\` was run, as text elsewhere`,
  '*/*.md merge=cairn',
  '*/*/*.md merge=cairn',
  '/config.json merge=cairn',
  '/curation.json merge=cairn',
  '/sources.json merge=cairn',
  '/state.json merge=cairn',
  '/history/*.jsonl merge=cairn',
  LAST_LINE,
]
const BOM = '\uFEFF'

export type AttributesState = 'missing' | 'current' | 'outdated'

export function attributesState(text: string | undefined): AttributesState {
  const block = text === undefined ? undefined : blockIn(text)
  if (text === undefined || block === undefined) return 'missing'
  const own = text.slice(block.start, block.end).replaceAll('\r\n', '\n')
  return own === blockText('\n') ? 'current' : 'outdated'
}

/** Ours stands first: in this file the last line that fits counts, so that whatever people wrote has the last word. */
export function withAttributes(text: string | undefined): string {
  if (attributesState(text) === 'current') return text ?? ''
  const rest = withoutAttributes(text ?? '')
  const bom = rest.startsWith(BOM) ? BOM : ''
  const eol = rest[rest.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n'
  return bom + blockText(eol) + rest.slice(bom.length)
}

/** Everything else byte for byte. */
export function withoutAttributes(text: string): string {
  const block = blockIn(text)
  return block === undefined ? text : text.slice(0, block.start) + text.slice(block.end)
}

function blockText(eol: string): string {
  return LINES.map(line => line + eol).join('')
}

/** Without its last line only the lines that are ours are taken for the block. */
function blockIn(text: string): { readonly start: number; readonly end: number } | undefined {
  let start: number | undefined
  for (let pos = 0; pos < text.length; ) {
    const newline = text.indexOf('\n', pos)
    const next = newline < 0 ? text.length : newline + 1
    const line = text.slice(pos, next).replace(BOM, '').trim()
    if (start === undefined && line.startsWith(FIRST_LINE)) start = text.startsWith(BOM, pos) ? pos + 1 : pos
    else if (start !== undefined && line === LAST_LINE) return { start, end: next }
    else if (start !== undefined && !line.endsWith('merge=cairn')) return { start, end: pos }
    pos = next
  }
  return start === undefined ? undefined : { start, end: text.length }
}
