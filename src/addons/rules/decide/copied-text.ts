/** The kind of the copied file. Each kind has its own marker, so that removing copies of one kind never removes the other. */
export type CopyKind = 'hot' | 'skill'

const MARKER = /^<!-- cairn:(hot|skill) copy of (.+) hash=([0-9a-f]{16}) -->\r?\n?/m
const FRONT_MATTER = /^---[ \t]*\r?\n[\s\S]*?^---[ \t]*(?:\r?\n|$)/m
const BOM = '\uFEFF'

export interface Copy {
  readonly kind: CopyKind
  /** Its source, relative to the project. */
  readonly of: string
  /** The text is no longer that of the copy: a person changed it. */
  readonly isEdited: boolean
}

/**
 * A source as a host reads it, with the line that says what it is:
 *
 *   ---
 *   alwaysApply: true
 *   ---
 *   <!-- cairn:hot copy of agent/rules/common/user-profile.md hash=0f3c… -->
 *   # User profile
 *
 * The hash is of the whole copy without that line, so that a change by hand can be told from a source that moved on.
 */
export function renderCopy(
  source: string,
  {
    kind,
    of,
    frontMatter,
    hash,
  }: {
    readonly kind: CopyKind
    readonly of: string
    /** Replaces the source's front matter. */
    readonly frontMatter?: string
    readonly hash: (text: string) => string
  },
): string {
  const text = source.startsWith(BOM) ? source.slice(1) : source
  const eol = /\r\n/.test(text) ? '\r\n' : '\n'
  const own = text.startsWith('---') ? (FRONT_MATTER.exec(text)?.[0] ?? '') : ''
  const head = frontMatter === undefined ? own : `---${eol}${frontMatter}${eol}---${eol}`
  const body = text.slice(own.length)
  const opened = head === '' || head.endsWith('\n') ? head : `${head}${eol}`
  return `${opened}<!-- cairn:${kind} copy of ${of} hash=${hash(opened + body)} -->${eol}${body}`
}

/** undefined: not a copy of ours. */
export function readCopy(text: string, hash: (text: string) => string): Copy | undefined {
  const marker = MARKER.exec(text)
  if (marker === null) return undefined
  const [line, kind, of = '', was] = marker
  const without = text.slice(0, marker.index) + text.slice(marker.index + line.length)
  return { kind: kind as CopyKind, of, isEdited: hash(without) !== was }
}
