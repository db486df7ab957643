import type { Node } from 'jsonc-parser'
import { isOurCommand, isOurServer } from './hook-command.ts'
import {
  insertChild,
  type JsonPath,
  lineAt,
  parseDocument,
  plainValue,
  propertyOf,
  removeChild,
  replaceValue,
  UneditableText,
  valueAt,
} from './json-document.ts'
import type { JsonPiece } from './target-file.ts'
import { type ReversibleText, type TextEdit, untouched, withEdits } from './text-edit.ts'

/** The previous state of a piece in the file. `taken`: its place has something that is not ours, which stays. */
export type PieceState = 'none' | 'current' | 'outdated' | 'taken'

interface PutPieces {
  readonly edited: ReversibleText
  readonly states: readonly { readonly name: string; readonly state: PieceState }[]
  /** Objects and lists that were not there before. */
  readonly made: readonly JsonPath[]
  /** The previous value of a setting; absent: there was none. */
  readonly settings: readonly { readonly path: JsonPath; readonly before?: unknown }[]
}

/** Adds missing pieces and updates outdated ones, in place. Current ones are not touched. */
export function putPieces(text: string, pieces: readonly JsonPiece[]): PutPieces {
  const work = new JsonWork(text)
  const states = pieces.map(piece => ({ name: piece.name, state: putPiece(work, piece) }))
  return { edited: work.edited, states, made: work.made, settings: work.settings }
}

function putPiece(work: JsonWork, piece: JsonPiece): PieceState {
  if (piece.kind === 'hooks') return putHooks(work, piece)
  if (piece.kind === 'server') return putServer(work, piece)
  if (piece.kind === 'item') {
    if (itemsAt(work.root(), piece.path).some(item => item.value === piece.value)) return 'current'
    work.add(piece.path, piece.value)
    return 'none'
  }
  const there = work.find(piece.path)
  if (there !== undefined && (piece.kind === 'frame' || isSame(plainValue(there), piece.value)))
    return 'current'
  work.settings.push({ path: piece.path, ...(there !== undefined && { before: plainValue(there) }) })
  work.set(piece.path, piece.value)
  return there === undefined ? 'none' : 'outdated'
}

function putServer(work: JsonWork, { path, value }: JsonPiece & { kind: 'server' }): PieceState {
  const there = work.find(path)
  if (there === undefined) {
    work.set(path, value)
    return 'none'
  }
  if (!isServerOfOurs(there)) return 'taken'
  let state: PieceState = 'current'
  for (const [key, wanted] of Object.entries(value)) {
    const now = work.find([...path, key])
    if (now !== undefined && isSame(plainValue(now), wanted)) continue
    work.set([...path, key], wanted)
    state = 'outdated'
  }
  return state
}

function isServerOfOurs(node: Node): boolean {
  const value = plainValue(node)
  if (typeof value !== 'object' || value === null) return false
  const { command, args } = value as { command?: unknown; args?: unknown }
  return isOurServer([command, args].flat())
}

function putHooks(work: JsonWork, { path, groups }: JsonPiece & { kind: 'hooks' }): PieceState {
  const events = new Set([...Object.keys(groups), ...work.keys(path)])
  const states = [...events].map(event => ({
    isWanted: (groups[event]?.length ?? 0) > 0,
    state: putEvent(work, [...path, event], groups[event] ?? []),
  }))
  if (states.every(({ state }) => state === 'current')) return 'current'
  return states.every(({ isWanted, state }) => state === (isWanted ? 'none' : 'current'))
    ? 'none'
    : 'outdated'
}

/** Of one event: ours in order, each in the place of one of ours while there are any, else at the end. */
function putEvent(work: JsonWork, path: JsonPath, wanted: readonly unknown[]): PieceState {
  const foreign = wanted.length === 0 && work.find(path)?.type !== 'array'
  if (foreign) return 'current'
  let state: PieceState = 'current'
  // A group that is not ours, into which ours were moved: correct as it is, or ours are removed from it.
  const mixed = itemsAt(work.root(), path).filter(isMixed)
  if (wanted.length > 0 && mixed.some(group => isSame(oursIn(group), wanted.flatMap(handlersOf))))
    return 'current'
  for (let left = mixed.length; left > 0; left--) {
    takeFromMixed(work, path)
    state = 'outdated'
  }
  const count = oursAt(work, path).length
  for (const [at, group] of wanted.entries()) {
    const there = oursAt(work, path)[at]
    if (there === undefined) {
      work.add(path, group)
      if (count > 0) state = 'outdated'
      else if (state === 'current') state = 'none'
    } else if (!isSame(plainValue(there), group)) {
      work.replace(there, group)
      state = 'outdated'
    }
  }
  for (
    let extra = oursAt(work, path)[wanted.length];
    extra !== undefined;
    extra = oursAt(work, path)[wanted.length]
  ) {
    work.remove(extra)
    state = 'outdated'
  }
  // A moment at which we were called once, and are not any more.
  if (wanted.length === 0 && state === 'outdated') clearEmpty(work, path, undefined)
  return state
}

