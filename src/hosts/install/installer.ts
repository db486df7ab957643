import { CairnError } from '../../kernel/model/errors.ts'
import { HOST_IDS, INSTALL_LEVELS, type InstallLevel } from '../../kernel/model/host.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { isOwnFile } from './decide/command-files.ts'
import type {
  AppliedInstall,
  HostFileChange,
  HostUninstallRequest,
  InstallPlan,
  InstallRequest,
  Remark,
} from './decide/install-plan.ts'
import { type InstallRecord, isSameOwner, type RecordOwner } from './decide/install-record.ts'
import { UneditableText } from './decide/json-document.ts'
import { removePieces } from './decide/json-pieces.ts'
import type { JsonPiece, TargetFile } from './decide/target-file.ts'
import { goBack } from './decide/text-edit.ts'
import { removeTable } from './decide/toml-table.ts'
import { clearLeftovers, damaged, readHostFile, removeHostFile, writeHostFile } from './host-file.ts'
import { type InstallParts, installRecords } from './install-parts.ts'
import { type Work, type WorkedOut, wantedFor, workOutInstall } from './work-out-install.ts'

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
    message: `${other.path} changed after the plan was made, so the plan no longer applies.`,
    hint: 'Nothing was changed. Run the command again and review the new plan.',
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

function workOutUninstall(parts: InstallParts, request: HostUninstallRequest): Work {
  const records = installRecords(parts)
  const all = records.all()
  const files: WorkedOut[] = []
  const remarks: Remark[] = []
  // Two hosts may share a file: the second one sees the result of the first.
  const seen = new Map<string, { text: string | null; record: InstallRecord | null }>()
  for (const owner of ownersOf(parts, request)) {
    for (const target of targetsOf(parts, owner, all)) {
      try {
        const known = seen.get(target.path)
        const text = known ? known.text : (readHostFile(parts, target.path, owner.level) ?? null)
        const record = known ? (known.record ?? undefined) : records.find(target.path)
        const file = takeTarget(target, { owner, text, record }, remarks)
        if (file === undefined) continue
        files.push(file)
        seen.set(target.path, {
          text: file.after,
          record: file.record === undefined ? (record ?? null) : file.record,
        })
      } catch (error) {
        if (!(error instanceof CairnError)) throw error
        remarks.push({ host: owner.host, kind: 'refused', message: error.message, hint: error.hint })
      }
    }
  }
  return { files, remarks }
}

function ownersOf(parts: InstallParts, { hosts = HOST_IDS, level }: HostUninstallRequest): RecordOwner[] {
  const levels: readonly InstallLevel[] = level === undefined ? INSTALL_LEVELS : [level]
  return levels.flatMap((one): RecordOwner[] => {
    if (one === 'user') return hosts.map(host => ({ host, level: one }))
    const { project } = parts
    return project === undefined ? [] : hosts.map(host => ({ host, level: one, project }))
  })
}

/** What this version would write, and what earlier versions or other environments wrote. */
function targetsOf(parts: InstallParts, owner: RecordOwner, all: readonly InstallRecord[]): TargetFile[] {
  const integration = parts.integrations[owner.host]
  const wanted = wantedFor(
    parts,
    integration,
    { level: owner.level, switchOffAutoMemory: true },
    { asks: false },
  )
  const targets = integration.files(wanted)
  const known = new Set(targets.map(({ path }) => path))
  const recorded = all
    .filter(({ path, owners }) => !known.has(path) && owners.some(one => isSameOwner(one, owner)))
    .map(({ path }): TargetFile => {
      if (path.endsWith('.toml') && !/[\\/]commands[\\/]/.test(path))
        return { format: 'toml', path, name: 'MCP server cairn', table: ['mcp_servers', 'cairn'], value: {} }
      return /\.jsonc?$/.test(path)
        ? { format: 'json', path, pieces: ANY_PIECES }
        : { format: 'own', path, name: path, text: '' }
    })
  return [...targets, ...recorded]
}

/** Where pieces of ours may be in a file that this version no longer writes. */
const ANY_PIECES: readonly JsonPiece[] = [
  { kind: 'hooks', name: 'hooks', path: ['hooks'], groups: {} },
  { kind: 'server', name: 'MCP server cairn', path: ['mcpServers', 'cairn'], value: {} },
  { kind: 'server', name: 'MCP server cairn', path: ['mcp', 'cairn'], value: {} },
  {
    kind: 'item',
    name: 'permission for the tools of the MCP server cairn',
    path: ['permissions', 'allow'],
    value: 'mcp__cairn',
  },
]

interface Found {
  readonly owner: RecordOwner
  readonly text: string | null
  readonly record: InstallRecord | undefined
}

/** undefined: there is nothing of ours, and no record to remove. */
function takeTarget(
  target: TargetFile,
  { owner, text, record }: Found,
  remarks: Remark[],
): WorkedOut | undefined {
  const { host, level } = owner
  const { path } = target
  const rest = record?.owners.filter(one => !isSameOwner(one, owner)) ?? []
  const common = { host, level, path, before: text }
  const unchanged = (next: InstallRecord | null): WorkedOut => ({
    ...common,
    what: [],
    change: 'none',
    after: text,
    record: next,
  })
  if (record !== undefined && rest.length > 0) {
    return rest.length === record.owners.length ? undefined : unchanged({ ...record, owners: rest })
  }
  if (text === null) return record === undefined ? undefined : unchanged(null)
  const left = leftOver(target, text, record)
  if (left === 'edited') {
    remarks.push({
      host,
      kind: 'left',
      message: `${path} was changed by hand since it was installed, so it stays.`,
      hint: 'Remove the file if you do not need it.',
    })
    return record === undefined ? undefined : unchanged(null)
  }
  if (left === text) return record === undefined ? undefined : unchanged(null)
  const what = namesIn(target, text)
  return { ...common, what, change: left === null ? 'remove' : 'edit', after: left, record: null }
}

/** The file without our pieces: as it was before if it is unchanged since; otherwise the current text without our pieces. */
function leftOver(
  target: TargetFile,
  text: string,
  record: InstallRecord | undefined,
): string | null | 'edited' {
  const state = record?.states.find(({ hash }) => hash === textHash(text))
  if (target.format === 'own') {
    if (state !== undefined || text === target.text) return null
    if (!isOwnFile(text)) return text
    return record === undefined ? null : 'edited'
  }
  if (record !== undefined && state?.back != null) return record.created ? null : goBack(text, state.back)
  try {
    if (target.format === 'toml') {
      const without = removeTable(text, target.table).text
      return record?.created === true && without.trim() === '' ? null : without
    }
    const { edited, isEmpty } = removePieces(text, target.pieces, record)
    const isOurs = record?.created ?? /[\\/]cairn\.json$/.test(target.path)
    return isEmpty && isOurs && edited.text !== text ? null : edited.text
  } catch (error) {
    if (error instanceof UneditableText) throw damaged(target.path, error.message, error.line)
    throw error
  }
}

function namesIn(target: TargetFile, text: string): string[] {
  if (target.format !== 'json') return [target.name]
  const found = target.pieces.filter(piece => {
    try {
      return (
        removePieces(text, [piece], { made: [], settings: [{ path: piece.path }], keep: [] }).edited.text !==
        text
      )
    } catch (error) {
      if (error instanceof UneditableText) return false
      throw error
    }
  })
  return found.map(({ name }) => name)
}
