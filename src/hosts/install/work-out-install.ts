import { CairnError } from '../../kernel/model/errors.ts'
import type { HostId, InstallLevel } from '../../kernel/model/host.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { HOSTS } from '../hosts.ts'
import { isOwnFile } from './decide/command-files.ts'
import type { HostIntegration, Wanted } from './decide/host-integration.ts'
import type { HostFileChange, InstallRequest, Remark } from './decide/install-plan.ts'
import { type InstallRecord, isSameOwner, type RecordOwner } from './decide/install-record.ts'
import { UneditableText } from './decide/json-document.ts'
import { type ChangesMade, type PieceState, putPieces } from './decide/json-pieces.ts'
import type { TargetFile } from './decide/target-file.ts'
import type { EditSteps } from './decide/text-edit.ts'
import { putTable } from './decide/toml-table.ts'
import { damaged, missingFolders, readHostFile } from './host-file.ts'
import { type InstallParts, installRecords } from './install-parts.ts'

/** A change with the record that is written before it. null: the record is removed after it. */
export interface WorkedOut extends HostFileChange {
  readonly record: InstallRecord | null | undefined
}

export interface Work {
  readonly files: readonly WorkedOut[]
  readonly remarks: readonly Remark[]
}

export function workOutInstall(parts: InstallParts, request: InstallRequest): Work {
  const view = fileView(parts, request.level)
  const files: WorkedOut[] = []
  const remarks: Remark[] = []
  const refused: CairnError[] = []
  for (const host of [...new Set(request.hosts)]) {
    try {
      const work = workOutHost(parts, view, host, request)
      for (const file of work.files) view.put(file)
      files.push(...work.files)
      remarks.push(...work.remarks)
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      refused.push(error)
      remarks.push({ host, kind: 'refused', message: error.message, hint: error.hint })
    }
  }
  // The other hosts are installed; without another one it is a failure.
  const [first] = refused
  if (first !== undefined && refused.length === new Set(request.hosts).size) throw first
  return { files, remarks }
}

/** The files as they will be after the changes that are planned so far: two hosts may share one. */
function fileView(parts: InstallParts, level: InstallLevel) {
  const records = installRecords(parts)
  const texts = new Map<string, string | null>()
  const recorded = new Map<string, InstallRecord | undefined>()
  return {
    text: (path: string) => {
      const seen = texts.get(path)
      return seen === undefined ? (readHostFile(parts, path, level) ?? null) : seen
    },
    record: (path: string) => (recorded.has(path) ? recorded.get(path) : records.find(path)),
    put({ path, after, record }: WorkedOut) {
      texts.set(path, after)
      if (record !== undefined) recorded.set(path, record ?? undefined)
    },
  }
}

type FileView = ReturnType<typeof fileView>

/** Without `asks` no file is read: for callers that only need the paths. */
export function wantedFor(
  parts: InstallParts,
  integration: HostIntegration,
  { level, switchOffAutoMemory = false }: { level: InstallLevel; switchOffAutoMemory?: boolean },
  { asks = true }: { asks?: boolean } = {},
): Wanted {
  if (level === 'project' && parts.project === undefined) {
    throw new CairnError({
      code: 'project_not_found',
      message: 'No project was found to install into.',
      hint: 'Go into the project, or install for the user.',
    })
  }
  const places = {
    home: parts.home,
    environment: parts.environment,
    isWindows: parts.isWindows,
    exists: (path: string) => parts.disk.fileInfo(path) !== undefined,
    ...(parts.project !== undefined && { project: parts.project }),
    level,
  }
  const hooks = HOSTS[integration.host].hooks.events
  const wanted = { ...places, hooks, command: parts.command, switchOffAutoMemory, serverAnswers: true }
  return { ...wanted, serverAnswers: !asks || !isServerTaken(parts, integration, wanted) }
}