function takeFromMixed(work: JsonWork, path: JsonPath): void {
  for (;;) {
    const group = itemsAt(work.root(), path).find(isMixed)
    const handler = group && handlerNodes(group).find(isOurs)
    if (handler === undefined) return
    work.remove(handler)
  }
}

function oursAt(work: JsonWork, path: JsonPath): Node[] {
  return itemsAt(work.root(), path).filter(isOurs)
}

function itemsAt(root: Node | undefined, path: JsonPath): readonly Node[] {
  const node = root && valueAt(root, path)
  return node?.type === 'array' ? (node.children ?? []) : []
}

/** A group is ours when every handler in it is; a handler by its command. */
function isOurs(node: Node): boolean {
  const handlers = handlerNodes(node)
  if (handlers.length > 0) return handlers.every(isOurs)
  if (node.type !== 'object') return false
  const { type, server, command, bash, powershell } = plainValue(node) as Record<string, unknown>
  if (type === 'mcp_tool') return server === 'cairn'
  return isOurCommand(command) || isOurCommand(bash) || isOurCommand(powershell)
}

function isMixed(node: Node): boolean {
  const handlers = handlerNodes(node)
  return handlers.some(isOurs) && !handlers.every(isOurs)
}

function handlerNodes(group: Node): readonly Node[] {
  const list = group.type === 'object' ? propertyOf(group, 'hooks')?.children?.[1] : undefined
  return list?.type === 'array' ? (list.children ?? []) : []
}

function oursIn(group: Node): unknown[] {
  return handlerNodes(group).filter(isOurs).map(plainValue)
}

function handlersOf(group: unknown): readonly unknown[] {
  return (group as { hooks?: readonly unknown[] }).hooks ?? []
}

export interface ChangesMade {
  readonly made: readonly JsonPath[]
  readonly settings: readonly { readonly path: JsonPath; readonly before?: unknown }[]
  /** Names of pieces that existed before us; they stay. */
  readonly keep: readonly string[]
}

/** Removes our pieces and leaves everything else. Without `known`, removes all that are certainly ours. */
export function removePieces(
  text: string,
  pieces: readonly JsonPiece[],
  known?: ChangesMade,
): { readonly edited: ReversibleText; readonly isEmpty: boolean } {
  const work = new JsonWork(text)
  for (const piece of pieces) {
    if (known?.keep.includes(piece.name)) continue
    takePiece(work, piece, known)
  }
  const root = work.root()
  return {
    edited: work.edited,
    isEmpty: root === undefined || (root.children?.length === 0 && isBare(work.edited.text)),
  }
}

/** `{}` with nothing but space around. */
function isBare(text: string): boolean {
  return /^\s*\{\s*\}\s*$/.test(text)
}

function takePiece(work: JsonWork, piece: JsonPiece, known: ChangesMade | undefined): void {
  const { path } = piece
  if (piece.kind === 'server') {
    const there = work.find(path)
    if (there === undefined || !isServerOfOurs(there)) return
    work.removeAt(path)
    clearEmpty(work, path.slice(0, -1), known)
    return
  }
  if (piece.kind === 'item') {
    const item = itemsAt(work.root(), path).find(({ value }) => value === piece.value)
    if (item === undefined) return
    work.remove(item)
    clearEmpty(work, path, known)
    return
  }
  if (piece.kind === 'hooks') {
    takeHooks(work, path, known)
    return
  }
  const there = work.find(path)
  if (there === undefined || !isSame(plainValue(there), piece.value)) return
  const changed = known?.settings.find(one => isSame(one.path, path))
  // A setting whose previous value is unknown stays.
  if (changed === undefined && (known !== undefined || piece.kind === 'setting')) return
  if (changed !== undefined && 'before' in changed) {
    work.set(path, changed.before)
    return
  }
  const isAlone = work.root()?.children?.length === 1
  if (piece.kind === 'frame' && !isAlone) return
  work.removeAt(path)
}

function takeHooks(work: JsonWork, path: JsonPath, known: ChangesMade | undefined): void {
  for (const event of work.keys(path)) {
    const list = [...path, event]
    const had = oursAt(work, list).length + itemsAt(work.root(), list).filter(isMixed).length
    if (had === 0) continue
    takeFromMixed(work, list)
    for (let one = oursAt(work, list)[0]; one !== undefined; one = oursAt(work, list)[0]) work.remove(one)
    clearEmpty(work, list, known)
  }
}

