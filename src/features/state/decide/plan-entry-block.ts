import type { FileEdits, TextFileChange } from '../../../kernel/model/journal.ts'
import { diffLines } from '../../../kernel/text/line-diff.ts'
import {
  type EntryBlock,
  findEntryBlock,
  findSeedBlock,
  findSeedBlocks,
  importsFile,
  insertBlock,
  removeBlock,
  replaceBlock,
  SEALED_VERSION,
} from './entry-block.ts'
import { blockLines, entryLines, isCurrentText, isOwnText, isSealIntact } from './entry-content.ts'
import type { Present } from './plan-projections.ts'

/** The one file with the block. */
export const ENTRY_FILE = 'AGENTS.md'

/** Files of hosts that do not read AGENTS.md beside their own, and how each imports it. */
export const IMPORT_LINES: Readonly<Record<string, string>> = {
  'CLAUDE.md': '@AGENTS.md',
  '.claude/CLAUDE.md': '@../AGENTS.md',
  'GEMINI.md': '@./AGENTS.md',
}

/**
 * absent: no such file · none: no block in it · current · behind: an older block of ours, or of the seed's tool · edited: changed by hand
 * inside the markers · broken: its markers cannot be made out · newer: of a newer Cairn · imports: it imports the file by itself ·
 * linked: it is a link to it · unreadable · unknown: answered by 0.1.0 where there was no state, and by hubs of that version
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
  /** What it imports, relative to itself, when this is a file that imports the one with the block. */
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
  /** Lines with a block of the tool that the seed describes. */
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
      why: `${path} is a link, and Cairn writes no file through a link`,
    }
  if (present.kind === 'absent') return { path, role, state: 'absent' }
  if (present.kind === 'unreadable') return { path, role, state: 'unreadable', why: present.why }
  const others = findSeedBlocks(present.text)
  const beside = others.length === 0 ? {} : { otherBlocks: others }
  const found = findEntryBlock(present.text)
  if (found.kind === 'broken')
    return {
      path,
      role,
      state: 'broken',
      why: `${found.why} (line ${found.lines.slice(0, 8).join(', ')})`,
      ...beside,
    }
  if (found.kind === 'none') {
    const seed = seedBlockFor(input)
    if (seed !== undefined) return { path, role, line: seed.line, state: 'behind', ...beside }
    const isImported = imports !== undefined && importsFile(present.text, imports)
    return { path, role, state: isImported ? 'imports' : 'none', ...beside }
  }
  const { block } = found
  return { path, role, line: block.line, ...beside, ...stateOf(block, input) }
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

/** undefined: nothing changes. The block of the seed's tool makes place for ours. */
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

/** The text with these lines in the place of its block. */
function withBlock(text: string, lines: readonly string[]): string {
  const found = findEntryBlock(text)
  return found.kind === 'one' ? replaceBlock(text, found.block, lines) : text
}

/** The block of the seed's tool, where it stands apart from ours. */
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

/** What a change of the file did to the block. undefined: nothing. */
export function blockEdit({ edits }: FileEdits): 'written' | 'removed' | undefined {
  const isIn = (lines: readonly string[]) => lines.some(line => line.startsWith(MARKER))
  if (edits.some(({ added }) => isIn(added))) return 'written'
  return edits.some(({ removed }) => isIn(removed)) ? 'removed' : undefined
}

const MARKER = '<!-- cairn:entry'
