import { canonicalJson } from '../../model/canonical-json.ts'
import { mergeFromElsewhere } from '../merge/merge-document.ts'
import { mergeLines } from '../merge/merge-lines.ts'
import { DOCUMENTS } from '../store/documents.ts'
import type { JsonObject } from '../store/ports.ts'
import type { SharedDocument } from './protocol.ts'

/** Sections of `curation.json` whose keys are ids of entries. */
const BY_ENTRY = ['feedback', 'confirmations'] as const
type IsOfEntry = (id: string) => boolean

/** What people decided, without what they decided about entries that are not shared. null: nothing. */
export function sharedCuration(document: JsonObject, isUnshared: IsOfEntry): string | null {
  const { shared } = parted(document, isUnshared)
  const body = canonicalJson(shared)
  return body === canonicalJson(DOCUMENTS['curation.json'].empty) ? null : body
}

/** The whole document of this machine, from what is shared by now and what is its own. */
export function wholeCuration(body: string | null, before: JsonObject, isUnshared: IsOfEntry): JsonObject {
  const shared = body === null ? DOCUMENTS['curation.json'].empty : readCuration(body)
  const { own } = parted(before, isUnshared)
  const whole: Record<string, unknown> = { ...shared }
  for (const section of BY_ENTRY)
    if (Object.keys(own[section]).length > 0)
      whole[section] = { ...(isObject(whole[section]) ? whole[section] : {}), ...own[section] }
  if (own.conflicts.length > 0)
    whole.conflicts = [...(Array.isArray(whole.conflicts) ? whole.conflicts : []), ...own.conflicts]
  return whole
}

/** Throws `SyntaxError` on what is no JSON, and on what is no object. */
export function readCuration(body: string): JsonObject {
  const value: unknown = JSON.parse(body)
  if (!isObject(value)) throw new SyntaxError('it is no JSON object')
  return value
}

interface Own {
  readonly feedback: JsonObject
  readonly confirmations: JsonObject
  readonly conflicts: readonly unknown[]
}

function parted(document: JsonObject, isUnshared: IsOfEntry): { shared: JsonObject; own: Own } {
  const shared: Record<string, unknown> = { ...document }
  const own = { feedback: {}, confirmations: {}, conflicts: [] as readonly unknown[] }
  for (const section of BY_ENTRY) {
    const held = document[section]
    if (!isObject(held)) continue
    const pick = (isOwn: boolean) =>
      Object.fromEntries(Object.entries(held).filter(([id]) => isUnshared(id) === isOwn))
    own[section] = pick(true)
    shared[section] = pick(false)
  }
  const { conflicts } = document
  if (Array.isArray(conflicts)) {
    const isOwn = (each: unknown) =>
      isObject(each) && [each.entryA, each.entryB].some(id => typeof id === 'string' && isUnshared(id))
    own.conflicts = conflicts.filter(isOwn)
    shared.conflicts = conflicts.filter(each => !isOwn(each))
  }
  return { shared, own }
}

/** Three bodies in one. `settled`: places where both said something else, and the hub's counts or both stand one after the other. */
export function mergeShared(
  name: SharedDocument,
  { base, ours, theirs }: Readonly<Record<'base' | 'ours' | 'theirs', string | null>>,
): { readonly body: string | null; readonly settled: readonly string[] } {
  if (ours === theirs || theirs === base) return { body: ours, settled: [] }
  if (ours === base) return { body: theirs, settled: [] }
  if (ours === null || theirs === null) return { body: ours ?? theirs, settled: [name] }
  if (name === 'curation.json') {
    const { document, settled } = mergeFromElsewhere(
      base === null ? undefined : readCuration(base),
      readCuration(ours),
      readCuration(theirs),
    )
    return { body: canonicalJson(document), settled: settled.map(place => `${name}: ${place}`) }
  }
  const lines = (text: string | null) => (text === null ? [] : text.split('\n'))
  const merged = mergeLines(lines(base), lines(ours), lines(theirs))
  return { body: merged.lines.join('\n'), settled: merged.keptBoth ? [name] : [] }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
