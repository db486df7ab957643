import type { InstallPlan, Remark } from '../../hosts/install/decide/install-plan.ts'
import { type DetectedHost, detectHosts } from '../../hosts/install/detect-hosts.ts'
import type { InstallParts } from '../../hosts/install/install-parts.ts'
import { applyInstall, applyUninstall, planInstall, planUninstall } from '../../hosts/install/installer.ts'
import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { HostId, InstallLevel } from '../../kernel/model/host.ts'
import { diffLines, linesOf } from '../../kernel/text/line-diff.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import type { MergeDriverParts as DriverParts } from '../git-merge/install-driver.ts'
import type { ProjectPorts } from '../projects/decide/ports.ts'
import type { ValidationPorts } from '../validate/decide/ports.ts'

export interface HostRequest {
  /** Absent: those found on this machine. */
  readonly hosts?: readonly HostId[] | undefined
  readonly level: InstallLevel
  readonly switchOffAutoMemory: boolean
  readonly commands: boolean
}

interface HostPlans {
  readonly hosts: readonly PlannedHost[]
  /** undefined: no host needs a change. */
  readonly install: InstallPlan | undefined
  readonly remarks: readonly SetupRemark[]
  readonly failures: readonly SetupFailure[]
}

/** A file of one host that cannot be edited does not block the others. */
export function planHosts(parts: InstallParts, request: HostRequest): HostPlans {
  const detected = detectHosts(parts)
  const wanted = detected
    .filter(({ host, found }) => (request.hosts === undefined ? found : request.hosts.includes(host)))
    .map(({ host }) => host)
  const asked = (hosts: readonly HostId[]) => ({
    hosts,
    level: request.level,
    switchOffAutoMemory: request.switchOffAutoMemory,
    commands: request.commands,
  })
  const failures = wanted.flatMap(host => refusalOf(host, () => planInstall(parts, asked([host]))))
  const refused = new Set(failures.map(({ host }) => host))
  const able = wanted.filter(host => !refused.has(host))
  const install = able.length === 0 ? undefined : planInstall(parts, asked(able))
  const isChanged = (host: HostId) =>
    install?.changes.some(change => change.host === host && change.change !== 'none') === true
  return {
    hosts: detected.map(({ host, found, evidence, ownMemory }): PlannedHost => {
      const does = refused.has(host)
        ? 'failed'
        : able.includes(host)
          ? isChanged(host)
            ? 'install'
            : 'in_place'
          : found
            ? 'skipped'
            : 'not_found'
      return { host, found, evidence, ownMemory, does }
    }),
    install,
    remarks: install?.remarks ?? [],
    failures,
  }
}

function refusalOf(host: HostId, plan: () => InstallPlan): SetupFailure[] {
  try {
    plan()
    return []
  } catch (error) {
    return [failureOf(error, host)]
  }
}

/** Removes all our parts at a level; the plan is empty if there are none. */
export function planHostRemoval(
  parts: InstallParts,
  level: InstallLevel,
  hosts: readonly HostId[] | undefined,
): Omit<HostPlans, 'hosts'> {
  const install = planUninstall(parts, { level, ...(hosts !== undefined && { hosts }) })
  return {
    install,
    remarks: install.remarks.filter(({ kind }) => kind !== 'refused'),
    failures: install.remarks
      .filter(({ kind }) => kind === 'refused')
      .map(({ host, message, hint }) => ({ host, code: 'host_config_damaged', message, hint })),
  }
}

export async function applyHosts(
  parts: InstallParts,
  plan: InstallPlan | undefined,
): Promise<{ readonly changed: readonly string[]; readonly failures: readonly SetupFailure[] }> {
  if (plan === undefined || plan.changes.length === 0) return { changed: [], failures: [] }
  const apply = plan.kind === 'install' ? applyInstall : applyUninstall
  try {
    const { changed } = await apply(parts, plan)
    return { changed: changed.map(({ path }) => path), failures: [] }
  } catch (error) {
    return { changed: [], failures: [failureOf(error)] }
  }
}

/** A file that two hosts share is listed once. */
export function shownChanges(plan: InstallPlan | undefined, isWithDiff: boolean): PlannedChange[] {
  const changeByPath = new Map<string, PlannedChange>()
  for (const { host, level, path, what, change, before, after } of plan?.changes ?? []) {
    if (change === 'none') continue
    const known = changeByPath.get(path)
    const diff = isWithDiff ? { diff: [...(known?.diff ?? []), ...cleanDiff(before ?? '', after ?? '')] } : {}
    changeByPath.set(
      path,
      known === undefined
        ? { path, change, what, host, level, ...diff }
        : { ...known, what: [...new Set([...known.what, ...what])], ...diff },
    )
  }
  return [...changeByPath.values()]
}

/** Only the changed lines, because hosts store keys in these files. */
function cleanDiff(before: string, after: string): string[] {
  const shown = (sign: string, lines: readonly string[]) =>
    lines.map(line => redact(`${sign} ${line.trimEnd()}`).text)
  return diffLines(linesOf(before), linesOf(after)).flatMap(({ removed, added }) => [
    ...shown('-', removed),
    ...shown('+', added),
  ])
}

export function failureOf(error: unknown, host?: HostId): SetupFailure {
  if (!(error instanceof CairnError)) throw error
  const { code, message, hint } = error
  return { code, message, hint, ...(host !== undefined && { host }) }
}

/** What setup and removal work on. */
export interface SetupParts {
  readonly engine: Memory & ValidationPorts & ProjectPorts
  readonly installing: InstallParts
  readonly driver: DriverParts
}

/** A planned change of a file or setting, for people and programs, without its content. */
export interface PlannedChange {
  /** Absolute; a setting of git by its name. */
  readonly path: string
  readonly change: 'create' | 'edit' | 'remove'
  readonly what: readonly string[]
  readonly host?: HostId
  readonly level?: InstallLevel
  /** On request: the removed and added lines, without secrets. */
  readonly diff?: readonly string[]
}

/** A part that failed while the others were done. */
export interface SetupFailure {
  readonly host?: HostId
  readonly code: string
  readonly message: string
  readonly hint: string
}

export interface PlannedHost extends Pick<DetectedHost, 'host' | 'found' | 'evidence'> {
  /** `skipped`: found, but other hosts were requested. */
  readonly does: 'install' | 'in_place' | 'not_found' | 'skipped' | 'failed'
  readonly ownMemory: DetectedHost['ownMemory']
}

export interface SetupRemark {
  readonly host?: HostId
  readonly kind: Remark['kind']
  readonly message: string
  readonly hint: string
}
