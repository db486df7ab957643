import { CairnError } from '../../../kernel/model/errors.ts'
import { isObject } from '../../../kernel/model/json-value.ts'
import { sameValue } from '../../../kernel/vault/document-edits.ts'
import { renderMemoryDocument } from '../../../kernel/vault/documents.ts'
import type { JsonObject } from '../../../kernel/vault/ports.ts'
import { conflictBlock, type Merged, type MergeInput } from './merge-input.ts'

const MAX_LEVELS = 40
/** The fields that identify an item of a list; the first group that an item has counts. */
const IDENTITIES: readonly (readonly string[])[] = [['id'], ['entryA', 'entryB'], ['fingerprint'], ['path']]
/** The field with the time of a record: of two records the later one counts as a whole. */
const MOMENTS = ['updatedAt', 'resolvedAt', 'generatedAt', 'at'] as const
/** Counters: the increments of both sides are added. */
const COUNTERS: ReadonlySet<string> = new Set(['useful', 'wrong'])

interface Collision {
  readonly path: string
  readonly ours: unknown
  readonly theirs: unknown
}

interface DocumentMergeOptions {
  /** A file that only Cairn writes: of two values the one of the later document counts, without a conflict. */
  readonly isMachineMade: boolean
}

/** Merges three versions of a JSON document key by key, and lists item by item. A key that both sides set to different values is a conflict. */
export function mergeDocuments(input: MergeInput, { isMachineMade }: DocumentMergeOptions): Merged {
  const [base, ours, theirs] = [input.base, input.ours, input.theirs].map(readObject) as [
    JsonObject,
    JsonObject,
    JsonObject,
  ]
  const collisions: Collision[] = []
  const oursIsLater = momentOf(ours) >= momentOf(theirs)
  const settle = (path: string, our: unknown, their: unknown): unknown => {
    if (isMachineMade) return oursIsLater ? our : their
    collisions.push({ path, ours: our, theirs: their })
    return placeholder(collisions.length - 1)
  }
  const merged = mergeObjects(base, ours, theirs, {
    path: '',
    level: 0,
    byClock: true,
    hasBase: true,
    settle,
  })
  const conflicts = collisions.map(({ path }) => path)
  if (collisions.length === 0 && sameValue(merged, ours)) return { bytes: input.ours, conflicts, remarks: [] }
  if (collisions.length === 0 && sameValue(merged, theirs))
    return { bytes: input.theirs, conflicts, remarks: [] }
  const text = new TextDecoder().decode(renderMemoryDocument(merged))
  const lines = text.split('\n').flatMap(line => markedLine(line, collisions, input))
  return { bytes: new TextEncoder().encode(lines.join('\n')), conflicts, remarks: [] }
}

/**
 * The same for parsed documents of two machines: of a key with two new values, `theirs` counts and the key is in `settled`. Times of two
 * clocks are never compared.
 */
export function mergeFromElsewhere(
  /** undefined: the common version is not known. */
  base: JsonObject | undefined,
  ours: JsonObject,
  theirs: JsonObject,
): { readonly document: JsonObject; readonly settled: readonly string[] } {
  const settled: string[] = []
  const document = mergeObjects(base ?? {}, ours, theirs, {
    path: '',
    level: 0,
    byClock: false,
    hasBase: base !== undefined,
    settle(path, _our, their) {
      settled.push(path)
      return their
    },
  })
  return { document, settled }
}

/** The later of two documents, whole. */
export function laterDocument({ ours, theirs }: MergeInput): Merged {
  const [our, their] = [ours, theirs].map(bytes => momentOf(readObject(bytes))) as [string, string]
  return { bytes: our >= their ? ours : theirs, conflicts: [], remarks: [] }
}

interface Place {
  readonly path: string
  readonly level: number
  /** Whether the later of two dated records counts; otherwise they go to `settle`. */
  readonly byClock: boolean
  /** Without a base both may have counted the same events: the smaller number counts as common. */
  readonly hasBase: boolean
  readonly settle: (path: string, our: unknown, their: unknown) => unknown
}

