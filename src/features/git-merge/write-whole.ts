import type { Disk } from '../../kernel/system/disk.ts'

/** Writes the old bytes or the new ones, never half a file: git reads it even if this process dies. */
export function writeWhole(disk: Disk, file: string, bytes: Uint8Array): void {
  const temporary = `${file}.cairn-tmp`
  try {
    disk.writeFile(temporary, bytes)
    disk.rename(temporary, file)
  } catch (error) {
    disk.remove(temporary)
    throw error
  }
}