function isServerTaken(parts: InstallParts, integration: HostIntegration, wanted: Wanted): boolean {
  const path = integration.serverFile(wanted)
  const target = integration.files(wanted).find(file => file.path === path)
  const text = readHostFile(parts, path, wanted.level)
  return (
    target !== undefined &&
    text !== undefined &&
    statesOf(target, text).some(({ state }) => state === 'taken')
  )
}

function workOutHost(parts: InstallParts, view: FileView, host: HostId, request: InstallRequest): Work {
  const { level } = request
  const integration = parts.integrations[host]
  const wanted = wantedFor(parts, integration, request)
  const owner: RecordOwner = { host, level, ...(level === 'project' && { project: parts.project as string }) }
  const remarks: Remark[] = integration.remarks(wanted).map(remark => ({ host, ...remark }))
  const targets = integration.files(wanted).filter(target => request.commands !== false || !isCommand(target))
  const files = targets.map(target => {
    const before = view.text(target.path)
    const put = putTarget(target, before, view.record(target.path))
    remarks.push(...leftRemarks(host, target.path, put))
    return workedOut(parts, { target, owner, before, put, record: view.record(target.path) })
  })
  const other = installRecords(parts)
    .all()
    .some(({ owners }) =>
      owners.some(
        one => one.host === host && one.level !== level && (one.project ?? parts.project) === parts.project,
      ),
    )
  if (other) {
    remarks.push({
      host,
      kind: 'limit',
      message: 'The other level is installed too, and this host runs the hooks of both.',
      hint: `Take one of them out: \`cairn uninstall --host ${host} --level ${level === 'user' ? 'project' : 'user'}\`.`,
    })
  }
  return { files, remarks }
}

/** Something a user types or an agent reads; not a file that a host calls. */
function isCommand(target: TargetFile): boolean {
  return target.format === 'own' && /^(?:command|skill|rule) /.test(target.name)
}

export interface PutTarget extends Pick<ChangesMade, 'made' | 'settings'> {
  readonly after: string | null
  readonly back: EditSteps
  readonly states: readonly { readonly name: string; readonly state: PieceState | 'edited' }[]
}

/** Decides the change of a file. A file of ours that a person changed belongs to that person. */
export function putTarget(
  target: TargetFile,
  before: string | null,
  record: InstallRecord | undefined,
): PutTarget {
  if (target.format !== 'own') {
    try {
      return putStructured(target, before)
    } catch (error) {
      if (error instanceof UneditableText) throw damaged(target.path, error.message, error.line)
      throw error
    }
  }
  const state = ownState(target.text, before, record)
  const isPut = state === 'none' || state === 'outdated'
  return {
    after: isPut ? target.text : before,
    back: [],
    states: [{ name: target.name, state }],
    made: [],
    settings: [],
  }
}

function putStructured(target: Exclude<TargetFile, { format: 'own' }>, before: string | null): PutTarget {
  if (target.format === 'toml') {
    const { edited, state } = putTable(before ?? '', target.table, target.value)
    return {
      after: edited.text,
      back: edited.back,
      states: [{ name: target.name, state }],
      made: [],
      settings: [],
    }
  }
  const { edited, states, made, settings } = putPieces(before ?? '', target.pieces)
  return { after: edited.text, back: edited.back, states, made, settings }
}

function statesOf(target: TargetFile, text: string): PutTarget['states'] {
  return putTarget(target, text, undefined).states
}

function ownState(
  wanted: string,
  text: string | null,
  record: InstallRecord | undefined,
): PieceState | 'edited' {
  if (text === null) return 'none'
  if (text === wanted) return 'current'
  if (!isOwnFile(text)) return 'taken'
  const isAsWritten = record === undefined || record.states.some(({ hash }) => hash === textHash(text))
  return isAsWritten ? 'outdated' : 'edited'
}

