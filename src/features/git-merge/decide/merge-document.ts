import { CairnError } from '../../../kernel/model/errors.ts'
import { isObject } from '../../../kernel/model/json-value.ts'
import { sameValue } from '../../../kernel/vault/document-edits.ts'
import { renderMemoryDocument } from '../../../kernel/vault/documents.ts'
import type { JsonObject } from '../../../kernel/vault/ports.ts'
import { conflictBlock, type Merged, type MergeInput } from './merge-input.ts'

const MAX_LEVELS = 40
/** Which fields tell that two items of a list are the same one, the first that an item has. */
const IDENTITIES: readonly (readonly string[])[] = [['id'], ['entryA', 'entryB'], ['fingerprint'], ['path']]
/** Which field tells when a record was made: of two, the later counts whole. */
const MOMENTS = ['updatedAt', 'resolvedAt', 'generatedAt', 'at'] as const
/** Numbers that count something: both sides' steps are added. */
const COUNTERS: ReadonlySet<string> = new Set(['useful', 'wrong'])

interface Collision {
  readonly path: string
  readonly ours: unknown
  readonly theirs: unknown
}

export interface DocumentMergeOptions {
  /** A file that only Cairn writes: two values are no question for a person, the one of the later document counts. */
  readonly isMachineMade: boolean
}

/** Three versions of a JSON document in one: key by key, lists item by item. A key that both sides set to other values is a conflict. */
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
 * The same of documents that were parsed already, between two machines: what both set to other values is as `theirs` has it, and is named.
 * No moment of one clock is held against one of another.
 */
export function mergeFromElsewhere(
  /** undefined: what both had once is not known. */
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
  /** Of two records that say when they were made the later counts; otherwise they are one question. */
  readonly byClock: boolean
  /** Without one, what both have counted may be the same: the smaller number is taken for what both had. */
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

/** undefined: not there. Removed on one side and changed on the other: it stays as changed. */
function mergeValues(was: unknown, our: unknown, their: unknown, place: Place): unknown {
  if (sameValue(our, their) || sameValue(was, their)) return our
  if (sameValue(was, our)) return their
  // A null is a value: somebody set it.
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

/** Everything of either side, but for what one of them took away; an item that both have is merged. */
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

/** What stands twice in one list stays twice. */
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

/** The line of a key that both sides set becomes both lines. */
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
  // A file that one side alone has is empty in the others.
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
    hint: 'Mend the file by hand.',
  })
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** A document may have any key, `__proto__` too. */
function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
