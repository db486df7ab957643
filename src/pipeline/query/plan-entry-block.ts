import type { FileChange } from '../../model/journal.ts'
import { diffLines } from '../../text/line-diff.ts'
import {
  ENTRY_VERSION,
  type EntryBlock,
  findEntryBlock,
  findSeedBlocks,
  IMPORT_START,
  importsFile,
  insertBlock,
  removeBlock,
  replaceBlock,
} from './entry-block.ts'
import { isSealIntact } from './entry-content.ts'
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
 * absent: no such file · none: no block in it · current · behind: of an older bundle · edited: changed by hand inside the markers ·
 * broken: its markers cannot be made out · newer: of a newer Cairn · imports: it imports the file by itself · linked: it is a link to it
 * · unreadable · unknown: intact, and there is no state to compare it with
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
  /** All lines but the end; undefined: there is no state. */
  readonly lines: readonly string[] | undefined
  readonly bundleHash: string | undefined
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
  /** Lines with a block of the tool that the seed describes: left alone. */
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
    const isImported = imports !== undefined && importsFile(present.text, imports)
    return { path, role, state: isImported ? 'imports' : 'none', ...beside }
  }
  const { block } = found
  return { path, role, line: block.line, ...beside, ...stateOf(block, input) }
}

function stateOf(block: EntryBlock, input: BlockInput): Pick<JudgedBlock, 'state' | 'diff'> {
  if (block.version > ENTRY_VERSION) return { state: 'newer' }
  const isIntact =
    block.kind === 'import' ? isImportIntact(block.body) : isSealIntact(block.body, input.hash) === true
  if (!isIntact) return { state: 'edited', diff: blockDiff(block, input.lines) }
  const wanted = input.imports === undefined ? 'entry' : 'import'
  if (block.kind !== wanted) return { state: 'behind' }
  if (wanted === 'import') return { state: 'current' }
  if (input.bundleHash === undefined) return { state: 'unknown' }
  return { state: block.bundleHash === input.bundleHash ? 'current' : 'behind' }
}

function isImportIntact(body: string): boolean {
  return Object.values(IMPORT_LINES).includes(body)
}

const MOST_DIFF_LINES = 40

function blockDiff({ body }: EntryBlock, lines: readonly string[] = []): string[] {
  const diff = diffLines(body.split('\n'), lines.slice(1)).flatMap(({ removed, added }) => [
    ...removed.map(line => `- ${line.slice(0, 160)}`),
    ...added.map(line => `+ ${line.slice(0, 160)}`),
  ])
  const left = diff.length - MOST_DIFF_LINES
  return left > 0 ? [...diff.slice(0, MOST_DIFF_LINES), `… ${left} more lines`] : diff
}

/** The lines of the block for a file that imports the one that has it. */
export function importBlock(path: string): string[] {
  return [IMPORT_START, IMPORT_LINES[path] ?? '']
}

/** undefined: nothing changes. */
export function blockWrite({ path, present, lines }: BlockInput): FileChange | undefined {
  if (lines === undefined || present.kind === 'unreadable') return undefined
  if (present.kind === 'absent')
    return { type: 'file', path, before: null, after: insertBlock(undefined, lines) }
  const found = findEntryBlock(present.text)
  if (found.kind === 'broken') return undefined
  const after =
    found.kind === 'none' ? insertBlock(present.text, lines) : replaceBlock(present.text, found.block, lines)
  return after === present.text ? undefined : { type: 'file', path, before: present.text, after }
}

export function blockRemoval(path: string, present: Present): FileChange | undefined {
  if (present.kind !== 'text') return undefined
  const found = findEntryBlock(present.text)
  if (found.kind !== 'one') return undefined
  return { type: 'file', path, before: present.text, after: removeBlock(present.text, found.block) }
}
