import type { EntryPlace } from '../../model/journal.ts'
import { isPage } from './observe.ts'
import { previewLine, previewsIn } from './rollover.ts'
import { unusualText } from './vault-edit.ts'
import type { EntrySegment, VaultFile } from './vault-file.ts'

/**
 * Tells where entries stand, so that they come back as they were. Every file is read once. undefined: at its place in the
 * head file, written as Cairn writes.
 */
export function placeFinder(
  load: (path: string) => VaultFile,
): (id: string, path: string) => EntryPlace | undefined {
  const readByPath = new Map<
    string,
    { readonly file: VaultFile; readonly segmentById: Map<string, EntrySegment> }
  >()
  const previewsByHead = new Map<string, ReadonlyMap<string, number>>()

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
    const fresh = new Map(previewsIn(read(head).file).map((line, at) => [line, at]))
    previewsByHead.set(head, fresh)
    return fresh
  }

  return (id, path) => {
    const { file, segmentById } = read(path)
    const segment = segmentById.get(id)
    if (segment === undefined) return undefined
    const text = unusualText(segment, file)
    if (!isPage(path)) return text === undefined ? undefined : { path, text }
    const preview = previews(`${path.slice(0, path.lastIndexOf('/'))}.md`).get(previewLine(segment.entry))
    return { path, ...(text !== undefined && { text }), ...(preview !== undefined && { preview }) }
  }
}
