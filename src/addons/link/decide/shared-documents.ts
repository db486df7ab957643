import { mergeFromElsewhere } from '../../../features/git-merge/decide/merge-document.ts'
import { mergeLines } from '../../../features/git-merge/decide/merge-lines.ts'
import { canonicalJson, isObject } from '../../../kernel/model/json-value.ts'
import { PRIVATE_VAULT } from '../../../kernel/model/vault-layout.ts'
import { DOCUMENTS } from '../../../kernel/vault/documents.ts'
import type { JsonObject } from '../../../kernel/vault/ports.ts'
import type { SharedDocument } from './protocol.ts'

/** Sections of `curation.json` whose keys are ids of entries. */
const BY_ENTRY = ['feedback', 'confirmations'] as const
const LISTS = ['conflicts', 'rejections'] as const
type IsOfEntry = (id: string) => boolean

/** The ids of entries with a human decision. */
export function entriesNamedIn(document: JsonObject): readonly string[] {
  const { conflicts } = document
  const ids = BY_ENTRY.flatMap(section => (isObject(document[section]) ? Object.keys(document[section]) : []))
  return [...new Set([...ids, ...(Array.isArray(conflicts) ? conflicts : []).flatMap(pairOf)])]
}

function pairOf(conflict: unknown): string[] {
  return isObject(conflict) ? [conflict.entryA, conflict.entryB].filter(id => typeof id === 'string') : []
}

/** The human decisions, without those about entries that are not shared. null: none. */
export function sharedCuration(document: JsonObject, isUnshared: IsOfEntry): string | null {
  const { shared } = parted(document, isUnshared)
  const body = canonicalJson(shared)
  return body === canonicalJson(DOCUMENTS['curation.json'].empty) ? null : body
}

/** The complete document of this machine, from its shared and its private parts. */
export function wholeCuration(body: string | null, before: JsonObject, isUnshared: IsOfEntry): JsonObject {
  const shared = body === null ? DOCUMENTS['curation.json'].empty : readCuration(body)
  const { own } = parted(before, isUnshared)
  const whole: Record<string, unknown> = { ...shared }
  for (const section of BY_ENTRY)
    if (Object.keys(own[section]).length > 0)
      whole[section] = { ...(isObject(whole[section]) ? whole[section] : {}), ...own[section] }
  for (const list of LISTS) {
    const held = whole[list]
    if (own[list].length > 0) whole[list] = [...(Array.isArray(held) ? held : []), ...own[list]]
  }
  return whole
}

/** Throws `SyntaxError` if the text is not a JSON object. */
export function readCuration(body: string): JsonObject {
  const value: unknown = JSON.parse(body)
  if (!isObject(value)) throw new SyntaxError('it is not a JSON object')
  return value
}

interface Own {
  readonly feedback: JsonObject
  readonly confirmations: JsonObject
  readonly conflicts: readonly unknown[]
  readonly rejections: readonly unknown[]
}

function parted(document: JsonObject, isUnshared: IsOfEntry): { shared: JsonObject; own: Own } {
  const shared: Record<string, unknown> = { ...document }
  const own = {
    feedback: {},
    confirmations: {},
    conflicts: [] as readonly unknown[],
    rejections: [] as readonly unknown[],
  }
  for (const section of BY_ENTRY) {
    const held = document[section]
    if (!isObject(held)) continue
    const pick = (isOwn: boolean) =>
      Object.fromEntries(Object.entries(held).filter(([id]) => isUnshared(id) === isOwn))
    own[section] = pick(true)
    shared[section] = pick(false)
  }
  const isOwn = {
    conflicts: (each: unknown) => pairOf(each).some(isUnshared),
    // A rejected entry no longer exists: only the record of the rejection has its vault.
    rejections: (each: unknown) => isObject(each) && each.agent === PRIVATE_VAULT,
  }
  for (const list of LISTS) {
    const held = document[list]
    if (!Array.isArray(held)) continue
    own[list] = held.filter(isOwn[list])
    shared[list] = held.filter(each => !isOwn[list](each))
  }
  return { shared, own }
}

/** Three-way merge of bodies. `settled`: places that both sides changed, where the hub's value counts or both lines are included. */
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
  return { body: merged.lines.join('\n'), settled: merged.hasBoth ? [name] : [] }
}
