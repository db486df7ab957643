import { existsSync } from 'node:fs'
import * as path from 'node:path'
import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { packageFacts } from '../../../kernel/system/package-facts.ts'
import { defineOperation, flag, text } from '../../../verbs/operation.ts'
import { readBackup, writeBackup } from '../../backup/backup-archive.ts'
import { type CheckedBackup, checkBackup } from '../../backup/check-backup.ts'
import { type HubCommand, type OpenDesk, onlyOnHub, type StoreGiven, storeFields } from './hub-operation.ts'

const file = text('The file, usually with the extension .cairn')
const projectsSchema = v.pipe(v.array(v.object({ name: v.string(), entries: v.number() })), v.readonly())

const backupInput = v.object({
  file,
  project: v.optional(text('Only this project')),
  withTokens: v.optional(
    flag('Include principals and the digests of tokens: the tokens themselves are not stored'),
  ),
  yes: v.optional(flag('Replace an existing file')),
  ...storeFields,
})
const backupOutput = v.object({
  file: v.string(),
  projects: projectsSchema,
  rows: v.number(),
  tokens: v.number(),
  size: v.pipe(v.number(), v.description('Size of the backup in bytes')),
})

export const hubBackupOperation: HubCommand<typeof backupInput, typeof backupOutput> = {
  ...defineOperation({
    name: 'hub backup',
    group: 'Hub',
    agent: 'free',
    summary: 'Back up the projects of a hub to one file',
    description:
      'A consistent snapshot of all projects, including archived ones, or of one: entries, journal, sessions, events, tasks, vectors. Servers keep running meanwhile. The audit is not included: for a whole server use pg_dump or PostgreSQL’s continuous archiving (docs/guide/operations.md).',
    positionals: ['file'],
    input: backupInput,
    output: backupOutput,
    examples: [
      { command: 'cairn hub backup hub.cairn', does: 'every project' },
      { command: 'cairn hub backup shop.cairn --project shop', does: 'one of them' },
    ],
    run: onlyOnHub,
  }),
  async runWith(open, input, context) {
    const { file: named, project, withTokens = false, yes, store, storeFile } = v.parse(backupInput, input)
    const target = path.resolve(named)
    if (yes !== true && existsSync(target))
      throw new CairnError({
        code: 'file_exists',
        message: `The file ${target} already exists.`,
        hint: 'Choose another name, or add --yes to replace it.',
      })
    const { rows, close } = await rowsOf(open, { store, storeFile })
    try {
      const head = {
        of: 'hub',
        version: packageFacts().version,
        at: new Date().toISOString(),
        name: project ?? '',
        schema: rows.schema,
      } as const
      const size = await writeBackup(target, head, ({ write }) =>
        rows.write(
          { project, withTokens, onProgress: done => context?.onProgress?.(done, undefined, 'rows') },
          write,
        ),
      )
      const { projects, hubRows } = await checkBackup(target)
      const counted = projects.map(({ name, rowsByTable }) => ({ name, entries: rowsByTable.entry ?? 0 }))
      return { file: target, projects: counted, rows: sumOf(projects), tokens: hubRows.token ?? 0, size }
    } finally {
      await close()
    }
  },
}

const restoreInput = v.object({
  file,
  project: v.optional(text('Only this project of the backup')),
  as: v.optional(text('Its name on this hub, if the backup has one project or --project names one')),
  withTokens: v.optional(flag('Restore principals and tokens too; existing ones do not change')),
  dryRun: v.optional(flag('Check the file and show what is in it; change nothing')),
  ...storeFields,
})

const restoreOutput = v.object({
  file: v.string(),
  at: v.pipe(v.string(), v.description('When it was made, UTC')),
  projects: projectsSchema,
  rows: v.number(),
  tokens: v.number(),
  isDone: v.pipe(v.boolean(), v.description('False: only shown')),
})

