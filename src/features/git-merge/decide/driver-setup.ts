/** The command that git's shell runs. Git replaces `%O %A %B %L %P`, quoted; any other `%` is doubled. */
const PLACES = '%O %A %B %L %P %X %Y'

/**
 * How git reads an exit code: merged; in conflict; the merge has failed and its result does not count. Any small number is a conflict to
 * git. We use one with which a broken program does not end.
 */
export const DRIVER_EXIT = { merged: 0, conflict: 65, failed: 129 } as const

/**
 * The program as it was installed; if it is missing (a cleared npx cache, another Node), a `cairn` on the path; without any, or after any
 * other exit code (a Node that is too old, half an installation, a kill), git's own merge of text. Otherwise git would treat our side alone
 * as the file in conflict.
 */
export function driverCommand({ node, script }: { readonly node: string; readonly script: string }): string {
  const asText = 'git merge-file -L ours -L base -L theirs --marker-size=%L %A %O %B'
  return [
    `n=${quoted(node)}; s=${quoted(script)}; test -x "$n" || n=node;`,
    `if test -f "$s" && command -v "$n" >/dev/null 2>&1; then "$n" "$s" merge-driver ${PLACES};`,
    `elif command -v cairn >/dev/null 2>&1; then cairn merge-driver ${PLACES};`,
    `else echo "cairn is not there" >&2; false; fi;`,
    `r=$?; case $r in ${Object.values(DRIVER_EXIT).join('|')}) exit $r;; esac;`,
    `echo "cairn did not merge "%P", git merges it as text" >&2; ${asText}`,
  ].join(' ')
}

/** For sh, which git uses on Windows too. */
function quoted(path: string): string {
  return `'${path.replaceAll('\\', '/').replaceAll('%', '%%').replaceAll("'", "'\\''")}'`
}

/** Lines in `.memory/.gitattributes`, which a clone has too. Without the local configuration git runs nothing because of them. */
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

/** Our block is first: the last matching line of the file counts, so lines that a person wrote overrule ours. */
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

/** If the last line is missing, only our own lines count as the block. */
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
