import * as path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { ColdCopies, ColdCopy, CopiedMessage, CopyPart } from '../../features/cold/decide/ports.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { isTranscriptHost, type Transcript } from '../../kernel/model/transcript.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { asStorageError, type Disk } from '../../kernel/system/disk.ts'
import { replaceFile } from './safe-path.ts'

/** The maximum size of an unpacked part: a larger one is damaged or malicious. */
const MAX_BYTES = 64 * 1024 * 1024
const HEAD = 'copy.json'

/**
 * `~/.cairn/cold/<project>/<host>/<session>/`: `copy.json` has the source and the number of messages, `<n>.jsonl.gz` has the messages from
 * the nth on. A part is written before the head that counts it, so a killed process leaves the copy unchanged.
 */
export function coldFolder({
  folder,
  disk,
  clock,
}: {
  readonly folder: string
  readonly disk: Disk
  readonly clock: Clock
}): ColdCopies {
  const placeOf = ({ host, session }: Pick<Transcript, 'host' | 'session'>) =>
    path.join(folder, host, textHash(session))
  const storing = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw asStorageError(error, `${folder}`)
    }
  }
  const partsIn = (place: string) =>
    (disk.listFolder(place) ?? [])
      .flatMap(({ name }) => {
        const from = /^(\d{1,9})\.jsonl\.gz$/.exec(name)?.[1]
        return from === undefined ? [] : [{ file: path.join(place, name), from: Number(from) }]
      })
      .sort((a, b) => a.from - b.from)
  const load = (place: string): ColdCopy | 'damaged' | undefined => {
    const bytes = disk.readFile(path.join(place, HEAD))
    if (bytes === undefined) return undefined
    const head = parseHead(new TextDecoder().decode(bytes))
    if (head === undefined) return 'damaged'
    const size = partsIn(place).reduce((sum, { file }) => sum + (disk.stamp(file)?.size ?? 0), bytes.length)
    return { ...head, bytes: size }
  }
  const copies: ColdCopies = {
    async list() {
      const found: ColdCopy[] = []
      const problems: Problem[] = []
      for (const host of disk.listFolder(folder) ?? [])
        for (const { name } of disk.listFolder(path.join(folder, host.name)) ?? []) {
          const place = path.join(folder, host.name, name)
          const copy = load(place)
          if (copy === 'damaged') problems.push(damaged(place))
          else if (copy !== undefined) found.push(copy)
        }
      return { copies: found, problems, folder }
    },
    async find(transcript) {
      const copy = load(placeOf(transcript))
      return copy === 'damaged' ? undefined : copy
    },
    async add(transcript, from, lines) {
      storing(() => {
        const place = placeOf(transcript)
        if (lines.length > 0) {
          const text = lines.map(line => `${JSON.stringify(line)}\n`).join('')
          replaceFile(disk, path.join(place, `${from}.jsonl.gz`), gzipSync(text), clock.random(1e9))
        }
        const { isKept: _, ...known } = transcript
        const head = { version: 1, transcript: known, messages: from + lines.length }
        replaceFile(disk, path.join(place, HEAD), `${JSON.stringify(head)}\n`, clock.random(1e9))
      })
    },
    async *read(transcript) {
      let next = 0
      let done = 0
      for (const { file } of partsIn(placeOf(transcript))) {
        const bytes = disk.readFile(file)
        if (bytes === undefined) continue
        done += bytes.length
        const text = unpacked(bytes)
        if (text === undefined) yield { done, trouble: damagedPart(file) }
        for (const kept of linesIn(text ?? '')) {
          // Two processes may have stored the same messages in parts of different length.
          if (kept.number < next) continue
          next = kept.number + 1
          yield { done, kept }
        }
      }
    },
    async remove(transcript) {
      storing(() => disk.removeFolder(placeOf(transcript)))
    },
  }
  return copies
}

function* linesIn(unpackedText: string): Iterable<CopiedMessage> {
  for (const text of unpackedText.split('\n')) {
    const line = text === '' ? undefined : (parsed(text) as Partial<CopiedMessage> | undefined)
    if (typeof line?.number === 'number' && typeof line.line === 'number' && isMessage(line.message))
      yield line as CopiedMessage
  }
}

/** undefined: it is damaged. The other parts are read. */
function unpacked(bytes: Uint8Array): string | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES }).toString('utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(?:Z_|ERR_)/.test(String(error.code))) return undefined
    throw error
  }
}

function damagedPart(file: string): NonNullable<CopyPart['trouble']> {
  return { code: 'copy_damaged', message: `${file} cannot be unpacked.` }
}

function isMessage(value: unknown): boolean {
  const message = value as { role?: unknown; text?: unknown } | null | undefined
  return typeof message?.role === 'string' && typeof message.text === 'string'
}

function parseHead(text: string): Omit<ColdCopy, 'bytes'> | undefined {
  const head = parsed(text) as { transcript?: Transcript; messages?: unknown } | undefined
  const { transcript, messages } = head ?? {}
  if (typeof messages !== 'number' || typeof transcript?.session !== 'string') return undefined
  if (!isTranscriptHost(transcript.host) || typeof transcript.file !== 'string') return undefined
  return { transcript, messages }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function damaged(place: string): Problem {
  return {
    code: 'cold_copy_damaged',
    path: place,
    message: `${place} is a damaged copy of a transcript; it is not searched.`,
    hint: 'Remove the folder; while the host still has the transcript, `cairn import sync` copies it again.',
  }
}