export const hubBackupRestoreOperation: HubCommand<typeof restoreInput, typeof restoreOutput> = {
  ...defineOperation({
    name: 'hub backup restore',
    group: 'Hub',
    agent: 'free',
    summary: 'Restore the projects of a backup to a hub',
    description:
      'Into an empty database or an existing hub: a project whose name is taken is refused; restore it under another name with --as. The whole file is checked before anything changes, and the restore is one transaction: after an interruption nothing has changed, and the command can be run again.',
    positionals: ['file'],
    input: restoreInput,
    output: restoreOutput,
    examples: [
      { command: 'cairn hub backup restore hub.cairn', does: 'everything, into an empty database' },
      {
        command: 'cairn hub backup restore shop.cairn --as shop-before',
        does: 'next to the existing project',
      },
    ],
    run: onlyOnHub,
  }),
  async runWith(open, input, context) {
    const {
      file: named,
      project,
      as,
      withTokens = false,
      dryRun = false,
      store,
      storeFile,
    } = v.parse(restoreInput, input)
    const target = path.resolve(named)
    const checked = await checkBackup(target)
    checkWish(target, checked, { project, as })
    const { at } = checked.head
    if (dryRun) {
      const wanted = checked.projects.filter(({ name }) => project === undefined || name === project)
      return {
        file: target,
        at,
        projects: wanted.map(({ name, rowsByTable }) => ({ name, entries: rowsByTable.entry ?? 0 })),
        rows: sumOf(wanted),
        tokens: withTokens ? (checked.hubRows.token ?? 0) : 0,
        isDone: false,
      }
    }
    const { rows, close } = await rowsOf(open, { store, storeFile })
    try {
      checkSchema(target, checked.head.schema ?? 0, rows.schema)
      const restored = await rows.restore(readBackup(target), {
        project,
        as,
        withTokens,
        onProgress: done => context?.onProgress?.(done, undefined, 'rows'),
      })
      return { file: target, at, ...restored, isDone: true }
    } finally {
      await close()
    }
  },
}

async function rowsOf(open: OpenDesk, given: StoreGiven) {
  const { rows, close } = await open(given)
  if (rows === undefined) throw new Error('this hub cannot be backed up')
  return { rows, close }
}

function sumOf(projects: CheckedBackup['projects']): number {
  return projects
    .flatMap(({ rowsByTable }) => Object.values(rowsByTable))
    .reduce((sum, rows) => sum + rows, 0)
}

function checkWish(
  target: string,
  { head, projects }: CheckedBackup,
  { project, as }: { readonly project: string | undefined; readonly as: string | undefined },
): void {
  if (head.of !== 'hub')
    throw new CairnError({
      code: 'invalid_input',
      message: `${target} is a backup of a memory in files.`,
      hint: '`cairn backup restore` restores it to a folder; from there `cairn link` and `cairn sync` send it to a hub.',
    })
  if (project !== undefined && !projects.some(({ name }) => name === project))
    throw new CairnError({
      code: 'project_not_found',
      message: `The backup has no project "${project.slice(0, 100)}".`,
      hint: '`cairn backup check` lists what it has.',
    })
  if (as !== undefined && project === undefined && projects.length !== 1)
    throw new CairnError({
      code: 'invalid_input',
      message: `The backup has ${projects.length} projects, which cannot all be called "${as.slice(0, 100)}".`,
      hint: 'Choose one with --project.',
    })
}

/** Tables of another version have other columns: that version can read the backup, and `cairn up` migrates. */
function checkSchema(target: string, made: number, here: number): void {
  if (made === here) return
  const isNewer = made > here
  throw new CairnError({
    code: isNewer ? 'vault_newer' : 'invalid_input',
    message: `${target} has tables of version ${made}, and this Cairn uses version ${here}. Nothing was changed.`,
    hint: isNewer
      ? 'Update Cairn on this machine.'
      : 'Restore it into an empty database with the Cairn version that made it; this version then migrates the database at its start.',
  })
}
