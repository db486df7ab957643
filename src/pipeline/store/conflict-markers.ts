/** Seven characters, or more where git was told so (`conflict-marker-size`). */
const MARKER = /(<{7,}|\|{7,}|={7,}|>{7,})(?:[ \t\r]|\n|$)/y

export function isMarkerAt(text: string, pos: number): boolean {
  MARKER.lastIndex = pos
  return MARKER.test(text)
}

export interface Conflict {
  readonly line: number
  readonly lastLine: number
  /** Where its marker lines start. */
  readonly markers: readonly number[]
}

/**
 * A conflict is `<<<<<<<`, `=======`, `>>>>>>>` in this order (`|||||||` between the first two where git writes the
 * common ancestor). A lone one is text: `=======` underlines headings.
 */
export function findConflicts(text: string): Conflict[] {
  const conflicts: Conflict[] = []
  if (!text.includes('<<<<<<<')) return conflicts
  // Markers of one length belong together: a conflict may stand inside text that shows another.
  const openBySize = new Map<number, { line: number; markers: number[]; separated: boolean }>()
  for (let pos = 0, line = 1; pos < text.length; line++) {
    MARKER.lastIndex = pos
    const marker = MARKER.exec(text)?.[1]
    if (marker !== undefined) {
      const open = openBySize.get(marker.length)
      if (marker.startsWith('<')) openBySize.set(marker.length, { line, markers: [pos], separated: false })
      else if (open !== undefined && !marker.startsWith('>')) {
        open.markers.push(pos)
        if (marker.startsWith('=')) open.separated = true
      } else if (open?.separated === true) {
        conflicts.push({ line: open.line, lastLine: line, markers: [...open.markers, pos] })
        openBySize.delete(marker.length)
      }
    }
    const newline = text.indexOf('\n', pos)
    pos = newline < 0 ? text.length : newline + 1
  }
  return conflicts
}
