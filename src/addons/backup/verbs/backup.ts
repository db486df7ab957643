import { existsSync } from 'node:fs'
import * as path from 'node:path'
import * as v from 'valibot'
import { composeBackup, placeOfBefore } from '../../../compose/compose-backup.ts'
import { projectAt } from '../../../features/projects/resolve-project.ts'
import { requireConsent } from '../../../features/setup/verbs/setup-fields.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { isInside } from '../../../kernel/system/paths.ts'
import { defineOperation, flag, text } from '../../../verbs/operation.ts'
import { backUpMemory } from '../back-up-memory.ts'
import { type CheckedBackup, checkBackup } from '../check-backup.ts'
import { clearRestore, restoreMemory } from '../restore-memory.ts'

const file = text('The file, usually with the ending .cairn')
const bytes = v.pipe(v.number(), v.description('Of all files, as they are in the memory'))

const described = {
  of: v.pipe(v.picklist(['memory', 'hub']), v.description('A memory in files, or projects of a hub')),
  name: v.pipe(v.string(), v.description('The folder or the project it was made of')),
  at: v.pipe(v.string(), v.description('When it was made, UTC')),
  version: v.pipe(v.string(), v.description('The Cairn that made it')),
  files: v.number(),
  bytes,
}

export const backupOperation = defineOperation({
  name: 'backup',
  group: 'Import, export and sync',
  agent: 'free',
  runs: 'checkout',
  worksForUser: true,
  summary: 'Put the whole memory into one file',
  description:
    'Everything in .memory/ that cannot be rebuilt, private entries, sessions and the journal too, as it was at one moment; other processes may go on writing. The index is not in it: it is rebuilt. The file is compressed, has hashes of its content, and only you can read it. It appears when it is complete.',
  positionals: ['file'],
  input: v.object({
    file,
    yes: v.optional(flag('Replace a file that is there')),
    dryRun: v.optional(flag('Show what would be in it without writing')),
  }),
  output: v.object({
    file: v.string(),
    files: v.number(),
    bytes,
    size: v.pipe(v.number(), v.description('Of the backup in bytes; 0: it was not written')),
    left: v.pipe(
      v.array(v.string()),
      v.readonly(),
      v.description('Links and special files: not in the backup'),
    ),
    isDryRun: v.boolean(),
  }),
  examples: [
    { command: 'cairn backup ~/backups/shop.cairn', does: 'the memory of this project' },
    { command: 'cairn backup --user me.cairn', does: 'your own' },
  ],
  async run(memory, { file: named, yes, dryRun: isDryRun = false }, context) {
    const target = path.resolve(named)
    const place = composeBackup(memory)
    if (isInside(target, place.memory))
      throw new CairnError({
        code: 'invalid_input',
        message: 'A backup inside the memory would be lost with it.',
        hint: 'Name a file elsewhere, on another disk if you can.',
      })
    if (!isDryRun && yes !== true && existsSync(target))
      throw new CairnError({
        code: 'file_exists',
        message: `${target} exists already.`,
        hint: 'Choose another name, or add --yes to replace it.',
      })
    const done = await backUpMemory(place, {
      file: target,
      isDryRun,
      onProgress: (at, total) => context.onProgress?.(at, total, 'files'),
    })
    return { file: target, ...done, isDryRun }
  },
})

export const backupCheckOperation = defineOperation({
  name: 'backup check',
  group: 'Import, export and sync',
  agent: 'reads',
  worksForUser: true,
  summary: 'Verify a backup and show what is in it',
  positionals: ['file'],
  input: v.object({ file }),
  output: v.object({
    file: v.string(),
    ...described,
    projects: v.pipe(
      v.array(v.object({ name: v.string(), entries: v.number(), rows: v.number() })),
      v.readonly(),
      v.description('Of a hub'),
    ),
  }),
  examples: [{ command: 'cairn backup check shop.cairn', does: 'verify every hash' }],
  async run(_engine, { file: named }) {
    const target = path.resolve(named)
    const checked = await checkBackup(target)
    return {
      file: target,
      ...describe(checked),
      projects: checked.projects.map(({ name, rowsByTable }) => ({
        name,
        entries: rowsByTable.entry ?? 0,
        rows: Object.values(rowsByTable).reduce((sum, rows) => sum + rows, 0),
      })),
    }
  },
})

export const backupRestoreOperation = defineOperation({
  name: 'backup restore',
  group: 'Import, export and sync',
  agent: 'person',
  runs: 'checkout',
  worksForUser: true,
  summary: 'Replace the memory with that of a backup',
  description:
    'The whole file is verified before anything is changed. The current memory is backed up first (in ~/.cairn/backups/): restore that backup to undo the restore. The memory is replaced in one step: if the command is interrupted, the old memory stays, and you can run it again. A trusted memory stays trusted; where there was none, `cairn trust` shows what is in it first.',
  positionals: ['file'],
  input: v.object({
    file,
    yes: v.optional(flag('Do not ask')),
    dryRun: v.optional(flag('Verify the file and show what is in it without changing anything')),
  }),
  output: v.object({
    file: v.string(),
    ...described,
    root: v.pipe(v.string(), v.description('The project whose memory it is now')),
    before: v.pipe(
      v.nullable(v.string()),
      v.description('A backup of the memory before; null: there was none'),
    ),
    isTrusted: v.pipe(v.boolean(), v.description('Trusted: agents can read this memory')),
    isDone: v.pipe(v.boolean(), v.description('False: only shown')),
  }),
  examples: [
    { command: 'cairn backup restore shop.cairn', does: 'the memory as it was then' },
    { command: 'cairn backup restore shop.cairn --dry-run', does: 'only check it' },
  ],
  async run(memory, { file: named, yes, dryRun: isDryRun = false }, context) {
    const target = path.resolve(named)
    const checked = await checkBackup(target)
    if (checked.head.of !== 'memory') throw ofHub(target)
    const place = composeBackup(memory)
    const isTrusted = projectAt(place.root).standing === 'trusted'
    const shown = {
      file: target,
      ...describe(checked),
      root: place.root,
      before: null,
      isTrusted,
      isDone: false,
    }
    if (isDryRun) return shown
    clearRestore(place)
    const isThere = existsSync(place.memory)
    if (isThere && yes !== true)
      await requireConsent(context, {
        shown,
        text: 'Replace the current memory? It is backed up first.',
        hint: '`cairn backup restore --yes` does it; --dry-run only checks the file.',
      })
    const before = isThere ? placeOfBefore(memory) : null
    if (before !== null) await backUpMemory(place, { file: before, isDryRun: false })
    await restoreMemory(place, target, checked, (at, total) => context.onProgress?.(at, total, 'files'))
    if (isTrusted) await memory.projects.register(place.root, { by: 'created' })
    return { ...shown, before, isDone: true }
  },
})

function describe({ head, copiesByPath, bytes }: CheckedBackup) {
  const { of, name, at, version } = head
  return { of, name, at, version, files: copiesByPath.size, bytes }
}

function ofHub(file: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `${file} is a backup of a hub, not of a memory in files.`,
    hint: '`cairn hub restore` puts it into a hub.',
  })
}
