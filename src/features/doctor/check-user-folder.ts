import * as path from 'node:path'
import { readHookFailures } from '../../hosts/hooks/hook-failures.ts'
import { readRecord } from '../../hosts/install/decide/install-record.ts'
import type { InstallParts } from '../../hosts/install/install-parts.ts'
import { installRecords } from '../../hosts/install/install-records.ts'
import { privateDisk as disk } from '../../kernel/system/disk.ts'
import { isProcessAlive } from '../../kernel/system/live-process.ts'
import { userFolder } from '../../kernel/system/user-folder.ts'
import { knownProjectsFile, readKnownProjects } from '../projects/known-projects.ts'
import { resolveProject } from '../projects/resolve-project.ts'
import type { DoctorCheck } from './check.ts'

const SHOWN_FAILURES = 5
const DAY_MS = 86_400_000
/** More is no process id. */
const MAX_MARK_BYTES = 64

interface Looking {
  readonly root: string
  readonly fix: boolean
  readonly nowMs: number
}

/** What lies in `~/.cairn`, beside the memory of the user. */
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
        message: `${file} cannot be read: no project counts as trusted, and hooks tell nothing`,
        hint: '`cairn doctor --fix` puts it aside; then `cairn trust` in each project.',
      },
    ]
  const aside = `${file}.damaged-${nowMs}`
  disk.rename(file, aside)
  return [
    {
      name: 'projects',
      result: 'fixed',
      message: `the list of projects could not be read; it is ${path.basename(aside)} now`,
      hint: '`cairn trust` in each project that you trust.',
    },
  ]
}

/** Whether hooks and servers may tell of this project at all. */
export function checkTrust(root: string): DoctorCheck[] {
  const { standing } = resolveProject(root)
  if (standing === 'none') return []
  return standing === 'trusted'
    ? [{ name: 'trust', result: 'ok', message: 'this project is trusted: agents are told of its memory' }]
    : [
        {
          name: 'trust',
          result: 'warning',
          message:
            'this project is not trusted: no agent is told anything of its memory, and nothing is captured',
          hint: 'Look at what is in .memory/, then `cairn trust`.',
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
    : [{ name: 'hook failures', result: 'ok', message: 'none within a day; `cairn status` shows older ones' }]
}

/** A server that was killed cannot take its mark away. The hook behind it looks whether the process lives, so that it only litters. */
function checkMarks({ fix }: Looking): DoctorCheck[] {
  const folder = path.join(userFolder(), 'run')
  const stale = (disk.listFolder(folder) ?? [])
    .filter(({ name }) => name.endsWith('.pid'))
    .map(({ name }) => path.join(folder, name))
    .filter(file => !isLiving(file))
  if (stale.length === 0) return []
  if (fix) {
    for (const file of stale) disk.remove(file)
    return [
      { name: 'server marks', result: 'fixed', message: `${stale.length} of servers that are gone removed` },
    ]
  }
  return [
    {
      name: 'server marks',
      result: 'warning',
      message: `${stale.length} of servers that are gone: ${stale
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

/** What installing left, of files that somebody removed since, and what of it cannot be read. */
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
      message: `${gone.length} of files that are gone${fix ? ' removed' : ''}: ${gone
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
      hint: '`cairn init` writes it anew for the hosts it installs; what a damaged one is about can be taken out by hand.',
    })
  return checks
}

function isReadable(file: string): boolean {
  const bytes = disk.readFile(file)
  return bytes !== undefined && readRecord(new TextDecoder().decode(bytes)) !== undefined
}
