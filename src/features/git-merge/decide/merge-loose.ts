import type { Segment, VaultFile } from '../../../kernel/vault/vault-file.ts'
import { mergeLines } from './merge-lines.ts'

/** Before the first entry, whichever that is. */
const TOP = 'top'
/** After the last entry that all versions have. */
const END = 'end'

/**
 * The loose text of our file with what theirs changed in it. Texts are compared place by place: before the first entry, and
 * before each entry that stands in all three versions. Nothing is dropped: where both sides changed one place, both are kept.
 */
export function mergeLoose(
  versions: { readonly base: VaultFile; readonly ours: VaultFile; readonly theirs: VaultFile },
  keyOf: (segment: Segment) => string | undefined,
): { readonly segments: readonly Segment[]; readonly keptBoth: boolean } {
  const { base, ours, theirs } = versions
  const inAll = commonKeys([base, ours, theirs], keyOf)
  const was = textsByPlace(base, inAll, keyOf)
  const their = textsByPlace(theirs, inAll, keyOf)
  const our = textsByPlace(ours, inAll, keyOf)
  const places = [...new Set([...our.keys(), ...their.keys()])]
  const changed = new Map<string, readonly string[]>()
  let keptBoth = false
  for (const place of places) {
    const [b, o, t] = [was, our, their].map(texts => linesOf(texts.get(place) ?? ''))
    const merged = mergeLines(b ?? [], o ?? [], t ?? [])
    if (told(merged.lines) === told(o ?? [])) continue
    keptBoth ||= merged.keptBoth
    changed.set(place, merged.lines)
  }
  if (changed.size === 0) return { segments: ours.segments, keptBoth: false }
  return { segments: withTexts(ours, changed, inAll, keyOf), keptBoth }
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
    // Blank lines part it from the entries before and after.
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
function told(lines: readonly string[]): string {
  return lines.filter(line => line.trim() !== '').join('\n')
}

function trimmed(lines: readonly string[]): string[] {
  const last = lines.findLastIndex(line => line.trim() !== '')
  const first = lines.findIndex(line => line.trim() !== '')
  return first < 0 ? [] : lines.slice(first, last + 1)
}