function mergeObjects(was: JsonObject, our: JsonObject, their: JsonObject, place: Place): JsonObject {
  if (place.level > MAX_LEVELS) throw unreadable('it is nested too deeply')
  const keys = [...new Set([...Object.keys(our), ...Object.keys(their)])]
  return Object.fromEntries(
    keys.flatMap(key => {
      const value = mergeValues(own(was, key), own(our, key), own(their, key), {
        ...place,
        path: place.path === '' ? key : `${place.path}.${key}`,
        level: place.level + 1,
      })
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

/** undefined: absent. Removed on one side and changed on the other: the changed value stays. */
function mergeValues(was: unknown, our: unknown, their: unknown, place: Place): unknown {
  if (sameValue(our, their) || sameValue(was, their)) return our
  if (sameValue(was, our)) return their
  // A null is a value that was set.
  if (our === undefined || their === undefined) return our === undefined ? their : our
  if (Array.isArray(our) && Array.isArray(their))
    return mergeLists(Array.isArray(was) ? was : [], our, their, place)
  if (isObject(our) && isObject(their)) {
    const [ourMoment, theirMoment] = [momentOf(our), momentOf(their)]
    if (place.level > 1 && ourMoment !== theirMoment) {
      if (!place.byClock) return place.settle(place.path, our, their)
      return ourMoment > theirMoment ? our : their
    }
    return mergeObjects(isObject(was) ? was : {}, our, their, place)
  }
  const key = place.path.slice(place.path.lastIndexOf('.') + 1)
  if (COUNTERS.has(key) && [our, their].every(isCount)) {
    const before = isCount(was) ? was : place.hasBase ? 0 : Math.min(our as number, their as number)
    return Math.max(0, (our as number) + (their as number) - before)
  }
  if (key === 'version' && [our, their].every(isCount)) return Math.max(our as number, their as number)
  return place.settle(place.path, our, their)
}

/** The items of both sides without those that one side removed; an item that both have is merged. */
function mergeLists(
  was: readonly unknown[],
  our: readonly unknown[],
  their: readonly unknown[],
  place: Place,
): unknown[] {
  const [wasByName, ourByName, theirByName] = [was, our, their].map(items => byName(items)) as [
    Map<string, unknown>,
    Map<string, unknown>,
    Map<string, unknown>,
  ]
  const names = [...new Set([...ourByName.keys(), ...theirByName.keys()])]
  return names.flatMap(name => {
    const [before, ourItem, theirItem] = [wasByName.get(name), ourByName.get(name), theirByName.get(name)]
    if (before !== undefined && (ourItem === undefined || theirItem === undefined)) {
      const left = ourItem ?? theirItem
      return sameValue(left, before) ? [] : [left]
    }
    const item = mergeValues(before, ourItem, theirItem, { ...place, level: place.level + 1 })
    return item === undefined ? [] : [item]
  })
}

/** An item that is in a list twice stays twice. */
function byName(items: readonly unknown[]): Map<string, unknown> {
  const itemByName = new Map<string, unknown>()
  for (const item of items) {
    const own = nameOf(item)
    let name = own
    for (let copies = 2; itemByName.has(name); copies++) name = `${own} ${copies}`
    itemByName.set(name, item)
  }
  return itemByName
}

function nameOf(item: unknown): string {
  if (isObject(item)) {
    const fields = IDENTITIES.find(names => names.every(name => typeof own(item, name) === 'string'))
    if (fields !== undefined)
      return `by ${fields.map(name => `${name} ${String(own(item, name))}`).join(' ')}`
  }
  return JSON.stringify(item)
}

function momentOf(value: JsonObject): string {
  const moment = MOMENTS.map(name => own(value, name)).find(
    at => typeof at === 'string' || typeof at === 'number',
  )
  return moment === undefined ? '' : String(moment)
}

function placeholder(at: number): string {
  return `\uE000cairn conflict ${at}\uE000`
}

/** Replaces the line of a key in conflict with the lines of both sides. */
function markedLine(line: string, collisions: readonly Collision[], { markers }: MergeInput): string[] {
  const at = collisions.findIndex((_, index) => line.includes(`"${placeholder(index)}"`))
  const collision = collisions[at]
  if (collision === undefined) return [line]
  const indent = /^\s*/.exec(line)?.[0] ?? ''
  const [ours, theirs] = [collision.ours, collision.theirs].map(value =>
    line.replace(`"${placeholder(at)}"`, () =>
      JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`),
    ),
  ) as [string, string]
  return conflictBlock(ours, theirs, { markers, eol: '\n' }).replace(/\n$/, '').split('\n')
}

function readObject(bytes: Uint8Array): JsonObject {
  // A file that only one side has is empty in the others.
  const text = new TextDecoder().decode(bytes).replace(/^\ufeff/, '')
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw unreadable(error.message)
  }
  if (!isObject(value)) throw unreadable('it is not a JSON object')
  return value
}

function unreadable(reason: string): CairnError {
  return new CairnError({
    code: 'document_damaged',
    message: `one of its versions cannot be read as JSON (${reason})`,
    hint: 'Correct the file by hand.',
  })
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** A document may have any key, `__proto__` too. */
function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
