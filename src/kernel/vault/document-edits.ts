import type { DocumentChange, DocumentEdit, DocumentEdits, ListEdit, ValueEdit } from '../model/journal.ts'
import { isObject } from '../model/json-value.ts'
import type { JsonObject } from './ports.ts'

/**
 * The edits between two versions of a document, so that the journal does not store all of it twice, and so that one change can be undone
 * after others.
 *
 * { a: 1, rejections: [x] }  ->  { a: 1, rejections: [x, y] }   =   [{ path: ['rejections'], at: 1, of: 1, removed: [], added: [y] }]
 *
 * Objects are compared key by key at any depth, lists by their common beginning and end. Edits are in the order in which they are
 * applied.
 */
export function diffDocument(before: JsonObject, after: JsonObject): DocumentEdit[] {
  return diffObjects(before, after, [])
}

/** Also for a line of the journal that contains the whole document. */
export function editsOf(change: DocumentChange | DocumentEdits): readonly DocumentEdit[] {
  return 'edits' in change
    ? change.edits
    : diffDocument(change.before as JsonObject, change.after as JsonObject)
}

export function invertEdits(edits: readonly DocumentEdit[]): DocumentEdit[] {
  return edits.map(inverse).reverse()
}

export interface Applied {
  readonly document: JsonObject
  /** Edits whose place has another value than they expect; they were skipped. */
  readonly refused: readonly DocumentEdit[]
}

interface DocumentEditOptions {
  /**
   * The place may have changed, as long as the value that the edit removes is still there: items are found at any position of their list,
   * and additions of others to an object or list stay.
   */
  readonly amongOthers?: boolean
}

/** Applies the edits that find the value they expect. An edit that is already applied does not. */
export function applyDocumentEdits(
  document: JsonObject,
  edits: readonly DocumentEdit[],
  { amongOthers = false }: DocumentEditOptions = {},
): Applied {
  let current = document
  const refused: DocumentEdit[] = []
  for (const edit of edits) {
    const edited = editAt(current, edit.path, value => editPlace(value, edit, amongOthers))
    if (edited === REFUSED) refused.push(edit)
    else current = edited as JsonObject
  }
  return { document: current, refused }
}

function diffObjects(before: JsonObject, after: JsonObject, path: readonly string[]): DocumentEdit[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(key =>
    diffValues(ownValue(before, key), ownValue(after, key), [...path, key]),
  )
}

/** undefined: absent. */
function diffValues(before: unknown, after: unknown, path: readonly string[]): DocumentEdit[] {
  if (isObject(before) && isObject(after)) return diffObjects(before, after, path)
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(before, after, path)
  if (sameValue(before, after)) return []
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}

function diffLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: readonly string[],
): DocumentEdit[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && sameValue(before[start], after[start])) start++
  let end = 0
  while (end < shorter - start && sameValue(before.at(-1 - end), after.at(-1 - end))) end++
  const removed = before.slice(start, before.length - end)
  const added = after.slice(start, after.length - end)
  if (removed.length === 0 && added.length === 0) return []
  const whole: ListEdit = { path, at: start, of: before.length, removed, added }
  return splitEdit(whole, new Set(before.map(textOf)), new Set(after.map(textOf)))
}

/**
 * Items that keep their order between others that are added or removed are not part of the change: [a, b, c] to [a, c, d] removes b and
 * adds d at the end. Items that occur twice, or moved, stay one edit.
 */
function splitEdit(whole: ListEdit, inBefore: ReadonlySet<string>, inAfter: ReadonlySet<string>): ListEdit[] {
  const removed = whole.removed.map(item => ({ item, stays: inAfter.has(textOf(item)) }))
  const added = whole.added.map(item => ({ item, stays: inBefore.has(textOf(item)) }))
  const staying = [removed, added].map(items => items.flatMap(({ item, stays }) => (stays ? [item] : [])))
  if (staying[0]?.length === 0 || !sameValue(staying[0], staying[1])) return [whole]
  const edits: ListEdit[] = []
  let { at, of } = whole
  while (removed.length > 0 || added.length > 0) {
    const gone = takeUntilStaying(removed)
    const come = takeUntilStaying(added)
    if (gone.length > 0 || come.length > 0)
      edits.push({ path: whole.path, at, of, removed: gone, added: come })
    at += come.length + 1
    of += come.length - gone.length
    removed.shift()
    added.shift()
  }
  return edits
}

