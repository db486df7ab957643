import type { Entry } from './entry.ts'

/** Where an imported entry comes from. Kept in its comment: `imported:claude-mem source:claude-mem.db sourceId:17 sourcePrint:…`. */
export interface Provenance {
  /** What it was taken from: the name of a source format. */
  readonly tool: string
  /** The file it stood in, relative to the source. */
  readonly file?: string
  /** What it was called there: a commit, a row, a heading. */
  readonly id?: string
  /** Fingerprint of what it said there: an entry that was reworded since is still known by it. */
  readonly print?: string
}

/** What would end a value of a comment line, or be read as an escape. */
const UNSAFE = /[\s\p{Cc}<>%,]/gu

/** For the comment of the entry; no value has a character that the comment would change. */
export function extraOf({ tool, file, id, print }: Provenance): Readonly<Record<string, string>> {
  return {
    imported: encode(tool),
    ...(file !== undefined && { source: encode(file) }),
    ...(id !== undefined && { sourceId: encode(id) }),
    ...(print !== undefined && { sourcePrint: encode(print) }),
  }
}

/** undefined: it was not imported, or by somebody who did not say from where. */
export function provenanceOf({ extra }: Pick<Entry, 'extra'>): Provenance | undefined {
  if (extra?.imported === undefined) return undefined
  return {
    tool: decode(extra.imported),
    ...(extra.source !== undefined && { file: decode(extra.source) }),
    ...(extra.sourceId !== undefined && { id: decode(extra.sourceId) }),
    ...(extra.sourcePrint !== undefined && { print: decode(extra.sourcePrint) }),
  }
}

/** The same for the same thing that says the same. undefined: what it was called there is not known. */
export function provenanceKey({ tool, file, id, print }: Provenance): string | undefined {
  return id === undefined || print === undefined ? undefined : [tool, file ?? '', id, print].join('\0')
}

function encode(value: string): string {
  return value.replace(UNSAFE, encodeURIComponent)
}

/** A `%` that a hand wrote stays as it is. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return value
  }
}
