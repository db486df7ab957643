import * as fs from 'node:fs'

/** The content of an open file in chunks; closes it at the end. */
export function* chunksOf(fd: number, chunkBytes: number): Iterable<Uint8Array> {
  try {
    for (;;) {
      const chunk = new Uint8Array(chunkBytes)
      const length = fs.readSync(fd, chunk, 0, chunkBytes, null)
      if (length === 0) return
      yield chunk.subarray(0, length)
    }
  } finally {
    fs.closeSync(fd)
  }
}

export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) {
    offset += fs.writeSync(fd, bytes, offset, bytes.length - offset)
  }
}
