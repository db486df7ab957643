import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base'
import {
  costOf,
  features,
  readFeatures,
  SHARPNESS,
  scanPieces,
  TokenPiece,
  WEIGHT_COUNT,
  WEIGHT_LETTERS,
} from '../src/kernel/text/token-estimate.ts'

/**
 * Fits the weights of `src/kernel/text/token-weights.ts`. Not part of the build; run it by hand when the estimate changes:
 *
 *   npx rolldown bench/fit-token-weights.ts --platform node --format esm --file /tmp/fit.mjs
 *   node /tmp/fit.mjs src/kernel/text/token-weights.ts <folder of texts>…
 *
 * The committed weights came from READMEs of Brazilian npm packages and TypeScript 5.6's Portuguese messages (given four times),
 * Python's help topics and half of node_modules' Markdown (twice), the same half of its source and Python's library, and
 * TypeScript's Spanish, French, Italian and German messages. `bench/tokens.ts` measures on the other half.
 *
 * A folder holds one language class; each class weighs the same, however much text it has. Least squares on
 * `costOf` by Adagrad, pieces weighted by how often they occur, a little ridge, then rounded to sixteenths.
 */
interface Sample {
  readonly features: readonly number[]
  readonly tokens: number
  weight: number
}

const ROUNDS = 60
const RATE = 0.15
const RIDGE = 1e-7
const [target = '', ...folders] = process.argv.slice(2)

const samples = folders.flatMap(folder => {
  const samplesByPiece = new Map<string, Sample>()
  let total = 0
  for (const file of readdirSync(folder)) {
    if (!statSync(path.join(folder, file)).isFile()) continue
    const text = readFileSync(path.join(folder, file), 'utf8')
    scanPieces(text, (kind, start, end) => {
      if (kind === TokenPiece.Fixed || end - start < 2) return
      const piece = text.slice(start, end)
      total += 1
      const known = samplesByPiece.get(piece)
      if (known !== undefined) {
        known.weight += 1
        return
      }
      const count = readFeatures(text, kind, start, end)
      const tokens = (encodeO200k(piece).length + encodeCl100k(piece).length) / 2
      samplesByPiece.set(piece, { features: [...features.slice(0, count)], tokens, weight: 1 })
    })
  }
  process.stderr.write(`${folder}: ${total} pieces, ${samplesByPiece.size} different\n`)
  return [...samplesByPiece.values()].map(sample => ({ ...sample, weight: (sample.weight / total) * 1e5 }))
})

const weights = new Float64Array(WEIGHT_COUNT)
const squares = new Float64Array(WEIGHT_COUNT).fill(1e-6)
let order = 1
for (let round = 0; round < ROUNDS; round += 1) {
  let loss = 0
  let bias = 0
  for (let i = 0; i < samples.length; i += 1) {
    // A full cycle in a fixed order that jumps about: 7919 is prime to any length it does not divide.
    order = (order + 7_919) % samples.length
    const sample = samples[order]
    if (sample === undefined) continue
    let z = 0
    for (const feature of sample.features) z += weights[feature] ?? 0
    const error = costOf(z) - sample.tokens
    const slope = 1 / (1 + Math.exp(-SHARPNESS * z))
    const { weight } = sample
    loss += sample.weight * error * error
    bias += sample.weight * error
    for (const feature of sample.features) {
      const gradient = weight * error * slope + RIDGE * (weights[feature] ?? 0)
      squares[feature] = (squares[feature] ?? 0) + gradient * gradient
      weights[feature] =
        (weights[feature] ?? 0) -
        ((RATE * gradient) / Math.sqrt(squares[feature] ?? 1)) * (1 - round / ROUNDS)
    }
  }
  if (round % 10 === 9)
    process.stderr.write(`round ${round + 1}: loss ${loss.toFixed(0)} bias ${bias.toFixed(0)}\n`)
}

const letters = Array.from(
  weights,
  weight => WEIGHT_LETTERS[Math.max(0, Math.min(63, Math.round(weight * 16) + 32))],
).join('')
const lines = letters.match(/.{1,100}/g) ?? []
writeFileSync(
  target,
  `/** Made by \`bench/fit-token-weights.ts\`; read by \`token-estimate.ts\`. One letter a weight. */
export const TOKEN_WEIGHTS = [
${lines.map(line => `  '${line}',`).join('\n')}
].join('')
`,
)
