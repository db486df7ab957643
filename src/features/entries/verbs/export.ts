import * as path from 'node:path'
import * as v from 'valibot'
import type { Entry } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { asStorageError, nodeDisk } from '../../../kernel/system/disk.ts'
import { renderSeedVault } from '../../../kernel/vault/seed-vault.ts'
import { defineOperation, entrySchema, filterFields, text } from '../../../verbs/operation.ts'
import { parseFilter } from './entry-filter.ts'

const EVERYTHING = 10_000_000

export const exportOperation = defineOperation({
  name: 'export',
  group: 'Import, export and sync',
  agent: 'reads',
  worksForUser: true,
  summary: 'Print entries as JSONL, in the form that import takes',
  description:
    'With --seed, writes them as Markdown into a new folder instead: one file for each agent and category, dated headings, newest first, as the format began and older tools read it. Copied into a .memory folder, these files are a memory.',
  positionals: [],
  input: v.object({
    ...filterFields,
    seed: v.optional(text('A new or empty folder for Markdown files, one for each category')),
  }),
  output: v.object({
    entries: v.array(entrySchema),
    files: v.exactOptional(v.pipe(v.array(v.string()), v.description('Written with --seed'))),
  }),
  examples: [
    { command: 'cairn export > memory.jsonl', does: 'everything' },
    { command: 'cairn export --agent dev --category decisions', does: 'a part' },
    { command: 'cairn export --seed memory-copy', does: 'as Markdown, one file for each category' },
  ],
  async run(memory, { seed, ...fields }) {
    const { entries } = await memory.store.listEntries({
      filter: await parseFilter(fields),
      limit: EVERYTHING,
      offset: 0,
    })
    // Oldest first, so that an import gives them the same order.
    if (seed === undefined) return { entries: entries.reverse() }
    return { entries: [], files: writeSeedVault(path.resolve(seed), entries) }
  },
})

function writeSeedVault(folder: string, entries: readonly Entry[]): string[] {
  try {
    if (nodeDisk.fileInfo(folder) !== undefined && (nodeDisk.listFolder(folder) ?? ['']).length > 0)
      throw new CairnError({
        code: 'invalid_input',
        message: `${folder} is not an empty folder; nothing was written.`,
        hint: 'Name a new folder: files that are there are never overwritten.',
      })
    return [...renderSeedVault(entries)].map(([name, text]) => {
      const file = path.join(folder, name)
      nodeDisk.makeFolder(path.dirname(file))
      nodeDisk.writeFile(file, new TextEncoder().encode(text))
      return file
    })
  } catch (error) {
    throw asStorageError(error, folder)
  }
}
