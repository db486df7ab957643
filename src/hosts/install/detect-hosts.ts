import { CairnError } from '../../kernel/model/errors.ts'
import { HOST_IDS, type HostId, INSTALL_LEVELS, type InstallLevel } from '../../kernel/model/host.ts'
import { HOSTS } from '../hosts.ts'
import type { OwnMemory } from './decide/host-integration.ts'
import { parseDocument, plainValue, UneditableText, valueAt } from './decide/json-document.ts'
import { readHostFile } from './host-file.ts'
import { inspectInstall } from './inspect-install.ts'
import type { InstallParts } from './install-parts.ts'
import { wantedFor } from './work-out-install.ts'

/** Whether a host is on this machine, and how that is known. */
export interface DetectedHost {
  readonly host: HostId
  readonly found: boolean
  /** In words: "~/.claude is there", "claude is on the path (/usr/bin/claude)". Empty when not found. */
  readonly evidence: readonly string[]
  /** Levels at which something of ours is installed already. */
  readonly installed: readonly InstallLevel[]
  /** A memory of the host's own, so that the user can be asked about it. */
  readonly ownMemory: { readonly name: string; readonly isOn: boolean; readonly where: string } | null
}

export function detectHosts(parts: InstallParts): readonly DetectedHost[] {
  return HOST_IDS.map(host => {
    const integration = parts.integrations[host]
    const folder = integration.folder(wantedFor(parts, integration, { level: 'user' }, { asks: false }))
    const programs = HOSTS[host].programs.flatMap(name => {
      const at = onPath(parts, name)
      return at === undefined ? [] : [`${name} is on the path (${at})`]
    })
    const isThere = parts.disk.isFolder(folder) === true
    const evidence = [...(isThere ? [`${shortened(parts, folder)} is there`] : []), ...programs]
    return {
      host,
      found: evidence.length > 0,
      evidence,
      installed: INSTALL_LEVELS.filter(
        level =>
          !(level === 'project' && parts.project === undefined) && inspectInstall(parts, host, level).isOurs,
      ),
      ownMemory:
        integration.ownMemory === undefined ? null : ownMemoryOf(parts, folder, integration.ownMemory),
    }
  })
}

function onPath({ environment, disk, isWindows }: InstallParts, name: string): string | undefined {
  const folders = (environment('PATH') ?? '').split(isWindows ? ';' : ':').filter(folder => folder !== '')
  const names = isWindows ? [`${name}.exe`, `${name}.cmd`, `${name}.ps1`] : [name]
  return folders
    .flatMap(folder => names.map(one => `${folder}/${one}`))
    .find(file => disk.stamp(file) !== undefined && disk.isFolder(file) === false)
}

function shortened({ home }: InstallParts, folder: string): string {
  return folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
}

/** On unless the user switched it off. Settings that cannot be read count as silent; the error is reported when they are edited. */
function ownMemoryOf(parts: InstallParts, folder: string, memory: OwnMemory): DetectedHost['ownMemory'] {
  const where = `${folder}/${memory.file}`
  const isOff = Boolean(parts.environment(memory.offVariable)) || isSetOff(parts, where, memory.setting)
  return { name: memory.name, isOn: !isOff, where }
}

function isSetOff(parts: InstallParts, file: string, setting: OwnMemory['setting']): boolean {
  try {
    const text = readHostFile(parts, file, 'user')
    const root = text === undefined ? undefined : parseDocument(text)
    const value = root && valueAt(root, setting)
    return value !== undefined && plainValue(value) === false
  } catch (error) {
    if (error instanceof UneditableText || error instanceof CairnError) return false
    throw error
  }
}
