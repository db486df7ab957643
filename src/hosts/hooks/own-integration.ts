import type { HostId } from '../../kernel/model/host.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { userFolder } from '../../kernel/system/user-folder.ts'
import { isFields, ownField, parseFields } from './decide/payload-fields.ts'

const MAX_RECORDS = 200
const MAX_RECORD_BYTES = 1_048_576

/** Whether Cairn was installed into a host, for this user or in this project, according to the records of the installer. */
export function hasIntegration(host: HostId, root: string): boolean {
  const folder = `${userFolder()}/installs`
  return (nodeDisk.listFolder(folder) ?? [])
    .slice(0, MAX_RECORDS)
    .filter(({ name }) => name.endsWith('.json'))
    .some(({ name }) => ownersIn(`${folder}/${name}`).some(owner => isOwnerOf(owner, host, root)))
}

export function isOwnerOf(owner: unknown, host: HostId, root: string): boolean {
  if (!isFields(owner) || ownField(owner, 'host') !== host) return false
  return ownField(owner, 'level') === 'user' || ownField(owner, 'project') === root
}

function ownersIn(file: string): readonly unknown[] {
  const read = nodeDisk.readPlain(file, MAX_RECORD_BYTES)
  if (read === undefined || read === 'link' || read.kind !== 'read') return []
  const owners = ownField(parseFields(new TextDecoder().decode(read.bytes)) ?? {}, 'owners')
  return Array.isArray(owners) ? owners : []
}
