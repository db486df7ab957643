import type { Disk } from '../../kernel/system/disk.ts'

/** The old bytes or the new ones, never half: git reads the file whatever became of us. */
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
