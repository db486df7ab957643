import { existsSync } from 'node:fs'
import * as path from 'node:path'
import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { packageFacts } from '../../../kernel/system/package-facts.ts'
import { defineOperation, flag, text } from '../../../verbs/operation.ts'
import { readBackup, writeBackup } from '../../backup/backup-archive.ts'
import { type CheckedBackup, checkBackup } from '../../backup/check-backup.ts'
import { type HubCommand, type OpenDesk, onlyOnHub, type StoreGiven, storeFields } from './hub-operation.ts'

const file = text('The file, by custom with the ending .cairn')
const projectsSchema = v.pipe(v.array(v.object({ name: v.string(), entries: v.number() })), v.readonly())

const backupInput = v.object({
  file,
  project: v.optional(text('Only this project')),
  withTokens: v.optional(
    flag('Also who has tokens, and their digests: the tokens themselves are kept nowhere'),
  ),
  yes: v.optional(flag('Replace a file that is there')),
  ...storeFields,
})
const backupOutput = v.object({
  file: v.string(),
  projects: projectsSchema,
  rows: v.number(),
  tokens: v.number(),
  size: v.pipe(v.number(), v.description('Of the backup in bytes')),
})

export const hubBackupOperation: HubCommand<typeof backupInput, typeof backupOutput> = {
  ...defineOperation({
    name: 'hub backup',
    group: 'Hub',
    agent: 'free',
    summary: 'Put the projects of a hub into one file',
    description:
      'All projects, the archived ones too, or one, as they are at one moment: entries, journal, sessions, events, tasks, vectors. Servers go on working meanwhile. The audit is not in it: for a whole server there is pg_dump, and PostgreSQL’s own continuous archiving (docs/guide/operations.md).',
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
        message: `There is a file ${target} already.`,
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
  as: v.optional(text('What it is called here, where the backup has one project or --project names it')),
  withTokens: v.optional(flag('Also who has tokens; whoever is here already stays as they are')),
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
    summary: 'Bring the projects of a backup to a hub',
    description:
      'Into an empty database, or beside what is there: a project whose name is taken is refused, and comes under another with --as. The file is read from end to end before anything is changed, and everything comes in one transaction: broken off, nothing was changed, and the command can be run again.',
    positionals: ['file'],
    input: restoreInput,
    output: restoreOutput,
    examples: [
      { command: 'cairn hub backup restore hub.cairn', does: 'everything, into an empty database' },
      {
        command: 'cairn hub backup restore shop.cairn --as shop-before',
        does: 'beside the one that is there',
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
  if (rows === undefined) throw new Error('this desk gives no rows')
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
      hint: '`cairn backup restore` brings it to a folder, from which `cairn link` takes it to a hub.',
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
      hint: 'Say which one with --project.',
    })
}

/** Tables of another version have other columns: whoever made it can read it, and migrating is what `cairn up` does. */
function checkSchema(target: string, made: number, here: number): void {
  if (made === here) return
  const isNewer = made > here
  throw new CairnError({
    code: isNewer ? 'vault_newer' : 'invalid_input',
    message: `${target} has the tables of version ${made}, and this Cairn those of ${here}. Nothing was changed.`,
    hint: isNewer
      ? 'Update Cairn on this machine.'
      : 'Restore it with the Cairn that made it into an empty database; this one brings that up to date when it starts.',
  })
}
