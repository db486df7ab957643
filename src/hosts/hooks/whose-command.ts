import * as os from 'node:os'
import * as path from 'node:path'
import type { HostId } from '../../kernel/model/host.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { environmentVariable } from '../../kernel/system/environment.ts'
import { HOSTS } from '../hosts.ts'
import { COMMAND_MARKER } from '../install/decide/command-files.ts'

const MAX_BYTES = 65_536

/** False: the user has a command of this name that is not ours, and means theirs. */
export function isOurs(
  host: HostId,
  name: string,
  { root, cwd = root }: { readonly root: string; readonly cwd?: string | undefined },
): boolean {
  const { places = [], folderVariable = '' } = HOSTS[host].hooks.commands ?? {}
  const own = environmentVariable(folderVariable)
  const files = places.flatMap(place => {
    const file = place.replace('%', name)
    const folders = [...new Set([cwd, root, os.homedir()])].map(folder => path.join(folder, file))
    return own === undefined ? folders : [...folders, path.join(own, file.replace(/^\.\w+\//, ''))]
  })
  return files.every(isOursOrAbsent)
}

function isOursOrAbsent(file: string): boolean {
  // Dotfiles managers use links.
  const real = nodeDisk.realPath(file)
  if (real === undefined) return true
  const read = nodeDisk.readPlain(real, MAX_BYTES)
  if (read === undefined) return true
  return (
    read !== 'link' && read.kind === 'read' && new TextDecoder().decode(read.bytes).includes(COMMAND_MARKER)
  )
}
