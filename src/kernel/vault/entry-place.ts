import type { EntryPlace } from '../model/journal.ts'
import { headPathOf, isMonthPage } from '../model/vault-layout.ts'
import { dateOfPreview, previewLine, previewsIn } from './rollover.ts'
import { unusualText } from './vault-edit.ts'
import type { EntrySegment, VaultFile } from './vault-file.ts'

/** Finds the places of entries, so that undo can restore them exactly. Every file is read once. undefined: the entry is absent. */
export function placeFinder(
  load: (path: string) => VaultFile,
): (id: string, path: string) => EntryPlace | undefined {
  const readByPath = new Map<
    string,
    { readonly file: VaultFile; readonly segmentById: Map<string, EntrySegment> }
  >()
  const previewsByHead = new Map<
    string,
    { readonly placeByLine: ReadonlyMap<string, number>; readonly dates: ReadonlySet<string | undefined> }
  >()

  const read = (path: string) => {
    const known = readByPath.get(path)
    if (known !== undefined) return known
    const file = load(path)
    const entries = file.segments.filter(segment => segment.type === 'entry')
    const fresh = { file, segmentById: new Map(entries.map(segment => [segment.entry.id, segment])) }
    readByPath.set(path, fresh)
    return fresh
  }
  const previews = (head: string) => {
    const known = previewsByHead.get(head)
    if (known !== undefined) return known
    const lines = previewsIn(read(head).file)
    const fresh = {
      placeByLine: new Map(lines.map((line, at) => [line, at])),
      dates: new Set(lines.map(dateOfPreview)),
    }
    previewsByHead.set(head, fresh)
    return fresh
  }

  return (id, path) => {
    const { file, segmentById } = read(path)
    const segment = segmentById.get(id)
    if (segment === undefined) return undefined
    const text = unusualText(segment, file)
    if (!isMonthPage(path)) return { path, ...(text !== undefined && { text }) }
    const { placeByLine, dates } = previews(headPathOf(path))
    const preview = dates.has(segment.entry.date) ? placeByLine.get(previewLine(segment.entry)) : undefined
    return { path, ...(text !== undefined && { text }), ...(preview !== undefined && { preview }) }
  }
}
