import type { FileEdits, LineEdit, TextFileChange } from '../model/journal.ts'
import { diffLines, linesOf } from '../text/line-diff.ts'

/**
 * The edits between two versions of a text file of the project, so that the journal stores only the changed lines, and so that one change
 * can be undone after others.
 *
 * 'a\nb\nc\n'  ->  'a\nB\nc\n'   =   { from: h1, to: h2, edits: [{ at: 1, removed: ['b\n'], added: ['B\n'] }] }
 */
export function fileEdits(
  { path, before, after }: TextFileChange,
  hash: (text: string) => string,
): FileEdits {
  return {
    type: 'file',
    path,
    from: before === null ? null : hash(before),
    to: after === null ? null : hash(after),
    edits: diffLines(linesOf(before ?? ''), linesOf(after ?? '')),
  }
}

export function invertFileEdits({ edits, from, to, ...rest }: FileEdits): FileEdits {
  let shift = 0
  const inverted = edits.map(({ at, removed, added }): LineEdit => {
    const edit = { at: at + shift, removed: added, added: removed }
    shift += added.length - removed.length
    return edit
  })
  return { ...rest, from: to, to: from, edits: inverted }
}

type EditedFile =
  | { readonly kind: 'edited'; readonly text: string | null }
  /** The file is not the one that the edits were made for. */
  | { readonly kind: 'refused' }

/** To exactly the text that they were made for. */
export function applyFileEdits(
  text: string | null,
  { from, to, edits }: FileEdits,
  hash: (text: string) => string,
): EditedFile {
  if ((text === null ? null : hash(text)) !== from) return { kind: 'refused' }
  return { kind: 'edited', text: to === null ? null : spliced(linesOf(text ?? ''), edits) }
}

/**
 * The same if other lines may have changed meanwhile: every edit must find the lines that it removes, at their old position or at the
 * only place to which they moved. A file that was created or removed must be unchanged.
 */
export function applyAmongOthers(
  text: string | null,
  change: FileEdits,
  hash: (text: string) => string,
): EditedFile {
  const exact = applyFileEdits(text, change, hash)
  if (exact.kind === 'edited' || text === null || change.from === null || change.to === null) return exact
  const lines = linesOf(text)
  const placed: LineEdit[] = []
  let shift = 0
  for (const edit of change.edits) {
    const at = placeOf(edit, lines, edit.at + shift)
    if (at === undefined || at < endOf(placed.at(-1))) return { kind: 'refused' }
    placed.push({ ...edit, at })
    shift = at - edit.at
  }
  return { kind: 'edited', text: spliced(lines, placed) }
}

function endOf(edit: LineEdit | undefined): number {
  return edit === undefined ? 0 : edit.at + edit.removed.length
}

/** Added lines have no position of their own: after other changes it is unknown where they belong. */
function placeOf({ removed }: LineEdit, lines: readonly string[], expected: number): number | undefined {
  if (removed.length === 0) return undefined
  const standsAt = (at: number) => removed.every((line, i) => lines[at + i] === line)
  if (standsAt(expected)) return expected
  const places: number[] = []
  for (let at = 0; at + removed.length <= lines.length && places.length < 2; at++)
    if (standsAt(at)) places.push(at)
  return places.length === 1 ? places[0] : undefined
}

function spliced(lines: readonly string[], edits: readonly LineEdit[]): string {
  const parts: string[] = []
  let from = 0
  for (const { at, removed, added } of edits) {
    parts.push(...lines.slice(from, at), ...added)
    from = at + removed.length
  }
  return [...parts, ...lines.slice(from)].join('')
}
