import type { FileEdits, TextFileChange } from '../../../kernel/model/journal.ts'
import { diffLines } from '../../../kernel/text/line-diff.ts'
import {
  blockLines,
  type EntryBlock,
  entryLines,
  findEntryBlock,
  findSeedBlock,
  findSeedBlocks,
  importsFile,
  insertBlock,
  isCurrentText,
  isOwnText,
  isSealIntact,
  removeBlock,
  replaceBlock,
  SEALED_VERSION,
} from './entry-block.ts'
import type { Present } from './projection.ts'

/** The one file with the block. */
export const ENTRY_FILE = 'AGENTS.md'

/** Files of hosts that do not read AGENTS.md, and the line with which each imports it. */
export const IMPORT_LINES: Readonly<Record<string, string>> = {
  'CLAUDE.md': '@AGENTS.md',
  '.claude/CLAUDE.md': '@../AGENTS.md',
  'GEMINI.md': '@./AGENTS.md',
}

/**
 * absent: no such file · none: no block in it · current · behind: an older block of Cairn or of `agent-memory` · edited: changed by hand
 * inside the markers · broken: its markers are damaged · newer: written by a newer Cairn · imports: it imports the file already · linked:
 * it is a link to the file · unreadable · unknown: only from 0.1.0
 */
export const BLOCK_STATES = [
  'absent',
  'none',
  'current',
  'behind',
  'edited',
  'broken',
  'newer',
  'imports',
  'linked',
  'unreadable',
  'unknown',
] as const
export type BlockState = (typeof BLOCK_STATES)[number]

export interface BlockInput {
  readonly path: string
  readonly present: Present
  readonly link: 'none' | 'to the entry file' | 'elsewhere'
  /** For a file that imports the one with the block: the path that it imports, relative to itself. */
  readonly imports?: string
  readonly hash: (text: string) => string
}

export interface JudgedBlock {
  readonly path: string
  readonly role: 'entry' | 'import'
  readonly state: BlockState
  /** The line of its start marker, from 1. */
  readonly line?: number
  readonly why?: string
  readonly diff?: readonly string[]
  /** Lines with a block of `agent-memory`. */
  readonly otherBlocks?: readonly number[]
}

export function judgeBlock(input: BlockInput): JudgedBlock {
  const { path, present, imports } = input
  const role = imports === undefined ? 'entry' : 'import'
  if (input.link === 'to the entry file') return { path, role, state: 'linked' }
  if (input.link === 'elsewhere')
    return {
      path,
      role,
      state: 'unreadable',
      why: `${path} is a link, and Cairn does not write through a link`,
    }
  if (present.kind === 'absent') return { path, role, state: 'absent' }
  if (present.kind === 'unreadable') return { path, role, state: 'unreadable', why: present.why }
  const others = findSeedBlocks(present.text)
  const seedLines = others.length === 0 ? {} : { otherBlocks: others }
  const found = findEntryBlock(present.text)
  if (found.kind === 'broken')
    return {
      path,
      role,
      state: 'broken',
      why: `${found.why} (line ${found.lines.slice(0, 8).join(', ')})`,
      ...seedLines,
    }
  if (found.kind === 'none') {
    const seed = seedBlockFor(input)
    if (seed !== undefined) return { path, role, line: seed.line, state: 'behind', ...seedLines }
    const isImported = imports !== undefined && importsFile(present.text, imports)
    return { path, role, state: isImported ? 'imports' : 'none', ...seedLines }
  }
  const { block } = found
  return { path, role, line: block.line, ...seedLines, ...stateOf(block, input) }
}

function stateOf(block: EntryBlock, input: BlockInput): Pick<JudgedBlock, 'state' | 'diff'> {
  if (block.version > SEALED_VERSION) return { state: 'newer' }
  if (!isIntact(block, input.hash)) return { state: 'edited', diff: blockDiff(block, blockFor(input)) }
  const isCurrent =
    block.form === 'plain' &&
    (input.imports === undefined ? isCurrentText(block.body) : block.body === IMPORT_LINES[input.path])
  return { state: isCurrent && seedBlockFor(input) === undefined ? 'current' : 'behind' }
}

function isIntact({ form, body }: EntryBlock, hash: (text: string) => string): boolean {
  if (form === 'sealed') return isSealIntact(body, hash)
  return Object.values(IMPORT_LINES).includes(body) || (form === 'plain' && isOwnText(body))
}

const MAX_DIFF_LINES = 40

function blockDiff({ body }: EntryBlock, lines: readonly string[]): string[] {
  const diff = diffLines(body.split('\n'), lines.slice(1, -1)).flatMap(({ removed, added }) => [
    ...removed.map(line => `- ${line.slice(0, 160)}`),
    ...added.map(line => `+ ${line.slice(0, 160)}`),
  ])
  const left = diff.length - MAX_DIFF_LINES
  return left > 0 ? [...diff.slice(0, MAX_DIFF_LINES), `… ${left} more lines`] : diff
}

/** The lines of the block for this file: the text, or the import of the file that has it. */
function blockFor({ path, imports }: Pick<BlockInput, 'path' | 'imports'>): string[] {
  return imports === undefined ? entryLines() : blockLines(IMPORT_LINES[path] ?? '')
}

/** undefined: nothing changes. Our block replaces one of `agent-memory`. */
export function blockWrite(input: BlockInput): TextFileChange | undefined {
  const { path, present } = input
  if (present.kind === 'unreadable') return undefined
  const lines = blockFor(input)
  if (present.kind === 'absent')
    return { type: 'file', path, before: null, after: insertBlock(undefined, lines) }
  const found = findEntryBlock(present.text)
  if (found.kind === 'broken') return undefined
  const seed = seedBlockFor(input)
  const after =
    found.kind === 'one'
      ? withBlock(seed === undefined ? present.text : (removeBlock(present.text, seed) ?? ''), lines)
      : seed === undefined
        ? insertBlock(present.text, lines)
        : replaceBlock(present.text, seed, lines)
  return after === present.text ? undefined : { type: 'file', path, before: present.text, after }
}

/** Replaces the block of the text with these lines. */
function withBlock(text: string, lines: readonly string[]): string {
  const found = findEntryBlock(text)
  return found.kind === 'one' ? replaceBlock(text, found.block, lines) : text
}

/** The block of `agent-memory`, if it is separate from ours. */
function seedBlockFor({ present, imports }: BlockInput): EntryBlock | undefined {
  if (present.kind !== 'text' || imports !== undefined) return undefined
  const seed = findSeedBlock(present.text)
  const own = findEntryBlock(present.text)
  if (seed === undefined || own.kind !== 'one') return seed
  return own.block.start >= seed.end || own.block.end <= seed.start ? seed : undefined
}

export function blockRemoval(path: string, present: Present): TextFileChange | undefined {
  if (present.kind !== 'text') return undefined
  const found = findEntryBlock(present.text)
  if (found.kind !== 'one') return undefined
  return { type: 'file', path, before: present.text, after: removeBlock(present.text, found.block) }
}

/** The effect of a change of the file on the block. undefined: none. */
export function blockEdit({ edits }: FileEdits): 'written' | 'removed' | undefined {
  const isIn = (lines: readonly string[]) => lines.some(line => line.startsWith(MARKER))
  if (edits.some(({ added }) => isIn(added))) return 'written'
  return edits.some(({ removed }) => isIn(removed)) ? 'removed' : undefined
}

const MARKER = '<!-- cairn:entry'
