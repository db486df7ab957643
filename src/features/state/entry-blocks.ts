import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { FileEdits, JournalRecord, TextFileChange } from '../../kernel/model/journal.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import {
  type BlockInput,
  type BlockState,
  blockEdit,
  blockRemoval,
  blockWrite,
  ENTRY_FILE,
  IMPORT_LINES,
  type JudgedBlock,
  judgeBlock,
} from './decide/plan-entry-block.ts'
import { type ProjectingOptions, presentText } from './projections.ts'

export interface EntryBlockReport {
  /** The state of each file before the change. */
  readonly files: readonly JudgedBlock[]
  /** Always empty: the block depends on nothing but the files. */
  readonly problems: readonly Problem[]
  readonly changed: readonly string[]
  readonly record: string | null
}

interface EntryBlockOptions extends ProjectingOptions {
  /** Write: these too. Remove: only these. */
  readonly files?: readonly string[] | undefined
  /** Only where there is no block yet: older and edited blocks stay as they are. */
  readonly missingOnly?: boolean
}

export async function entryBlockStatus(memory: Memory): Promise<EntryBlockReport> {
  const files = (await blockInputs(memory)).map(judgeBlock).filter(isListed)
  return { files, problems: [], changed: [], record: null }
}

/**
 * The file that lost the entry block although Cairn did not remove it: it was deleted, or a generator wrote it again. `newestFirst`:
 * records of the journal.
 */
export async function missingBlock(
  memory: Memory,
  newestFirst: AsyncIterable<JournalRecord> | Iterable<JournalRecord>,
): Promise<string | undefined> {
  const { files } = await entryBlockStatus(memory)
  const lost = files.find(({ role, state }) => role === 'entry' && (state === 'absent' || state === 'none'))
  if (lost === undefined) return undefined
  for await (const { changes } of newestFirst) {
    const edited = changes.find(
      (change): change is FileEdits => change.type === 'file' && change.path === lost.path,
    )
    const last = edited === undefined ? undefined : blockEdit(edited)
    if (last !== undefined) return last === 'written' ? lost.path : undefined
  }
  return undefined
}

/** Writes the block into AGENTS.md, and its import into the files of hosts that exist or were named. */
export async function writeEntryBlock(
  memory: Memory,
  { dryRun = false, overwrite = false, missingOnly = false, files = [] }: EntryBlockOptions,
): Promise<EntryBlockReport> {
  const named = checkNames(files)
  return changeBlocks(memory, dryRun, async () => {
    const inputs = (await blockInputs(memory)).filter(
      ({ imports, path, present }) => imports === undefined || named.has(path) || present.kind !== 'absent',
    )
    const judged = inputs.map(judgeBlock)
    // An importing file that is a link or not a text does not block the other files, unless it was named.
    const refused = judged.filter(
      ({ path, role, state }) =>
        state === 'broken' ||
        (state === 'edited' && !overwrite && !missingOnly) ||
        ((state === 'unreadable' || state === 'newer') && (role === 'entry' || named.has(path))),
    )
    if (refused.length > 0 && !dryRun) throw refusal(refused, 'overwritten', 'cairn entry-block write')
    const isWritten = (state: BlockState | undefined) =>
      state === 'absent' ||
      state === 'none' ||
      (state === 'behind' && !missingOnly) ||
      (state === 'edited' && overwrite)
    const changes = inputs.flatMap((input, at) => {
      const made = isWritten(judged[at]?.state) ? blockWrite(input) : undefined
      return made === undefined ? [] : [made]
    })
    return { judged, changes }
  })
}

/** Removes the blocks; a file that has nothing else is deleted. */
export async function removeEntryBlock(
  memory: Memory,
  { dryRun = false, overwrite = false, files = [] }: EntryBlockOptions,
): Promise<EntryBlockReport> {
  const named = checkNames(files)
  return changeBlocks(memory, dryRun, async () => {
    const inputs = (await blockInputs(memory)).filter(({ path }) => named.size === 0 || named.has(path))
    const judged = inputs.map(judgeBlock)
    const refused = judged.filter(({ state }) => state === 'broken' || (state === 'edited' && !overwrite))
    if (refused.length > 0 && !dryRun) throw refusal(refused, 'removed', 'cairn entry-block remove')
    const isOurs = (state: BlockState | undefined) =>
      state === 'current' || state === 'behind' || state === 'newer' || (overwrite && state === 'edited')
    const changes = inputs.flatMap(({ path, present }, at) => {
      const made = isOurs(judged[at]?.state) ? blockRemoval(path, present) : undefined
      return made === undefined ? [] : [made]
    })
    return { judged: judged.filter(isListed), changes }
  })
}

