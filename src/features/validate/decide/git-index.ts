const SIGNATURE = 0x44495243 // DIRC
const HEADER_BYTES = 12
/** Times, device, inode, mode, owner, size; the object's name and two bytes of flags follow. */
const STAT_BYTES = 40
const LONG_NAME = 0xfff
const EXTENDED = 0x4000

/**
 * The paths below `prefix` in git's list of tracked files (`.git/index`). undefined: it is not written in a way we know.
 *
 *   DIRC version count   then, an entry: 40 bytes of stat, the object's name, flags (their low 12 bits: how long the path is),
 *                        two more bytes of flags in version 3, the path; versions 2 and 3 pad to eight bytes,
 *                        version 4 says how much of the path before to drop and what to add
 *
 * A repository with SHA-256 has names of 32 bytes: told by its configuration, so the caller says it.
 */
export function trackedPaths(
  bytes: Uint8Array,
  prefix: string,
  nameBytes: 20 | 32 = 20,
): string[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES || view.getUint32(0) !== SIGNATURE) return undefined
  const version = view.getUint32(4)
  if (version < 2 || version > 4) return undefined
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Most checkouts hold thousands of files, and one look says that none of them is ours.
  if (version < 4 && !buffer.includes(prefix)) return []
  const wanted = Buffer.from(prefix, 'utf8').toString('latin1')
  const count = view.getUint32(8)
  const paths: string[] = []
  let before = ''
  let at = HEADER_BYTES
  for (let n = 0; n < count; n++) {
    const flagsAt = at + STAT_BYTES + nameBytes
    if (flagsAt + 2 > bytes.length) return undefined
    const flags = view.getUint16(flagsAt)
    let nameAt = flagsAt + 2 + (version >= 3 && (flags & EXTENDED) !== 0 ? 2 : 0)
    let dropped = 0
    if (version === 4) {
      const read = readVarint(bytes, nameAt)
      if (read === undefined) return undefined
      dropped = read.value
      nameAt = read.next
    }
    const length = flags & LONG_NAME
    const end = version < 4 && length < LONG_NAME ? nameAt + length : bytes.indexOf(0, nameAt)
    if (end < nameAt || end >= bytes.length) return undefined
    // One character a byte: what is dropped is counted in bytes.
    const name = buffer.toString('latin1', nameAt, end)
    const path: string = version === 4 ? before.slice(0, before.length - dropped) + name : name
    if (path.startsWith(wanted)) paths.push(Buffer.from(path.slice(wanted.length), 'latin1').toString('utf8'))
    before = path
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return paths
}

/** As git writes offsets: seven bits a byte, and one added for each byte that follows. */
function readVarint(bytes: Uint8Array, from: number): { value: number; next: number } | undefined {
  let value = 0
  for (let at = from; at < Math.min(bytes.length, from + 5); at++) {
    const byte = bytes[at] as number
    value = value * 128 + (byte & 0x7f)
    if ((byte & 0x80) === 0) return { value, next: at + 1 }
    value++
  }
  return undefined
}
