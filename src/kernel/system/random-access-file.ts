import * as fs from 'node:fs'
import { absentAsUndefined } from './disk.ts'

/** A file of which parts are read, straight to where they are needed. */
export interface RandomAccessFile {
  readonly size: number
  /** Fills `into` with what lies at `position`; throws when the file ends before. */
  read(into: Uint8Array, position: number): void
  close(): void
}

/** undefined when there is no such file. */
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
