import type { Segment, VaultFile } from '../../../kernel/vault/vault-file.ts'

/** With more pairs of lines, the lines that both sides changed are not compared one by one. */
const MAX_PAIRS = 4_000_000

interface MergedLines {
  readonly lines: readonly string[]
  /** Both sides changed the same lines somewhere. */
  readonly hasBoth: boolean
}

/**
 * Merges three versions of some lines without losing any: a change of one side is taken; where both changed the same lines, ours come
 * first, then those that only theirs has.
 *
 *   base a b c   ours a B c   theirs a b c d   →   a B c d
 */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): MergedLines {
  if (sameLines(ours, theirs) || sameLines(base, theirs)) return { lines: ours, hasBoth: false }
  if (sameLines(base, ours)) return { lines: theirs, hasBoth: false }
  const oursAt = matches(base, ours)
  const theirsAt = matches(base, theirs)
  const merged: string[] = []
  let hasBoth = false
  let [fromBase, fromOurs, fromTheirs] = [0, 0, 0]
  const takeUntil = (toBase: number, toOurs: number, toTheirs: number) => {
    const was = base.slice(fromBase, toBase)
    const [our, their] = [ours.slice(fromOurs, toOurs), theirs.slice(fromTheirs, toTheirs)]
    if (sameLines(our, their) || sameLines(was, their)) merged.push(...our)
    else if (sameLines(was, our)) merged.push(...their)
    else {
      merged.push(...our, ...their.filter(line => !our.includes(line)))
      hasBoth = true
    }
  }
  for (let at = 0; at < base.length; at++) {
    const [inOurs, inTheirs] = [oursAt[at], theirsAt[at]]
    if (inOurs === undefined || inTheirs === undefined) continue
    takeUntil(at, inOurs, inTheirs)
    merged.push(base[at] as string)
    ;[fromBase, fromOurs, fromTheirs] = [at + 1, inOurs + 1, inTheirs + 1]
  }
  takeUntil(base.length, ours.length, theirs.length)
  return { lines: merged, hasBoth }
}

/** For each line of `before` its position in `after`, in order: a longest common subsequence. */
function matches(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const found: (number | undefined)[] = new Array(before.length).fill(undefined)
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start])
    found[start] = start++
  let [endBefore, endAfter] = [before.length, after.length]
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1])
    found[--endBefore] = --endAfter
  const [rows, columns] = [endBefore - start, endAfter - start]
  if (rows === 0 || columns === 0 || rows * columns > MAX_PAIRS) return found
  const width = columns + 1
  const longest = new Uint32Array((rows + 1) * width)
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const here = row * width + column
      longest[here] =
        before[start + row] === after[start + column]
          ? (longest[here + width + 1] as number) + 1
          : Math.max(longest[here + width] as number, longest[here + 1] as number)
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    const here = row * width + column
    if (before[start + row] === after[start + column]) found[start + row++] = start + column++
    else if ((longest[here + width] as number) >= (longest[here + 1] as number)) row++
    else column++
  }
  return found
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at])
}

/** Before the first entry. */
const TOP = 'top'
/** After the last entry that all versions have. */
const END = 'end'

/**
 * The loose text of our file with the changes of theirs. Texts are compared place by place: before the first entry, and before each entry
 * that all three versions have. No text is lost: where both sides changed one place, both texts stay.
 */
export function mergeLoose(
  versions: { readonly base: VaultFile; readonly ours: VaultFile; readonly theirs: VaultFile },
  keyOf: (segment: Segment) => string | undefined,
): { readonly segments: readonly Segment[]; readonly hasBoth: boolean } {
  const { base, ours, theirs } = versions
  const inAll = commonKeys([base, ours, theirs], keyOf)
  const was = textsByPlace(base, inAll, keyOf)
  const their = textsByPlace(theirs, inAll, keyOf)
  const our = textsByPlace(ours, inAll, keyOf)
  const places = [...new Set([...our.keys(), ...their.keys()])]
  const changed = new Map<string, readonly string[]>()
  let hasBoth = false
  for (const place of places) {
    const [b, o, t] = [was, our, their].map(texts => linesOf(texts.get(place) ?? ''))
    const merged = mergeLines(b ?? [], o ?? [], t ?? [])
    if (withoutBlankLines(merged.lines) === withoutBlankLines(o ?? [])) continue
    hasBoth ||= merged.hasBoth
    changed.set(place, merged.lines)
  }
  if (changed.size === 0) return { segments: ours.segments, hasBoth: false }
  return { segments: withTexts(ours, changed, inAll, keyOf), hasBoth }
}

function withTexts(
  file: VaultFile,
  changed: ReadonlyMap<string, readonly string[]>,
  inAll: ReadonlySet<string>,
  keyOf: (segment: Segment) => string | undefined,
): Segment[] {
  const places = placesOf(file, inAll, keyOf)
  const written = new Set<string>()
  const segments: Segment[] = []
  const write = (place: string) => {
    const lines = changed.get(place)
    if (lines === undefined || written.has(place)) return
    written.add(place)
    const text = trimmed(lines)
    // Blank lines separate it from the entries before and after.
    const parted = [...(place === TOP ? [] : ['']), ...text, ...(text.length === 0 ? [] : [''])]
    if (parted.length > 0) segments.push({ type: 'loose', raw: parted.map(line => line + file.eol).join('') })
  }
  write(TOP)
  file.segments.forEach((segment, at) => {
    const place = places[at] as string
    const isFirst = !written.has(place)
    write(place)
    if (segment.type === 'entry' || !changed.has(place)) segments.push(segment)
    else if (!isFirst && place !== TOP) segments.push({ type: 'loose', raw: file.eol })
  })
  write(END)
  return segments
}

/** The place of each segment: that of the next entry that all versions have. */
function placesOf(
  file: VaultFile,
  inAll: ReadonlySet<string>,
  keyOf: (segment: Segment) => string | undefined,
): string[] {
  const places: string[] = new Array(file.segments.length)
  let place = END
  for (let at = file.segments.length - 1; at >= 0; at--) {
    const key = keyOf(file.segments[at] as Segment)
    if (key !== undefined && inAll.has(key)) place = key
    places[at] = place
  }
  const first = file.segments.findIndex(segment => segment.type === 'entry')
  for (let at = 0; at < (first < 0 ? file.segments.length : first); at++) places[at] = TOP
  return places
}

function textsByPlace(
  file: VaultFile,
  inAll: ReadonlySet<string>,
  keyOf: (segment: Segment) => string | undefined,
): Map<string, string> {
  const texts = new Map<string, string>()
  const places = placesOf(file, inAll, keyOf)
  file.segments.forEach((segment, at) => {
    const place = places[at] as string
    if (segment.type === 'loose') texts.set(place, (texts.get(place) ?? '') + segment.raw)
  })
  return texts
}

function commonKeys(
  files: readonly VaultFile[],
  keyOf: (segment: Segment) => string | undefined,
): ReadonlySet<string> {
  const [first, ...others] = files.map(
    file => new Set(file.segments.flatMap(segment => keyOf(segment) ?? [])),
  )
  return new Set([...(first ?? [])].filter(key => others.every(keys => keys.has(key))))
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n')
}

/** Blank lines between entries come and go with the entries. */
function withoutBlankLines(lines: readonly string[]): string {
  return lines.filter(line => line.trim() !== '').join('\n')
}

function trimmed(lines: readonly string[]): string[] {
  const last = lines.findLastIndex(line => line.trim() !== '')
  const first = lines.findIndex(line => line.trim() !== '')
  return first < 0 ? [] : lines.slice(first, last + 1)
}