function leftRemarks(host: HostId, path: string, { states }: PutTarget): Remark[] {
  return states.flatMap(({ name, state }): Remark[] => {
    if (state === 'taken') {
      return [
        {
          host,
          kind: 'left',
          message: `${name}: ${path} has something of that name that is not ours. It remains unchanged.`,
          hint: 'Rename or remove it and run the command again, if ours is wanted there.',
        },
      ]
    }
    if (state !== 'edited') return []
    return [
      {
        host,
        kind: 'left',
        message: `${name}: ${path} was changed by hand since it was installed, so it stays.`,
        hint: 'Remove the file and run the command again to have it anew.',
      },
    ]
  })
}

interface PutFile {
  readonly target: TargetFile
  readonly owner: RecordOwner
  readonly before: string | null
  readonly put: PutTarget
  readonly record: InstallRecord | undefined
}

function workedOut(parts: InstallParts, { target, owner, before, put, record }: PutFile): WorkedOut {
  const { host, level } = owner
  const isChanged = put.after !== before
  const changed = put.states.filter(
    ({ name, state }) => (state === 'none' || state === 'outdated') && !isFrame(target, name),
  )
  const common = { host, level, path: target.path, before, after: put.after }
  const isOwner = record?.owners.some(one => isSameOwner(one, owner)) === true
  if (!isChanged) {
    // A shared file belongs to all its owners, even if nothing had to be written.
    const isOurs = put.states.some(({ state }) => state === 'current')
    const joins = record !== undefined && isOurs && !isOwner
    return {
      ...common,
      what: [],
      change: 'none',
      record: joins ? { ...record, owners: [...record.owners, owner] } : undefined,
    }
  }
  return {
    ...common,
    what: changed.map(({ name, state }) => (state === 'outdated' ? `${name} (renewed)` : name)),
    change: before === null ? 'create' : 'edit',
    record: recordOf(parts, { target, owner, before, put, record }),
  }
}

function recordOf(parts: InstallParts, { target, owner, before, put, record }: PutFile): InstallRecord {
  const hash = textHash(before ?? '')
  const known = before === null ? undefined : record?.states.find(state => state.hash === hash)
  const hadOurs = put.states.some(
    ({ name, state }) => (state === 'current' || state === 'outdated') && !isAnybodys(target, name),
  )
  // From a known state: our steps follow those that led there. From a file without anything of ours: exactly our steps.
  const back =
    known !== undefined
      ? known.back && [...put.back, ...known.back]
      : hadOurs && before !== null
        ? null
        : put.back
  const goesOn = record !== undefined && (known !== undefined || hadOurs)
  const owners = record?.owners ?? []
  return {
    version: 1,
    path: target.path,
    owners: owners.some(one => isSameOwner(one, owner)) ? owners : [...owners, owner],
    created: goesOn ? record.created : before === null,
    folders: [...(record?.folders ?? []), ...missingFolders(parts.disk, target.path)].filter(isFirst),
    states: [{ hash: textHash(put.after ?? ''), back }, ...(known === undefined ? [] : [known])],
    made: goesOn ? [...record.made, ...put.made] : put.made,
    settings: goesOn ? [...record.settings, ...put.settings] : put.settings,
    keep: goesOn
      ? record.keep
      : put.states
          .filter(({ name, state }) => state === 'current' && isAnybodys(target, name))
          .map(({ name }) => name),
    at: parts.now(),
  }
}

/** A word in a list or a setting does not show its author, so an existing one is not ours. */
function isAnybodys(target: TargetFile, name: string): boolean {
  const piece = target.format === 'json' ? target.pieces.find(one => one.name === name) : undefined
  return piece?.kind === 'item' || piece?.kind === 'setting' || piece?.kind === 'frame'
}

export function isFrame(target: TargetFile, name: string): boolean {
  return (
    target.format === 'json' && target.pieces.some(piece => piece.kind === 'frame' && piece.name === name)
  )
}

function isFirst<T>(value: T, at: number, all: readonly T[]): boolean {
  return all.indexOf(value) === at
}
