import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Scope } from '../../kernel/model/workspace.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { DocumentPlace } from './decide/place.ts'
import { type MigrationFile, type MigrationStep, planMigration } from './decide/plan-migration.ts'
import type { WorkspacePorts } from './decide/ports.ts'
import { dateOfName } from './decide/read-fields.ts'
import { isWithin } from './decide/scope.ts'
import type { WorkspaceFolder } from './decide/workspace-folder.ts'
import { atMost, snapshotOf } from './retrieve.ts'

export interface Migration {
  readonly steps: readonly MigrationStep[]
  readonly isApplied: boolean
  /** The journal record for `cairn undo`; null if nothing was written. */
  readonly record: string | null
  /** The number of files that were checked. */
  readonly files: number
  readonly problems: readonly Problem[]
}

interface Planned {
  readonly steps: readonly MigrationStep[]
  readonly problems: readonly Problem[]
  readonly files: number
}

/** Plans the migration of one scope or of all; writes it in one step if `apply` is set. */
export async function migrateWorkspaces(
  memory: Memory & WorkspacePorts,
  { scope, apply }: { readonly scope?: Scope | undefined; readonly apply: boolean },
): Promise<Migration> {
  const folder = await memory.workspaces()
  if (!apply) {
    const planned = await plan(memory, folder, scope, path => memory.projectTexts.read(path))
    return { ...planned, isApplied: false, record: null }
  }
  let planned: Planned | undefined
  // Planned under the lock, so that the unfinished write of a killed process is completed first.
  const record = await memory.store.write(memory.actor, async view => {
    planned = await plan(memory, folder, scope, path => view.readFile(path))
    if (planned.steps.length === 0) return null
    const changes = planned.steps.map(({ path, before, after }) => ({
      type: 'file' as const,
      path,
      before,
      after,
    }))
    return { action: 'edit-files', changes }
  })
  if (planned === undefined) throw new Error('what is written was planned')
  return { ...planned, isApplied: true, record: record?.id ?? null }
}

type Reader = (path: string) => Promise<string | undefined>

async function plan(
  memory: Memory,
  folder: WorkspaceFolder,
  scope: Scope | undefined,
  read: Reader,
): Promise<Planned> {
  const kinds = ['plan', 'overview', 'abstract'] as const
  const survey =
    scope === undefined ? folder.survey({ kinds: new Set(kinds) }) : snapshotOf(folder, scope, kinds)
  const places = survey.places.filter(place => scope === undefined || isWithin(place.scope, scope))
  const { files, problems } = await readFiles(read, folder, places)
  const options = redactionOptions(await memory.config())
  const planned = planMigration(files, text => redact(text, options).text)
  return {
    steps: planned.steps,
    files: places.length,
    problems: atMost([...survey.problems, ...problems, ...planned.problems], folder.roots.resources),
  }
}

/** Only files that can be written back unchanged: complete, and in UTF-8. */
async function readFiles(read: Reader, folder: WorkspaceFolder, places: readonly DocumentPlace[]) {
  const problems: Problem[] = []
  const isUndated = (place: DocumentPlace) =>
    place.kind === 'plan' && dateOfName(place.id ?? '') === undefined
  const commits = places.some(isUndated) ? await folder.firstCommits() : new Map<string, string>()
  const files: MigrationFile[] = []
  for (const place of places) {
    const text = await readable(read, place.path, problems)
    if (text === undefined) continue
    const stamp = isUndated(place) ? folder.stamp(place.path) : undefined
    files.push({
      place,
      text,
      committed: commits.get(place.path),
      modified: stamp && utcMinute(stamp.mtimeMs).slice(0, 10),
    })
  }
  return { files, problems }
}

async function readable(read: Reader, path: string, problems: Problem[]): Promise<string | undefined> {
  try {
    return await read(path)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    const { code, message, hint } = error
    problems.push({ code, path, message, hint })
    return undefined
  }
}
