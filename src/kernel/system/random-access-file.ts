import * as fs from 'node:fs'
import { absentAsUndefined } from './disk.ts'

/** A file that is read in parts, directly into their target. */
export interface RandomAccessFile {
  readonly size: number
  /** Fills `into` with the bytes at `position`; throws if the file ends before. */
  read(into: Uint8Array, position: number): void
  close(): void
}

/** undefined if the file does not exist. */
export function openRandomAccessFile(file: string): RandomAccessFile | undefined {
  const fd = absentAsUndefined(() => fs.openSync(file, 'r'))
  if (fd === undefined) return undefined
  return {
    size: fs.fstatSync(fd).size,
    read(into, position) {
      for (let done = 0; done < into.length; ) {
        const bytes = fs.readSync(fd, into, done, into.length - done, position + done)
        if (bytes === 0) throw new Error(`${file} ends before byte ${position + into.length}`)
        done += bytes
      }
    },
    close: () => fs.closeSync(fd),
  }
}
