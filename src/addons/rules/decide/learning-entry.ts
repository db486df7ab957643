const EOL = /\r?\n/
const TITLE_CHARACTERS = 80

/** Appends a rule to a file as a decision or lesson of a workspace (seed B, section 4.5). */
export function withLearning(
  file: string | undefined,
  given: { readonly text: string; readonly date: string; readonly what: 'decisions' | 'lessons' },
): string {
  const eol = file?.includes('\r\n') === true ? '\r\n' : '\n'
  const [first = ''] = given.text.split(EOL)
  const title = first.replace(/[*_`#]/g, '').replace(/[.:;,\s]+$/, '')
  const short =
    title.length <= TITLE_CHARACTERS ? title : `${title.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…`
  const entry = [
    `### [${given.date}] ${short}`,
    '',
    `**Category:** ${given.what === 'decisions' ? 'convention' : 'configuration'}`,
    '**Tags:** from-hot-memory',
    '',
    ...given.text.split(EOL),
    '',
    '---',
    '',
  ].join(eol)
  const before = file === undefined || file.trim() === '' ? '' : `${file.replace(/\s+$/, '')}${eol}${eol}`
  return `${before}${entry}`
}
