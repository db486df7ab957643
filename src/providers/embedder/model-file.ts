import { CairnError } from '../../kernel/model/errors.ts'
import { openRandomAccessFile, type RandomAccessFile } from '../../kernel/system/random-access-file.ts'
import type { PieceTable } from '../../kernel/text/wordpiece.ts'

const MAGIC = 'CAIRNEMB'
const FORMAT_VERSION = 1
const HEADER_BYTES = 128
const NUMBERS_AT = 8
const MODEL_AT = 72
const CHECKSUM_AT = HEADER_BYTES - 4

/** The file built by embedding-model/build-model.mjs. It is used as stored; nothing is parsed. */
export interface ModelFile {
  readonly model: string
  readonly dimensions: number
  readonly maxTokens: number
  /** WebAssembly. */
  readonly program: Uint8Array<ArrayBuffer>
  readonly pieces: PieceTable
  readonly encoderBytes: number
  readEncoder(into: Uint8Array): void
  readonly rowBytes: number
  /** The row of a token: a cold process reads only the rows of its text, not eleven megabytes. */
  readRow(id: number, into: Uint8Array): void
  close(): void
}

interface Part {
  readonly offset: number
  readonly bytes: number
}

export function openModelFile(path: string): ModelFile {
  const file = openRandomAccessFile(path)
  if (file === undefined) throw unavailable(`${path} is not there`)
  try {
    return readModelFile(file, path)
  } catch (error) {
    file.close()
    throw error instanceof CairnError ? error : unavailable(`${path} cannot be read`, error)
  }
}

function readModelFile(file: RandomAccessFile, path: string): ModelFile {
  if (file.size < HEADER_BYTES) throw unavailable(`${path} is cut off`)
  const header = new Uint8Array(HEADER_BYTES)
  file.read(header, 0)
  if (asText(header, 0, MAGIC.length) !== MAGIC) throw unavailable(`${path} is no model file`)
  const [format = 0, dimensions = 0, pieceCount = 0, maxTokens = 0, ...rest] = new Uint32Array(
    header.buffer,
    NUMBERS_AT,
    (MODEL_AT - NUMBERS_AT) / 4,
  )
  if (format !== FORMAT_VERSION) {
    throw unavailable(`${path} has format ${format}, and this version of Cairn reads ${FORMAT_VERSION}`)
  }
  // All offsets come from these numbers. npm verified the rest: checking it again would take longer than using it.
  if (checksum(header.subarray(0, CHECKSUM_AT)) !== new DataView(header.buffer).getInt32(CHECKSUM_AT, true)) {
    throw unavailable(`${path} is damaged`)
  }
  const [program, vocabulary, encoder, rows] = [0, 2, 4, 6].map(i => ({
    offset: rest[i] ?? 0,
    bytes: rest[i + 1] ?? 0,
  })) as [Part, Part, Part, Part]
  const [slotCount = 0, longestPiece = 0] = rest.slice(8)
  if (file.size < rows.offset + rows.bytes) throw unavailable(`${path} is cut off`)

  // One read for the two small parts, which are adjacent.
  const start = new Uint8Array(vocabulary.offset + vocabulary.bytes - program.offset)
  file.read(start, program.offset)
  const table = vocabulary.offset - program.offset
  const starts = table + slotCount * 2
  const units = starts + (pieceCount + 1) * 4
  const rowBytes = rows.bytes / pieceCount
  return {
    model: asText(header, MODEL_AT, CHECKSUM_AT),
    dimensions,
    maxTokens,
    program: start.subarray(0, program.bytes),
    pieces: {
      slots: new Uint16Array(start.buffer, table, slotCount),
      starts: new Uint32Array(start.buffer, starts, pieceCount + 1),
      units: new Uint16Array(start.buffer, units, (start.length - units) / 2),
      longestPiece,
    },
    encoderBytes: encoder.bytes,
    readEncoder: into => file.read(into, encoder.offset),
    rowBytes,
    readRow: (id, into) => file.read(into, rows.offset + id * rowBytes),
    close: () => file.close(),
  }
}

/** FNV-1a. */
function checksum(bytes: Uint8Array): number {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5)
}

/** Up to the first zero byte. */
function asText(bytes: Uint8Array, start: number, end: number): string {
  const zero = bytes.indexOf(0, start)
  return String.fromCharCode(...bytes.subarray(start, zero === -1 ? end : Math.min(zero, end)))
}

export function unavailable(why: string, cause?: unknown): CairnError {
  return new CairnError({
    code: 'embedder_unavailable',
    message: `The built-in embedding model cannot be used: ${why}.`,
    hint: 'Install cairn-memory again (in a checkout: npm run build). Search by words works without it.',
    ...(cause === undefined ? {} : { cause }),
  })
}
