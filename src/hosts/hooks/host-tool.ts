import type { HostId } from '../../kernel/model/host.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { userFolder } from '../../kernel/system/user-folder.ts'
import { readInstalledCalls } from '../install/decide/installed-calls.ts'
import { isFields, ownField, type PayloadFields, parseFields, textField } from './decide/payload-fields.ts'
import { isOwnerOf } from './own-integration.ts'

const MAX_RECORDS = 200
const MAX_RECORD_BYTES = 1_048_576
/** Claude Code stores its state in the file with the servers. */
const MAX_CONFIG_BYTES = 32 * 1_048_576
/** The user denies our tools in Claude Code's settings. */
const DENIED = /"deny"\s*:\s*\[[^\]]*"mcp__cairn(?:__\*|__remember)?"/

/**
 * Whether the agent of this host can call `remember`: Cairn was installed there for this user or project, its server is still in the host's
 * file, and the user does not deny its tools.
 */
export function hasRememberTool(host: HostId, root: string): boolean {
  const folder = `${userFolder()}/installs`
  const texts = (nodeDisk.listFolder(folder) ?? [])
    .slice(0, MAX_RECORDS)
    .filter(({ name }) => name.endsWith('.json'))
    .flatMap(({ name }): PayloadFields[] => {
      const record = parseFields(textAt(`${folder}/${name}`, MAX_RECORD_BYTES))
      return record === undefined ? [] : [record]
    })
    .filter(record => {
      const owners = ownField(record, 'owners')
      return Array.isArray(owners) && owners.some(owner => isFields(owner) && isOwnerOf(owner, host, root))
    })
    .flatMap(record => textField(record, 'path') ?? [])
    .map(path => ({ path, text: textAt(path, MAX_CONFIG_BYTES) }))
  if (texts.some(({ text }) => DENIED.test(text))) return false
  return texts.some(
    ({ path, text }) => text.includes('cairn') && readInstalledCalls(path, text).servers.length > 0,
  )
}

function textAt(path: string, maxBytes: number): string {
  // Dotfiles managers use links.
  const real = nodeDisk.realPath(path)
  const read = real === undefined ? undefined : nodeDisk.readPlain(real, maxBytes)
  return read !== undefined && read !== 'link' && read.kind === 'read'
    ? new TextDecoder().decode(read.bytes)
    : ''
}
