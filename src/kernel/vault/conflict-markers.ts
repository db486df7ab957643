/** Seven characters, or more if git is configured so (`conflict-marker-size`). */
const MARKER = /(<{7,}|\|{7,}|={7,}|>{7,})(?:[ \t\r]|\n|$)/y

export function isMarkerAt(text: string, pos: number): boolean {
  MARKER.lastIndex = pos
  return MARKER.test(text)
}

/** Offsets are of line starts. */
export interface MarkedConflict {
  readonly line: number
  readonly lastLine: number
  readonly start: number
  readonly end: number
  /** The lines of one side, without marker lines. The text of the common ancestor belongs to neither. */
  readonly ours: Side
  readonly theirs: Side
}

export interface Side {
  readonly start: number
  readonly end: number
}

interface OpenConflict {
  readonly line: number
  readonly start: number
  readonly oursStart: number
  oursEnd?: number
  theirsStart?: number
  separator?: number
}

/**
 * A conflict is `<<<<<<<`, `=======`, `>>>>>>>` in this order (`|||||||` between the first two if git writes the common ancestor). A
 * single marker is text: `=======` underlines headings.
 */
export function findConflicts(text: string): MarkedConflict[] {
  const conflicts: MarkedConflict[] = []
  if (!text.includes('<<<<<<<')) return conflicts
  // Markers of the same length belong together: a conflict may be inside text that shows another one.
  const openBySize = new Map<number, OpenConflict>()
  for (let pos = 0, line = 1; pos < text.length; line++) {
    const newline = text.indexOf('\n', pos)
    const next = newline < 0 ? text.length : newline + 1
    MARKER.lastIndex = pos
    const marker = MARKER.exec(text)?.[1]
    if (marker !== undefined) {
      const open = openBySize.get(marker.length)
      if (marker.startsWith('<')) openBySize.set(marker.length, { line, start: pos, oursStart: next })
      else if (open !== undefined && open.separator === undefined && !marker.startsWith('>')) {
        open.oursEnd ??= pos
        if (marker.startsWith('=')) {
          open.separator = pos
          open.theirsStart = next
        }
      } else if (open?.theirsStart !== undefined && marker.startsWith('>')) {
        conflicts.push({
          line: open.line,
          lastLine: line,
          start: open.start,
          end: next,
          ours: { start: open.oursStart, end: open.oursEnd ?? pos },
          theirs: { start: open.theirsStart, end: pos },
        })
        openBySize.delete(marker.length)
      }
    }
    pos = next
  }
  return conflicts
}