function takeUntilStaying(items: { item: unknown; stays: boolean }[]): unknown[] {
  const end = items.findIndex(({ stays }) => stays)
  return items.splice(0, end === -1 ? items.length : end).map(({ item }) => item)
}

function textOf(item: unknown): string {
  return JSON.stringify(item)
}

function inverse(edit: DocumentEdit): DocumentEdit {
  if (isListEdit(edit)) {
    const { path, at, of, removed, added } = edit
    return { path, at, of: of - removed.length + added.length, removed: added, added: removed }
  }
  const { path, before, after } = edit
  return {
    path,
    ...(after !== undefined && { before: after }),
    ...(before !== undefined && { after: before }),
  }
}

const REFUSED = Symbol('refused')

/** The object with the result of `edit` at the end of the path; undefined removes the key. */
function editAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  edit: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return edit(value)
  if (!isObject(value)) return REFUSED
  const edited = editAt(ownValue(value, key), rest, edit)
  if (edited === REFUSED) return REFUSED
  if (edited !== undefined) return { ...value, [key]: edited }
  const { [key]: _gone, ...others } = value
  return others
}

function editPlace(value: unknown, edit: DocumentEdit, amongOthers: boolean): unknown {
  if (isListEdit(edit)) return Array.isArray(value) ? editList(value, edit, amongOthers) : REFUSED
  if (sameValue(value, edit.before)) return edit.after
  return amongOthers && edit.before !== undefined && edit.after === undefined
    ? takeOut(value, edit.before)
    : REFUSED
}

function editList(list: readonly unknown[], edit: ListEdit, amongOthers: boolean): unknown {
  const { removed, added } = edit
  if (removed.length === 0) {
    // If the items are already there, that is unexpected, unless the list has the same length as before and already had them.
    const isThere = added.some(item => indexOfItem(list, item) !== -1)
    if (edit.of !== list.length ? isThere || !amongOthers : containsAt(list, added, edit.at)) return REFUSED
    return list.toSpliced(Math.min(edit.at, list.length), 0, ...added)
  }
  if (containsAt(list, removed, edit.at) && (amongOthers || edit.of === list.length))
    return list.toSpliced(edit.at, removed.length, ...added)
  const rest = amongOthers ? withoutItems(list, removed) : undefined
  return rest === undefined ? REFUSED : rest.left.toSpliced(rest.firstAt, 0, ...added)
}

/** Removes what was added and leaves additions of others. If nothing is left, the whole value is removed. */
function takeOut(value: unknown, taken: unknown): unknown {
  if (sameValue(value, taken)) return undefined
  if (Array.isArray(value) && Array.isArray(taken)) return withoutItems(value, taken)?.left ?? REFUSED
  if (!isObject(value) || !isObject(taken)) return REFUSED
  const left: Record<string, unknown> = { ...value }
  for (const key of Object.keys(taken)) {
    const rest = takeOut(ownValue(value, key), ownValue(taken, key))
    if (rest === REFUSED) return REFUSED
    if (rest === undefined) delete left[key]
    else left[key] = rest
  }
  return left
}

/** The list without these items, wherever they are, and the position of the first of them. */
function withoutItems(
  list: readonly unknown[],
  items: readonly unknown[],
): { left: unknown[]; firstAt: number } | undefined {
  const left = [...list]
  let firstAt = list.length
  for (const item of items) {
    const at = indexOfItem(left, item)
    if (at === -1) return undefined
    left.splice(at, 1)
    firstAt = Math.min(firstAt, at)
  }
  return { left, firstAt }
}

function containsAt(list: readonly unknown[], items: readonly unknown[], at: number): boolean {
  return items.every((item, n) => at + n < list.length && sameValue(list[at + n], item))
}

function indexOfItem(list: readonly unknown[], item: unknown): number {
  return list.findIndex(other => sameValue(other, item))
}

/** As JSON: the order of keys does not matter, and a key without a value is absent. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && containsAt(a, b, 0)
  if (!isObject(a) || !isObject(b)) return false
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(key =>
    sameValue(ownValue(a, key), ownValue(b, key)),
  )
}

function isListEdit(edit: ValueEdit | ListEdit): edit is ListEdit {
  return 'at' in edit
}

/** A document may have any key, including `__proto__`. */
function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
