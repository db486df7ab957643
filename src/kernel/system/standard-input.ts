import * as fs from 'node:fs'
import { errnoOf, pauseMs } from './disk.ts'

const CHUNK_BYTES = 65_536
const MAX_PAUSE_MS = 8

interface InputLimits {
  readonly maxBytes: number
  /** Milliseconds; input that arrives later is ignored. */
  readonly withinMs: number
}

/**
 * Reads from another program, up to a size and a time limit: it may never close our standard input. A file or a pipe is read directly,
 * because Node's stream costs a fifth of a bare start; a socket or a terminal is read by that stream.
 */
export function readBoundedInput(limits: InputLimits): Promise<Buffer> | Buffer {
  const stat = fs.fstatSync(0)
  if (stat.isFile()) return readUpTo(0, limits)
  if (stat.isFIFO() && process.platform === 'linux') {
    // The same pipe, opened again as non-blocking: the descriptor that we were given may be shared.
    const fd = openPipe()
    if (fd !== undefined)
      try {
        return readUpTo(fd, limits)
      } finally {
        fs.closeSync(fd)
      }
  }
  return readStream(limits)
}

function openPipe(): number | undefined {
  try {
    return fs.openSync('/proc/self/fd/0', fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}

function readUpTo(fd: number, { maxBytes, withinMs }: InputLimits): Buffer {
  const endMs = performance.now() + withinMs
  const chunks: Buffer[] = []
  let length = 0
  for (let pause = 1; length < maxBytes; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const read = readNow(fd, chunk)
    if (read === 0) break
    if (read === undefined) {
      const leftMs = endMs - performance.now()
      if (leftMs <= 0) break
      pauseMs(Math.min(pause, leftMs))
      pause = Math.min(pause * 2, MAX_PAUSE_MS)
      continue
    }
    chunks.push(chunk.subarray(0, read))
    length += read
  }
  return Buffer.concat(chunks, Math.min(length, maxBytes))
}

/** undefined: no data yet. */
function readNow(fd: number, chunk: Buffer): number | undefined {
  try {
    return fs.readSync(fd, chunk, 0, chunk.length, null)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === 'EAGAIN') return undefined
    if (errno === 'EOF') return 0
    throw error
  }
}

function readStream({ maxBytes, withinMs }: InputLimits): Promise<Buffer> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let length = 0
    const done = () => {
      clearTimeout(timer)
      process.stdin.removeAllListeners()
      process.stdin.on('error', () => undefined)
      process.stdin.pause()
      process.stdin.destroy()
      resolve(Buffer.concat(chunks, Math.min(length, maxBytes)))
    }
    // On a busy machine the time may be up before the first read: data that is available is read first.
    const timer = setTimeout(() => setImmediate(() => setImmediate(done)), withinMs)
    process.stdin.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxBytes) done()
    })
    process.stdin.on('end', done)
    process.stdin.on('error', done)
  })
}

/** Writes to our standard output without Node's stream. The reader may be gone, or slow: text that it has not read in time is dropped. */
export function writeStandardOutput(text: string, withinMs: number): void {
  const bytes = Buffer.from(text)
  const endMs = performance.now() + withinMs
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += fs.writeSync(1, bytes, offset)
    } catch (error) {
      const errno = errnoOf(error)
      if (errno !== 'EAGAIN') {
        if (errno === undefined) throw error
        return
      }
      if (performance.now() >= endMs) return
      pauseMs(1)
    }
  }
}
