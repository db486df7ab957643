import type { Entry } from './entry.ts'

/** The source of an imported entry. Stored in its comment: `imported:claude-mem source:claude-mem.db sourceId:17 sourcePrint:…`. */
export interface Provenance {
  /** The name of the source format. */
  readonly tool: string
  /** The file that contained it, relative to the source. */
  readonly file?: string
  /** Its id in the source: a commit, a row, a heading. */
  readonly id?: string
  /** Fingerprint of its text in the source, which identifies it even if the entry was reworded since. */
  readonly print?: string
}

/** Characters that would end a value of a comment line, or start an escape. */
const UNSAFE = /[\s\p{Cc}<>%,]/gu

/** For the comment of the entry; the values contain no character that the comment would change. */
export function extraOf({ tool, file, id, print }: Provenance): Readonly<Record<string, string>> {
  return {
    imported: encode(tool),
    ...(file !== undefined && { source: encode(file) }),
    ...(id !== undefined && { sourceId: encode(id) }),
    ...(print !== undefined && { sourcePrint: encode(print) }),
  }
}

/** undefined: it was not imported, or the source is unknown. */
export function provenanceOf({ extra }: Pick<Entry, 'extra'>): Provenance | undefined {
  if (extra?.imported === undefined) return undefined
  return {
    tool: decode(extra.imported),
    ...(extra.source !== undefined && { file: decode(extra.source) }),
    ...(extra.sourceId !== undefined && { id: decode(extra.sourceId) }),
    ...(extra.sourcePrint !== undefined && { print: decode(extra.sourcePrint) }),
  }
}

/** Equal for the same item with the same text. undefined: its id in the source is unknown. */
export function provenanceKey({ tool, file, id, print }: Provenance): string | undefined {
  return id === undefined || print === undefined ? undefined : [tool, file ?? '', id, print].join('\0')
}

function encode(value: string): string {
  return value.replace(UNSAFE, encodeURIComponent)
}

/** A `%` that a person typed stays. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return value
  }
}

/** The origin of an entry's text. Stored in its comment: `lineage:rule untrusted:web supersedes:1773679871839-k3f9`. */
export interface Lineage {
  /** Set if `origin` alone is not enough: a rule found it in a session, and a person accepted it. */
  readonly capturedBy?: 'rule'
  /** Text from outside the project was in the session before the save: a web page, another tool's output, a pasted document. */
  readonly untrusted?: UntrustedSource
  /** The entry that this one replaces, according to its writer. */
  readonly supersedes?: string
}

export const UNTRUSTED_SOURCES = ['web', 'tool', 'paste'] as const
export type UntrustedSource = (typeof UNTRUSTED_SOURCES)[number]

export const WRITERS = ['person', 'agent', 'rule', 'import'] as const
export type Writer = (typeof WRITERS)[number]

const ENTRY_ID = /^[\w.-]{1,80}$/

export function extraOfLineage({ capturedBy, untrusted, supersedes }: Lineage): Record<string, string> {
  return {
    ...(capturedBy !== undefined && { lineage: capturedBy }),
    ...(untrusted !== undefined && { untrusted }),
    ...(supersedes !== undefined && ENTRY_ID.test(supersedes) && { supersedes }),
  }
}

/** A value that a manual edit made unreadable counts as absent. */
export function lineageOf({ extra }: Pick<Entry, 'extra'>): Lineage {
  const untrusted = UNTRUSTED_SOURCES.find(source => source === extra?.untrusted)
  const supersedes = extra?.supersedes
  return {
    ...(extra?.lineage === 'rule' && { capturedBy: 'rule' as const }),
    ...(untrusted !== undefined && { untrusted }),
    ...(supersedes !== undefined && ENTRY_ID.test(supersedes) && { supersedes }),
  }
}

/** Who added the entry. */
export function writerOf(entry: Pick<Entry, 'origin' | 'extra'>): Writer {
  if (provenanceOf(entry) !== undefined) return 'import'
  if (entry.origin === 'machine' || lineageOf(entry).capturedBy === 'rule') return 'rule'
  return entry.origin
}
