import { createHash, type Hash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

interface LinesWriter {
  /** Waits if the disk is slower than the caller. */
  write(text: string): Promise<void>
  /** The hash of all lines so far, each with its line break. */
  digest(): string
  /** Puts the file in place, complete and fsynced. Returns its size. */
  finish(): Promise<number>
  /** Removes the temporary file. */
  abandon(): Promise<void>
}

/** Only the user may read a backup: it contains everything. */
const PRIVATE = 0o600
const TEMPORARY = '.cairn-tmp'

/** Compressed lines, in a temporary file next to the target until they are complete. */
export async function openLinesWriter(file: string): Promise<LinesWriter> {
  const temporary = `${file}.${process.pid}${TEMPORARY}`
  const handle = await fs.promises.open(temporary, 'wx', PRIVATE)
  const gzip = createGzip()
  const hash = createHash('sha256')
  let failure: unknown
  const written = pipeline(gzip, handle.createWriteStream()).catch((error: unknown) => {
    failure = error
  })
  const check = () => {
    if (failure !== undefined) throw failure
  }
  return {
    async write(text) {
      check()
      const bytes = Buffer.from(`${text}\n`)
      hash.update(bytes)
      if (gzip.write(bytes)) return
      await Promise.race([new Promise(resolve => gzip.once('drain', resolve)), written])
      check()
    },
    digest: () => digestOf(hash),
    async finish() {
      gzip.end()
      await written
      check()
      const size = await syncFile(temporary)
      await fs.promises.rename(temporary, file)
      await syncFolder(path.dirname(file))
      return size
    },
    async abandon() {
      gzip.destroy()
      await written
      await fs.promises.rm(temporary, { force: true })
    },
  }
}

const digestOf = (hash: Hash) => hash.copy().digest('hex')

/** The stream closed its descriptor; fsync works on any descriptor of the file. */
async function syncFile(file: string): Promise<number> {
  const handle = await fs.promises.open(file, 'r+')
  try {
    await handle.sync()
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await fs.promises.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A line with the hash of all lines before it. */
interface ReadLine {
  readonly text: string
  before(): string
}

/** The message says why the file cannot be read. */
export class UnreadableLines extends Error {}

/** No line of a backup is longer; a file that has one is not a backup, whatever it would unpack to. */
const MAX_LINE_LENGTH = 96 * 1024 * 1024
const NEWLINE = 0x0a

/** Reads with bounded memory. Throws `UnreadableLines` if the file is not a backup or is incomplete. */
export async function* readCompressedLines(file: string): AsyncGenerator<ReadLine> {
  const source = fs.createReadStream(file)
  const unpacked = createGunzip()
  const hash = createHash('sha256')
  let waiting: Buffer[] = []
  let waitingBytes = 0
  // A failure of either stream ends the other; the loop below sees it.
  const flowing = pipeline(source, unpacked).catch(() => undefined)
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        const line = Buffer.concat([...waiting, chunk.subarray(from, at)])
        waiting = []
        waitingBytes = 0
        from = at + 1
        yield { text: line.toString('utf8'), before: () => digestOf(hash) }
        hash.update(line).update('\n')
      }
      waiting.push(chunk.subarray(from))
      waitingBytes += chunk.length - from
      if (waitingBytes > MAX_LINE_LENGTH)
        throw new UnreadableLines('one of its lines is longer than the maximum')
    }
    if (waitingBytes > 0) throw new UnreadableLines('it ends inside a line')
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (/^Z_/.test(code))
      throw new UnreadableLines('its compression is not that of a backup, or it is cut off')
    throw error
  } finally {
    source.destroy()
    unpacked.destroy()
    await flowing
  }
}
