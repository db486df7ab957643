import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pieceIds } from '../src/kernel/text/wordpiece.ts'
import { openBuiltInEmbedder } from '../src/providers/embedder/built-in-embedder.ts'
import { embedMany } from '../src/providers/embedder/embed-many.ts'
import { openModelFile } from '../src/providers/embedder/model-file.ts'
import { cosine, openReferenceEncoder } from '../test/support/reference-encoder.ts'
import type { Bench } from './bench.ts'
import { cpuOfNodeRuns, plainEnvironment } from './child-cpu.ts'
import { check } from './report.ts'
import { median, roundTo } from './statistics.ts'
import { entryAt } from './synthetic-corpus.ts'

const run = promisify(execFile)
const modelFolder = fileURLToPath(new URL('../dist/model', import.meta.url))
const onceScript = fileURLToPath(new URL('embed-once.js', import.meta.url))

const PROMPT = 'why does the upload retry forever?'
const PAGE = Array.from({ length: 30 }, (_, i) => entryAt(i).text).join(' ')
const FIRST_VECTOR_MS = 30
const MEMORY_MB = 80
const COSINE = 0.999

export const embedBench: Bench = {
  name: 'embed',
  summary:
    'the embedding model in the package: first vector of a fresh process, time a text, memory, agreement',
  async run({ isQuick, progress }) {
    progress('embed: fresh processes')
    const cold = await measureCold(isQuick ? 3 : 25)
    progress('embed: texts')
    const texts = await measureTexts(isQuick ? 3 : 20)
    progress('embed: agreement with the model in full precision')
    const agreement = await measureAgreement(isQuick)
    progress('embed: threads')
    const threads = await measureThreads(isQuick ? 24 : 240)
    return {
      data: { cold, texts, agreement, threads },
      checks: [
        check('import to first vector, CPU ms (median)', cold.firstVectorCpuMs, 'at most', FIRST_VECTOR_MS),
        check('memory for a page of 256 tokens, MB', cold.memoryOfPageMb, 'at most', MEMORY_MB),
        check('lowest cosine to full precision', agreement.lowestCosine, 'at least', COSINE),
      ],
      tables: [
        { title: 'A fresh process', rows: Object.entries(cold) },
        {
          title: 'A text, once warm',
          rows: [
            ['', 'CPU ms', 'ms', 'ms (best)'],
            ...texts.map(t => [t.name, t.cpuMs, t.wallMs, t.bestWallMs]),
          ],
        },
        {
          title: 'Many texts of 40 tokens',
          rows: [
            ['threads', 'texts a second', 'times one thread'],
            ...threads.map(t => [t.workers, t.textsPerSecond, t.ratio]),
          ],
        },
      ],
    }
  },
}

interface Once {
  readonly wallMs: number
  readonly cpuMs: number
  readonly memoryMb: number
}

async function measureCold(rounds: number) {
  const prompts: Once[] = []
  const pages: Once[] = []
  const nodeMs: number[] = []
  const wholeMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    prompts.push(await embedOnce(PROMPT, 64))
    pages.push(await embedOnce(PAGE, 256))
    nodeMs.push(await cpuOfNodeRuns([['-e', '0']]))
    wholeMs.push(await cpuOfNodeRuns([[onceScript, modelFolder, PROMPT, '64']]))
  }
  const middle = (values: readonly number[]) => roundTo(1, median(values))
  return {
    firstVectorWallMs: middle(prompts.map(once => once.wallMs)),
    firstVectorCpuMs: middle(prompts.map(once => once.cpuMs)),
    firstVectorBestMs: roundTo(1, Math.min(...prompts.map(once => once.wallMs))),
    nodeCpuMs: middle(nodeMs),
    processCpuMs: middle(wholeMs),
    timesNode: roundTo(2, median(wholeMs) / median(nodeMs)),
    memoryOfPromptMb: middle(prompts.map(once => once.memoryMb)),
    memoryOfPageMb: middle(pages.map(once => once.memoryMb)),
  }
}

async function embedOnce(text: string, maxTokens: number): Promise<Once> {
  const { stdout } = await run(process.execPath, [onceScript, modelFolder, text, String(maxTokens)], {
    env: plainEnvironment(),
  })
  return JSON.parse(stdout) as Once
}

async function measureTexts(rounds: number) {
  const embedder = openBuiltInEmbedder(modelFolder)
  const figures = []
  for (const maxTokens of [10, 40, 230]) {
    const wallMs: number[] = []
    const cpuMs: number[] = []
    for (let round = -2; round < rounds; round++) {
      const cpuBefore = process.cpuUsage()
      const start = performance.now()
      await embedder.embed([PAGE], { maxTokens })
      const wall = performance.now() - start
      const cpu = process.cpuUsage(cpuBefore)
      // The first two compile.
      if (round < 0) continue
      wallMs.push(wall)
      cpuMs.push((cpu.user + cpu.system) / 1000)
    }
    figures.push({
      name: `${maxTokens} tokens`,
      cpuMs: roundTo(2, median(cpuMs)),
      wallMs: roundTo(2, median(wallMs)),
      bestWallMs: roundTo(2, Math.min(...wallMs)),
    })
  }
  await embedder.close()
  return figures
}

async function measureAgreement(isQuick: boolean) {
  const embedder = openBuiltInEmbedder(modelFolder)
  const file = openModelFile(path.join(modelFolder, 'minilm.bin'))
  const reference = openReferenceEncoder()
  const texts = ['', PROMPT, ...Array.from({ length: isQuick ? 2 : 12 }, (_, i) => entryAt(i * 7).text)]
  const cosines: number[] = []
  for (const text of texts) {
    const [vector = new Float32Array()] = await embedder.embed([text])
    cosines.push(cosine(vector, reference(pieceIds(text, file.pieces, file.maxTokens))))
  }
  file.close()
  await embedder.close()
  return {
    texts: texts.length,
    lowestCosine: roundTo(5, Math.min(...cosines)),
    medianCosine: roundTo(5, median(cosines)),
  }
}

async function measureThreads(count: number) {
  const texts = Array.from({ length: count }, (_, i) => `${entryAt(i).text} ${PAGE}`)
  const figures: { workers: number; textsPerSecond: number; ratio: number }[] = []
  for (const workers of new Set([1, 2, availableParallelism()])) {
    const start = performance.now()
    await embedMany(texts, { modelFolder, workers, maxTokens: 40 })
    const textsPerSecond = count / ((performance.now() - start) / 1000)
    const one = figures[0]?.textsPerSecond ?? textsPerSecond
    figures.push({
      workers,
      textsPerSecond: roundTo(1, textsPerSecond),
      ratio: roundTo(2, textsPerSecond / one),
    })
  }
  return figures
}
