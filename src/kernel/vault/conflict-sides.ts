import type { Entry } from '../model/entry.ts'
import { CONFLICT_SIDES, type ConflictSide, UNMERGED } from '../model/unmerged.ts'
import type { MarkedConflict } from './conflict-markers.ts'
import { sameEntry } from './observe.ts'
import { firstPlace, joined, overlapping, type TextRange } from './ordered-ranges.ts'
import type { EntrySegment, Placed } from './vault-segments.ts'

/** A part of a file in conflict: an entry, or the text of a conflict and of the entries that it touches. */
type ConflictedPart =
  | { readonly kind: 'entry'; readonly start: number; readonly end: number; readonly segment: EntrySegment }
  | {
      readonly kind: 'conflict'
      readonly start: number
      readonly end: number
      readonly entries: readonly Touched[]
    }

interface ConflictedText {
  readonly parts: ConflictedPart[]
  /** The entries that a conflict touches: ours, then theirs. */
  touchedBy(range: TextRange): Iterable<Touched>
}

export interface Touched {
  readonly segment: EntrySegment
  /** Its position, including marker lines and the other side's lines. */
  readonly start: number
  readonly end: number
}

/**
 * Reads a file with git conflicts twice: as our side has it and as theirs has it, without the marker lines. An entry that both readings
 * find in the same bytes outside every conflict is an ordinary entry. The others are found from both sides, and marked.
 */
export function readBothSides(
  text: string,
  conflicts: readonly MarkedConflict[],
  readSide: (text: string) => readonly Placed[],
): ConflictedText {
  const lineOf = lineFinder(text)
  const [ours, theirs] = CONFLICT_SIDES.map(name => {
    const side = textOfSide(text, conflicts, name)
    return readSide(side.text).map(({ start, end, segment }): Touched => {
      const at = side.originOf(start)
      return { segment: { ...segment, line: lineOf(at) }, start: at, end: side.originOf(end - 1) + 1 }
    })
  }) as [Touched[], Touched[]]
  const inConflict = joined(conflicts)
  const touches = (entry: Touched) => overlapping(inConflict, entry).next().done !== true
  const placeOf = ({ start, end }: Touched) => `${start}-${end}`
  const theirPlaces = new Set(theirs.map(placeOf))
  const plain = ours.filter(entry => theirPlaces.has(placeOf(entry)) && !touches(entry))
  const plainPlaces = new Set(plain.map(placeOf))
  const isTouched = (entry: Touched) => !plainPlaces.has(placeOf(entry))
  const touched = bothVersions(
    ours.filter(isTouched),
    theirs.filter(isTouched),
    new Set([...ours, ...theirs].map(({ segment }) => segment.entry.id)),
  )
  // The entries of one side never overlap, so each side has its own list.
  function* touchedBy(range: TextRange): Generator<Touched> {
    for (const side of touched) yield* overlapping(side, range)
  }
  const regions = joined([...conflicts, ...touched.flat()])
  const conflictByRegion = new Map<TextRange | undefined, MarkedConflict>()
  for (const conflict of conflicts) {
    const region = overlapping(regions, conflict).next().value
    if (!conflictByRegion.has(region)) conflictByRegion.set(region, conflict)
  }
  const parts = [
    ...plain.map(({ segment, start, end }) => ({ kind: 'entry' as const, start, end, segment })),
    ...regions.map(region => {
      const { start, end } = region
      const lines = { line: lineOf(start), lastLine: lineOf(end - 1) }
      const { line, lastLine } = conflictByRegion.get(region) ?? lines
      const entries = [...touchedBy(region)].map(entry => ({
        ...entry,
        segment: { ...entry.segment, raw: '', conflict: { line, lastLine } },
      }))
      return { kind: 'conflict' as const, start, end, entries }
    }),
  ].sort((a, b) => a.start - b.start)
  return { parts, touchedBy }
}

/**
 * ours \ theirs     absent            alike          other
 * absent              -                 -          marked theirs
 * present        marked ours          once         both marked, theirs has the id ID~2
 */
function bothVersions(ours: readonly Touched[], theirs: readonly Touched[], known: Set<string>): Touched[][] {
  const ourById = new Map(ours.map(entry => [entry.segment.entry.id, entry.segment.entry]))
  const theirById = new Map(theirs.map(entry => [entry.segment.entry.id, entry.segment.entry]))
  const seen = new Set<string>()
  const once = ({ segment: { entry } }: Touched) => !seen.has(entry.id) && seen.add(entry.id)
  const our = ours
    .filter(once)
    .map(entry =>
      isAlike(ourById, theirById, entry) ? entry : marked(entry, 'ours', entry.segment.entry.id),
    )
  seen.clear()
  const their = theirs.filter(once).flatMap(entry => {
    const { id } = entry.segment.entry
    if (isAlike(ourById, theirById, entry)) return []
    return [marked(entry, 'theirs', ourById.has(id) ? freeAlias(id, known) : id)]
  })
  return [our, their]
}

function isAlike(
  ours: ReadonlyMap<string, Entry>,
  theirs: ReadonlyMap<string, Entry>,
  { segment }: Touched,
): boolean {
  const { id } = segment.entry
  return ours.has(id) && sameEntry(ours.get(id), theirs.get(id))
}

function marked({ segment, start, end }: Touched, side: ConflictSide, id: string): Touched {
  const { entry } = segment
  return {
    start,
    end,
    segment: { ...segment, entry: { ...entry, id, extra: { ...entry.extra, [UNMERGED]: side } } },
  }
}

function freeAlias(id: string, known: Set<string>): string {
  let copies = 2
  while (known.has(`${id}~${copies}`)) copies++
  const alias = `${id}~${copies}`
  known.add(alias)
  return alias
}

/** The text as one side has it, and the position of each of its characters in the whole file. */
function textOfSide(
  text: string,
  conflicts: readonly MarkedConflict[],
  name: ConflictSide,
): { text: string; originOf: (pos: number) => number } {
  // In a conflict inside another, a line belongs to a side only if it does in both.
  const dropped = joined(
    conflicts.flatMap(conflict => [
      { start: conflict.start, end: conflict[name].start },
      { start: conflict[name].end, end: conflict.end },
    ]),
  )
  const kept: TextRange[] = []
  let start = 0
  for (const gap of dropped) {
    if (gap.start > start) kept.push({ start, end: gap.start })
    start = gap.end
  }
  if (start < text.length) kept.push({ start, end: text.length })
  const offsets: number[] = []
  let length = 0
  for (const part of kept) {
    offsets.push(length)
    length += part.end - part.start
  }
  return {
    text: kept.map(part => text.slice(part.start, part.end)).join(''),
    originOf(pos) {
      const part = lastNotAfter(offsets, pos)
      return (kept[part]?.start ?? 0) + pos - (offsets[part] ?? 0)
    },
  }
}

function lineFinder(text: string): (pos: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return pos => lastNotAfter(starts, pos) + 1
}

/** The position of the last number that is not greater. */
function lastNotAfter(numbers: readonly number[], most: number): number {
  return Math.max(0, firstPlace(numbers.length, at => (numbers[at] as number) > most) - 1)
}
