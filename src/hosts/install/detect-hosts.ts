import { CairnError } from '../../kernel/model/errors.ts'
import { HOST_IDS, type HostId, INSTALL_LEVELS, type InstallLevel } from '../../kernel/model/host.ts'
import { INTEGRATIONS } from './decide/integrations.ts'
import { parseDocument, plainValue, UneditableText, valueAt } from './decide/json-document.ts'
import { readHostFile } from './host-file.ts'
import { inspectInstall } from './inspect-install.ts'
import type { InstallParts } from './install-parts.ts'
import { wantedFor } from './work-out-install.ts'

/** Whether a host is on this machine, and by what that is seen. */
export interface DetectedHost {
  readonly host: HostId
  readonly found: boolean
  /** In words: "~/.claude is there", "claude is on the path (/usr/bin/claude)". Empty when not found. */
  readonly evidence: readonly string[]
  /** Levels at which something of ours stands there already. */
  readonly installed: readonly InstallLevel[]
  /** A memory of the host's own, so that the user can be asked about it. */
  readonly ownMemory: { readonly name: string; readonly isOn: boolean; readonly where: string } | null
}

export function detectHosts(parts: InstallParts): readonly DetectedHost[] {
  return HOST_IDS.map(host => {
    const integration = INTEGRATIONS[host]
    const folder = integration.folder(wantedFor(parts, integration, { level: 'user' }, { asks: false }))
    const programs = integration.programs.flatMap(name => {
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
      ownMemory: host === 'claude-code' ? autoMemory(parts, `${folder}/settings.json`) : null,
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

/** On unless somebody said otherwise. Settings that cannot be read say nothing, and are told of when they are to be edited. */
function autoMemory(parts: InstallParts, file: string): DetectedHost['ownMemory'] {
  const isOff = Boolean(parts.environment('CLAUDE_CODE_DISABLE_AUTO_MEMORY')) || saysOff(parts, file)
  return { name: "Claude Code's auto memory", isOn: !isOff, where: file }
}

function saysOff(parts: InstallParts, file: string): boolean {
  try {
    const text = readHostFile(parts, file, 'user')
    const root = text === undefined ? undefined : parseDocument(text)
    const said = root && valueAt(root, ['autoMemoryEnabled'])
    return said !== undefined && plainValue(said) === false
  } catch (error) {
    if (error instanceof UneditableText || error instanceof CairnError) return false
    throw error
  }
}
