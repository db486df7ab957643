import * as path from 'node:path'
import { readHookFailures } from '../../hosts/hooks/hook-failures.ts'
import { readRecord } from '../../hosts/install/decide/install-record.ts'
import { type InstallParts, installRecords } from '../../hosts/install/install-parts.ts'
import { privateDisk as disk } from '../../kernel/system/disk.ts'
import { isProcessAlive } from '../../kernel/system/live-process.ts'
import { userFolder } from '../../kernel/system/user-folder.ts'
import { knownProjectsFile, readKnownProjects } from '../projects/known-projects.ts'
import { resolveProject } from '../projects/resolve-project.ts'
import type { DoctorCheck } from './check.ts'

const SHOWN_FAILURES = 5
const DAY_MS = 86_400_000
/** A longer text is not a process id. */
const MAX_MARK_BYTES = 64

interface Looking {
  readonly root: string
  readonly fix: boolean
  readonly nowMs: number
}

/** Checks `~/.cairn`, without the user's own memory. */
export function checkUserFolder(install: InstallParts, looking: Looking): DoctorCheck[] {
  return [
    ...checkRegistry(looking),
    ...checkFailures(looking),
    ...checkMarks(looking),
    ...checkRecords(install, looking),
  ]
}

function checkRegistry({ fix, nowMs }: Looking): DoctorCheck[] {
  const file = knownProjectsFile()
  const known = readKnownProjects(file)
  if (known !== 'damaged') {
    const trusted = known.projects.filter(({ trustedAt }) => trustedAt !== undefined).length
    return known.projects.length === 0
      ? []
      : [{ name: 'projects', result: 'ok', message: `${known.projects.length} known, ${trusted} trusted` }]
  }
  if (!fix)
    return [
      {
        name: 'projects',
        result: 'failure',
        message: `${file} cannot be read, so no project is trusted and hooks inject nothing`,
        hint: '`cairn doctor --fix` moves it away. Then run `cairn trust` in each project.',
      },
    ]
  const aside = `${file}.damaged-${nowMs}`
  disk.rename(file, aside)
  return [
    {
      name: 'projects',
      result: 'fixed',
      message: `the list of projects could not be read and is now called ${path.basename(aside)}`,
      hint: 'Run `cairn trust` in each project that you trust.',
    },
  ]
}

/** Whether hooks and servers may show this project to agents. */
export function checkTrust(root: string): DoctorCheck[] {
  const { standing } = resolveProject(root)
  if (standing === 'none') return []
  return standing === 'trusted'
    ? [{ name: 'trust', result: 'ok', message: 'this project is trusted: agents can read its memory' }]
    : [
        {
          name: 'trust',
          result: 'warning',
          message: 'this project is not trusted: agents cannot read its memory, and nothing is captured',
          hint: 'Check the files in .memory/, then run `cairn trust`.',
        },
      ]
}

function checkFailures({ nowMs }: Looking): DoctorCheck[] {
  const { failures, damaged } = readHookFailures(SHOWN_FAILURES)
  const recent = failures.filter(({ at }) => nowMs - Date.parse(at) < DAY_MS)
  const lines: DoctorCheck[] = recent.map(({ at, host, event, code, message, root }) => ({
    name: 'hook failures',
    result: 'warning',
    message: `${at.slice(0, 16)} ${host} ${event}: ${message} (${code}${root === undefined ? '' : `, ${root}`})`,
    hint: 'A hook never blocks the agent. This one failed in the last 24 hours.',
  }))
  if (lines.length > 0) return lines
  const older = failures.length + damaged
  return older === 0
    ? []
    : [
        {
          name: 'hook failures',
          result: 'ok',
          message: 'none in the last 24 hours; `cairn status` shows older ones',
        },
      ]
}

/** Marks that killed servers left. They do no harm, because the hook checks whether the process lives. */
function checkMarks({ fix }: Looking): DoctorCheck[] {
  const folder = path.join(userFolder(), 'run')
  const stale = (disk.listFolder(folder) ?? [])
    .filter(({ name }) => name.endsWith('.pid'))
    .map(({ name }) => path.join(folder, name))
    .filter(file => !isLiving(file))
  if (stale.length === 0) return []
  if (fix) {
    for (const file of stale) disk.remove(file)
    return [{ name: 'server marks', result: 'fixed', message: `${stale.length} of stopped servers removed` }]
  }
  return [
    {
      name: 'server marks',
      result: 'warning',
      message: `${stale.length} of stopped servers: ${stale
        .slice(0, 3)
        .map(file => path.basename(file))
        .join(', ')}`,
      hint: '`cairn doctor --fix` removes them.',
    },
  ]
}

function isLiving(file: string): boolean {
  const read = disk.readPlain(file, MAX_MARK_BYTES)
  if (read === undefined) return true
  return (
    read !== 'link' &&
    read.kind === 'read' &&
    isProcessAlive(Number(new TextDecoder().decode(read.bytes).trim()))
  )
}

/** Records of an installation whose files were deleted, and unreadable records. */
function checkRecords(install: InstallParts, { fix }: Looking): DoctorCheck[] {
  const records = installRecords(install)
  const all = records.all()
  const gone = all.filter(({ path: file }) => install.disk.fileInfo(file) === undefined)
  const damaged = (disk.listFolder(install.records) ?? [])
    .map(({ name }) => path.join(install.records, name))
    .filter(file => file.endsWith('.json') && !isReadable(file))
  const checks: DoctorCheck[] = []
  if (gone.length > 0) {
    if (fix) for (const { path: file } of gone) records.remove(file)
    checks.push({
      name: 'install records',
      result: fix ? 'fixed' : 'warning',
      message: `${gone.length} of deleted files${fix ? ' removed' : ''}: ${gone
        .slice(0, 3)
        .map(record => record.path)
        .join(', ')}`,
      ...(!fix && { hint: '`cairn doctor --fix` removes the records, `cairn init` writes the files again.' }),
    })
  }
  if (damaged.length > 0)
    checks.push({
      name: 'install records',
      result: 'warning',
      message: `${damaged
        .map(file => path.basename(file))
        .slice(0, 3)
        .join(', ')} in ${install.records} cannot be read`,
      hint: '`cairn init` rewrites it for the installed hosts. Remove the other parts of the installation by hand.',
    })
  return checks
}

function isReadable(file: string): boolean {
  const bytes = disk.readFile(file)
  return bytes !== undefined && readRecord(new TextDecoder().decode(bytes)) !== undefined
}