/** Lists and objects that stood empty only for us go too, from the inside out. */
function clearEmpty(work: JsonWork, path: JsonPath, known: ChangesMade | undefined): void {
  for (let inner = path; inner.length > 0; inner = inner.slice(0, -1)) {
    const node = work.find(inner)
    const isMade = known === undefined || known.made.some(one => isSame(one, inner))
    if (node === undefined || !isMade || (node.children?.length ?? 0) > 0) return
    // A comment in it, or next to its key, is not ours.
    const { text } = work.edited
    const [key] = node.parent?.children ?? []
    const around = text.slice(node.offset + 1, node.offset + node.length - 1)
    const between = key === undefined ? '' : text.slice(key.offset + key.length, node.offset).replace(':', '')
    if (/\S/.test(around + between)) return
    work.removeAt(inner)
  }
}

/** A file while it is worked on: parsed again after each step, so that every offset is about the text as it is. */
class JsonWork {
  edited: ReversibleText
  readonly made: JsonPath[] = []
  readonly settings: { readonly path: JsonPath; readonly before?: unknown }[] = []
  private parsed: Node | undefined

  constructor(text: string) {
    this.edited = untouched(text)
    this.parsed = parseDocument(text)
  }

  root(): Node | undefined {
    return this.parsed
  }

  find(path: JsonPath): Node | undefined {
    const root = this.root()
    return root && valueAt(root, path)
  }

  keys(path: JsonPath): string[] {
    const node = this.find(path)
    return node?.type === 'object'
      ? (node.children ?? []).map(({ children }) => String(children?.[0]?.value))
      : []
  }

  set(path: JsonPath, value: unknown): void {
    const there = this.find(path)
    if (there !== undefined) {
      this.replace(there, value)
      return
    }
    const into = this.container(path.slice(0, -1), 'object', value, path)
    if (into === undefined) return
    this.edit(insertChild(this.edited.text, this.root() as Node, { into, key: path.at(-1) as string, value }))
  }

  /** A new last item of a list. */
  add(path: JsonPath, value: unknown): void {
    const into = this.container(path, 'array', [value], path)
    if (into === undefined) return
    this.edit(insertChild(this.edited.text, this.root() as Node, { into, value }))
  }

  replace(node: Node, value: unknown): void {
    this.edit(replaceValue(this.edited.text, this.root() as Node, node, value))
  }

  remove(item: Node): void {
    const parent = item.parent
    if (parent !== undefined) this.edit(removeChild(this.edited.text, parent, item))
  }

  removeAt(path: JsonPath): void {
    const property = this.find(path)?.parent
    if (property !== undefined) this.remove(property)
  }

  /**
   * The object or list at `path`. Where it is missing, the outermost missing one is put in whole, with `value` at `at` inside: undefined
   * then.
   */
  private container(
    path: JsonPath,
    type: 'object' | 'array',
    value: unknown,
    at: JsonPath,
  ): Node | undefined {
    const root = this.root() ?? this.newRoot()
    for (let length = 0; length <= path.length; length++) {
      const here = path.slice(0, length)
      const node = valueAt(root, here)
      const wanted = length === path.length ? type : 'object'
      if (node === undefined) {
        for (let made = length; made <= path.length; made++) this.made.push(path.slice(0, made))
        const isList = type === 'array'
        const inner = at.slice(length, isList ? at.length : undefined)
        const whole = inner.reduceRight<unknown>((content, key) => ({ [key]: content }), value)
        const into = valueAt(root, path.slice(0, length - 1)) as Node
        this.edit(
          insertChild(this.edited.text, root, { into, key: path[length - 1] as string, value: whole }),
        )
        return undefined
      }
      if (node.type !== wanted) {
        throw new UneditableText(
          `"${here.join('.')}" is no ${wanted === 'array' ? 'list' : 'object'}`,
          lineAt(this.edited.text, node.offset),
        )
      }
    }
    return valueAt(root, path)
  }

  private newRoot(): Node {
    const { text } = this.edited
    const eol = text.includes('\r\n') ? '\r\n' : '\n'
    const isFresh = text === '' || text === '\uFEFF' || text.endsWith('\n')
    this.edit([{ offset: text.length, length: 0, text: `${isFresh ? '' : eol}{}${eol}` }])
    return this.root() as Node
  }

  private edit(edits: readonly TextEdit[]): void {
    this.edited = withEdits(this.edited, edits)
    if (edits.length > 0) this.parsed = parseDocument(this.edited.text)
  }
}

/** Whether two JSON values are equal; the order of keys does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every(key => Object.hasOwn(other, key) && isSame((one as never)[key], (other as never)[key]))
  )
}
