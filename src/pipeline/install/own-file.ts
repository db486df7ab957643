/** The line that says whose a file is, in the manner of its kind. The hash is of the file without that line. */
const MARKER = /^(?:<!-- |# |\/\/ )cairn:installed hash=([0-9a-f]{16})(?: -->)?\r?\n/m
const FRONT_MATTER = /^---[ \t]*\r?\n[\s\S]*?^---[ \t]*(?:\r?\n|$)/m

/** A file of ours with its marker: below the front matter where there is one, for hosts want that first. */
export function markedFile(path: string, text: string, hash: (text: string) => string): string {
  const head = text.startsWith('---') ? (FRONT_MATTER.exec(text)?.[0] ?? '') : ''
  const said = `cairn:installed hash=${hash(text)}`
  const line = /\.mdc?$/.test(path)
    ? `<!-- ${said} -->`
    : /\.(?:c|m)?js$/.test(path)
      ? `// ${said}`
      : `# ${said}`
  return `${head}${line}\n${text.slice(head.length)}`
}

/** Whose a file is: `edited` was ours, and a person has changed it since. */
export function ownerOf(text: string, hash: (text: string) => string): 'ours' | 'edited' | 'foreign' {
  const marker = MARKER.exec(text)
  if (marker === null) return 'foreign'
  const without = text.slice(0, marker.index) + text.slice(marker.index + marker[0].length)
  return hash(without) === marker[1] ? 'ours' : 'edited'
}
