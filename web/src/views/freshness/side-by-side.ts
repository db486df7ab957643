export interface HunkLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

export interface Numbered {
  readonly kind: HunkLine['kind']
  readonly text: string
  /** The line numbers in the old and in the new file. */
  readonly old?: number
  readonly now?: number
}

/** Adds line numbers to the lines of a hunk. */
export function numberLines(
  lines: readonly HunkLine[],
  start: { readonly old: number; readonly now: number },
): readonly Numbered[] {
  let { old, now } = start
  return lines.map(({ kind, text }) => ({
    kind,
    text,
    ...(kind !== 'added' && { old: old++ }),
    ...(kind !== 'removed' && { now: now++ }),
  }))
}

interface SideRow {
  readonly before?: Numbered
  readonly after?: Numbered
}

/** Pairs removed with added lines. The longer run continues alone. */
export function pairLines(lines: readonly Numbered[]): readonly SideRow[] {
  const rows: SideRow[] = []
  let removed: Numbered[] = []
  let added: Numbered[] = []
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const [before, after] = [removed[at], added[at]]
      rows.push({ ...(before && { before }), ...(after && { after }) })
    }
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'removed') removed.push(line)
    else if (line.kind === 'added') added.push(line)
    else {
      flush()
      rows.push({ before: line, after: line })
    }
  }
  flush()
  return rows
}