async function changeBlocks(
  memory: Memory,
  dryRun: boolean,
  decide: () => Promise<{ judged: readonly JudgedBlock[]; changes: readonly TextFileChange[] }>,
): Promise<EntryBlockReport> {
  let decided = dryRun ? await decide() : undefined
  let record: string | null = null
  if (!dryRun) {
    const written = await memory.store.write(memory.actor, async () => {
      decided = await decide()
      return decided.changes.length === 0 ? null : { action: 'edit-files', changes: decided.changes }
    })
    record = written?.id ?? null
  }
  return {
    files: decided?.judged ?? [],
    problems: [],
    changed: decided?.changes.map(({ path }) => path) ?? [],
    record,
  }
}

/** A missing file of a host is not reported. */
function isListed({ role, state }: JudgedBlock): boolean {
  return role === 'entry' || state !== 'absent'
}

/** AGENTS.md, or the Markdown file that it is a link to; then every file that could import it. */
async function blockInputs(memory: Memory): Promise<BlockInput[]> {
  const target = await linkOf(memory, ENTRY_FILE)
  const main = target?.endsWith('.md') === true ? target : ENTRY_FILE
  const inputs: BlockInput[] = [
    { path: main, present: await presentText(memory, main), link: 'none', hash: textHash },
  ]
  for (const [path, line] of Object.entries(IMPORT_LINES)) {
    if (path === main) continue
    const link = await linkOf(memory, path)
    inputs.push({
      path,
      present: await presentText(memory, path),
      link: link === undefined ? 'none' : link === main ? 'to the entry file' : 'elsewhere',
      imports: line.replace(/^@(?:\.\/)?/, ''),
      hash: textHash,
    })
  }
  return inputs
}

/** A circular link is reported when it is read. */
async function linkOf(memory: Memory, path: string): Promise<string | undefined> {
  try {
    return await memory.projectTexts.linkTarget(path)
  } catch (error) {
    if (error instanceof CairnError) return undefined
    throw error
  }
}

function checkNames(files: readonly string[]): Set<string> {
  const known = [ENTRY_FILE, ...Object.keys(IMPORT_LINES)]
  return new Set(
    files.map(file => {
      const name = file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
      if (known.includes(name)) return name
      throw new CairnError({
        code: 'invalid_input',
        message: `${file} is not a file that an agent reads at its start.`,
        hint: `The files are: ${known.join(', ')}.`,
      })
    }),
  )
}

function refusal(
  refused: readonly JudgedBlock[],
  become: 'overwritten' | 'removed',
  verb: string,
): CairnError {
  const isBroken = refused.some(({ state }) => state === 'broken')
  const lines = refused.flatMap(({ path, state, why, diff = [] }) => {
    if (state === 'edited')
      return [
        `The entry block in ${path} was edited by hand, and would be ${become}:`,
        ...diff.map(line => `  ${line}`),
      ]
    if (state === 'newer') return [`The entry block in ${path} was written by a newer Cairn.`]
    return [state === 'broken' ? `${path} was not changed: ${why}.` : `${why}; it was not changed.`]
  })
  const isEdited = refused.some(({ state }) => state === 'edited')
  return new CairnError({
    code: isBroken ? 'entry_block_damaged' : 'file_changed',
    message: lines.join('\n'),
    hint: isBroken
      ? 'Nothing was changed. Remove the marker lines (`<!-- cairn:entry … -->`) and the text between them by hand, then try again.'
      : isEdited
        ? `Nothing was changed. Move your lines out of the block, or run \`${verb} --overwrite\`.`
        : 'Nothing was changed. Correct or move the file, or update Cairn, then try again.',
    details: {
      files: refused.map(({ path, state, diff }) => ({ path, state, ...(diff && { diff }) })),
    },
  })
}
