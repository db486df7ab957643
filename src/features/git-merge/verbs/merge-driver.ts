import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'
import { runGit } from '../../../kernel/system/git.ts'
import { defineOperation, flag } from '../../../verbs/operation.ts'
import { driverState, installDriver, type MergeDriverParts, uninstallDriver } from '../install-driver.ts'

const stateFields = {
  installed: v.pipe(v.boolean(), v.description('git merges memory files of this clone entry by entry')),
  config: v.pipe(
    v.picklist(['missing', 'current', 'outdated']),
    v.description('The local configuration of git (`merge.cairn.driver`), which every clone needs'),
  ),
  attributes: v.pipe(
    v.picklist(['missing', 'current', 'outdated']),
    v.description('The lines in .memory/.gitattributes, which are committed'),
  ),
  command: v.pipe(v.nullable(v.string()), v.description('The command that git runs; null: none')),
}
const changedSchema = v.object({
  ...stateFields,
  changed: v.pipe(v.array(v.string()), v.description('Parts that were changed, or would be changed')),
  dryRun: v.boolean(),
})

export const mergeDriverStatusOperation = defineOperation({
  name: 'merge-driver status',
  group: 'Import, export and sync',
  agent: 'reads',
  runs: 'checkout',
  summary: 'Show whether git merges memory files entry by entry here',
  positionals: [],
  input: v.object({}),
  output: v.object(stateFields),
  examples: [{ command: 'cairn merge-driver status', does: 'installed in this clone, or not' }],
  run: async memory => driverState(partsOf(memory)),
})

export const mergeDriverInstallOperation = defineOperation({
  name: 'merge-driver install',
  group: 'Import, export and sync',
  agent: 'free',
  runs: 'checkout',
  summary: 'Have git merge memory files entry by entry in this clone',
  description:
    'Two branches that add, edit and delete entries of one file then merge without a conflict, unless both changed the content of one entry. Adds lines to .memory/.gitattributes, to be committed, and the driver to the configuration of this clone: a repository cannot make git run a program, so run this once in every clone.',
  positionals: [],
  input: v.object({ dryRun: v.optional(flag('Only show what would be changed')) }),
  output: changedSchema,
  examples: [
    { command: 'cairn merge-driver install', does: 'in this clone' },
    { command: 'cairn merge-driver install --dry-run', does: 'show it, and change nothing' },
  ],
  async run(memory, { dryRun = false }) {
    const parts = partsOf(memory)
    const state = driverState(parts)
    if (dryRun) {
      const changed = [
        ...(state.attributes === 'current' ? [] : ['.memory/.gitattributes']),
        ...(state.config === 'current' ? [] : ['git config merge.cairn']),
      ]
      return { ...state, changed, dryRun }
    }
    const changed = await memory.store.exclusively(() => installDriver(parts))
    return { ...driverState(parts), changed, dryRun }
  },
})

export const mergeDriverUninstallOperation = defineOperation({
  name: 'merge-driver uninstall',
  group: 'Import, export and sync',
  agent: 'free',
  runs: 'checkout',
  summary: 'Let git merge memory files as text again',
  description: 'Removes what `merge-driver install` added, and nothing else.',
  positionals: [],
  input: v.object({ dryRun: v.optional(flag('Only show what would be changed')) }),
  output: changedSchema,
  examples: [{ command: 'cairn merge-driver uninstall', does: 'in this clone' }],
  async run(memory, { dryRun = false }) {
    const parts = partsOf(memory)
    const state = driverState(parts)
    if (dryRun) {
      const changed = [
        ...(state.config === 'missing' ? [] : ['git config merge.cairn']),
        ...(state.attributes === 'missing' ? [] : ['.memory/.gitattributes']),
      ]
      return { ...state, changed, dryRun }
    }
    const changed =
      state.config === 'missing' && state.attributes === 'missing'
        ? []
        : await memory.store.exclusively(() => uninstallDriver(parts))
    return { ...driverState(parts), changed, dryRun }
  },
})

function partsOf(memory: Memory): MergeDriverParts {
  return {
    disk: nodeDisk,
    git: runGit,
    memory: memoryFolderOf(memory).memory,
    root: memoryFolderOf(memory).root,
    program: { node: process.execPath, script: process.argv[1] ?? '' },
  }
}
