import { CairnError } from '../../kernel/model/errors.ts'
import type {
  AppliedInstall,
  HostFileChange,
  HostUninstallRequest,
  InstallPlan,
  InstallRequest,
} from './decide/install-plan.ts'
import { clearLeftovers, removeHostFile, writeHostFile } from './host-file.ts'
import type { InstallParts } from './install-parts.ts'
import { installRecords } from './install-records.ts'
import { type Work, type WorkedOut, workOutInstall } from './work-out-install.ts'
import { workOutUninstall } from './work-out-uninstall.ts'

/**
 * What would be written where. Reads only. A host with a file that cannot be edited is left out with a remark; if no host is left, its
 * error is thrown (`host_config_damaged`, `memory_outside_project`).
 */
export function planInstall(parts: InstallParts, request: InstallRequest): InstallPlan {
  return { kind: 'install', request, ...shown(workOutInstall(parts, request)) }
}

/** What would be removed. Nothing to remove is a plan without changes. Reads only. */
export function planUninstall(parts: InstallParts, request: HostUninstallRequest): InstallPlan {
  return { kind: 'uninstall', request, ...shown(workOutUninstall(parts, request)) }
}

/**
 * Executes the plan. Files that changed in the meantime are planned again, since hosts write theirs all the time; if the result differs from
 * the plan, nothing is done: `host_config_changed`.
 */
export function applyInstall(parts: InstallParts, plan: InstallPlan): Promise<AppliedInstall> {
  return apply(parts, plan)
}

export function applyUninstall(parts: InstallParts, plan: InstallPlan): Promise<AppliedInstall> {
  return apply(parts, plan)
}

function shown({ files, remarks }: Work): Pick<InstallPlan, 'changes' | 'remarks'> {
  return { changes: files.map(changeOf), remarks }
}

function changeOf({ record: _, ...change }: WorkedOut): HostFileChange {
  return change
}

function apply(parts: InstallParts, plan: InstallPlan): Promise<AppliedInstall> {
  return parts.exclusively(() => {
    const work =
      plan.kind === 'install' ? workOutInstall(parts, plan.request) : workOutUninstall(parts, plan.request)
    checkAgreed(plan, work)
    const changed: HostFileChange[] = []
    try {
      for (const file of work.files) {
        clearLeftovers(parts, file.path, file.level)
        if (plan.kind === 'install') put(parts, file)
        else take(parts, file)
        if (file.change !== 'none') changed.push(changeOf(file))
      }
      if (plan.kind === 'uninstall') forget(parts, work.files)
    } catch (error) {
      throw halfway(error, plan, changed)
    }
    return { changed, remarks: work.remarks }
  })
}

/** The record first: a process that is killed in between leaves a record of a change that was not made, but no file without a record. */
function put(parts: InstallParts, { path, level, after, change, record }: WorkedOut): void {
  if (record) installRecords(parts).put(record)
  if (change !== 'none' && after !== null) writeHostFile(parts, path, level, after)
}

/** The file first: a record that remains only says where to check. */
function take(parts: InstallParts, { path, level, after, change, record }: WorkedOut): void {
  const records = installRecords(parts)
  if (change !== 'none' && after === null) removeHostFile(parts, path, level)
  else if (change !== 'none' && after !== null) writeHostFile(parts, path, level, after)
  if (record) records.put(record)
}

/**
 * After all files are removed: the record of only one of the files in a folder may say that the folder is ours. Records last, so that
 * after a kill the next run finds them.
 */
function forget(parts: InstallParts, files: readonly WorkedOut[]): void {
  const records = installRecords(parts)
  const done = files.filter(({ record }) => record === null)
  const folders = new Set(done.flatMap(({ path }) => records.find(path)?.folders ?? []))
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) parts.disk.removeEmptyFolder(folder)
  for (const { path } of done) records.remove(path)
}

function checkAgreed(plan: InstallPlan, { files }: Work): void {
  const agreed = new Set(plan.changes.map(signOf))
  const other = files.find(file => file.change !== 'none' && !agreed.has(signOf(file)))
  if (other === undefined) return
  throw new CairnError({
    code: 'host_config_changed',
    message: `${other.path} was changed since the plan was made, and what is to be done there is now something else.`,
    hint: 'Nothing was changed. Run the command again and look at the new plan.',
  })
}

/** What the user agreed to: which file, which pieces, added or removed. */
function signOf({ host, path, what, change }: HostFileChange): string {
  return JSON.stringify([host, path, what, change === 'remove'])
}

function halfway(error: unknown, plan: InstallPlan, changed: readonly HostFileChange[]): unknown {
  if (!(error instanceof CairnError) || changed.length === 0) return error
  const other = plan.kind === 'install' ? 'cairn uninstall' : 'cairn init'
  return new CairnError({
    code: error.code,
    message: error.message,
    hint: `${error.hint} ${changed.length} of the files were changed before; run the command again to finish, or \`${other}\` to go back.`,
    details: { ...error.details, changed: changed.map(({ path }) => path) },
    cause: error,
  })
}
