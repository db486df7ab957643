import * as os from 'node:os'
import * as path from 'node:path'
import type { HostId } from '../../kernel/model/host.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { environmentVariable } from '../../kernel/system/environment.ts'
import { COMMAND_MARKER } from '../install/decide/command-files.ts'

const MAX_BYTES = 65_536

/** Where a host looks for a command of this name, in a project or in the user's folder of it. */
const PLACES: Readonly<Partial<Record<HostId, readonly string[]>>> = {
  'claude-code': ['.claude/commands/%.md', '.claude/skills/%/SKILL.md'],
  codex: ['.codex/skills/%/SKILL.md', '.agents/skills/%/SKILL.md'],
}
const FOLDERS: Readonly<Partial<Record<HostId, string>>> = {
  'claude-code': 'CLAUDE_CONFIG_DIR',
  codex: 'CODEX_HOME',
}

/** False: the user has a command of this name that is not ours, and means that one. */
export function isOurs(
  host: HostId,
  name: string,
  { root, cwd = root }: { readonly root: string; readonly cwd?: string | undefined },
): boolean {
  const own = environmentVariable(FOLDERS[host] ?? '')
  const files = (PLACES[host] ?? []).flatMap(place => {
    const file = place.replace('%', name)
    const folders = [...new Set([cwd, root, os.homedir()])].map(folder => path.join(folder, file))
    return own === undefined ? folders : [...folders, path.join(own, file.replace(/^\.\w+\//, ''))]
  })
  return files.every(isOursOrAbsent)
}

function isOursOrAbsent(file: string): boolean {
  // Dotfiles managers put links there.
  const real = nodeDisk.realPath(file)
  if (real === undefined) return true
  const read = nodeDisk.readPlain(real, MAX_BYTES)
  if (read === undefined) return true
  return (
    read !== 'link' && read.kind === 'read' && new TextDecoder().decode(read.bytes).includes(COMMAND_MARKER)
  )
}
