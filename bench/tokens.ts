import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { estimateTokens } from '../src/kernel/text/token-estimate.ts'
import type { Bench } from './bench.ts'
import { type Check, check } from './report.ts'
import { mean, percentile, roundTo } from './statistics.ts'
import { OTHER_TEXTS, PORTUGUESE_TEXTS } from './token-texts.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const GOAL_ERROR = 0.1
/** The classes that the goal is stated for. */
const JUDGED = ['english', 'portuguese', 'code']
const MAX_FILES_PER_CLASS = 200
const MIN_FILE_LENGTH = 1_500
const MAX_FILE_LENGTH = 60_000

type CountTokens = (text: string) => number

/** Loaded here and not at the top: the tables are megabytes, and the other benches do not need them. */
async function loadTokenizers(): Promise<Record<string, CountTokens>> {
  const o200k = await import('gpt-tokenizer/encoding/o200k_base')
  const cl100k = await import('gpt-tokenizer/encoding/cl100k_base')
  // Our own tests have `<|im_start|>` in them; it is text like any other.
  const asText = { disallowedSpecial: new Set<string>() }
  return {
    o200k: text => o200k.encode(text, asText).length,
    cl100k: text => cl100k.encode(text, asText).length,
  }
}

interface Figure {
  readonly texts: number
  readonly tokens: number
  /** Of all texts together: how far a budget would be off. */
  readonly meanSignedError: number
  /** Of one text. */
  readonly p95AbsoluteError: number
}

export const tokensBench: Bench = {
  name: 'tokens',
  summary: 'the token estimate against byte-pair tokenizers, on texts that it was not fitted to',
  async run(context) {
    const tokenizers = await loadTokenizers()
    const textsByClass = await heldOutTexts(context.isQuick ? 20 : MAX_FILES_PER_CLASS)
    const classes: Record<string, Record<string, Figure>> = {}
    const checks: Check[] = []
    for (const [name, texts] of Object.entries(textsByClass)) {
      context.progress(`tokens: ${name}, ${texts.length} texts`)
      const figures: Record<string, Figure> = {}
      for (const [tokenizer, count] of Object.entries(tokenizers)) {
        const figure = compare(texts, count)
        figures[tokenizer] = figure
        if (JUDGED.includes(name))
          checks.push(
            check(
              `${name}, ${tokenizer}: mean error, absolute`,
              Math.abs(figure.meanSignedError),
              'at most',
              GOAL_ERROR,
            ),
          )
      }
      classes[name] = figures
    }
    const millisPerMegabyte = timeOf('A token estimate reads every character once. '.repeat(23_000))
    const rows = Object.entries(classes).flatMap(([name, figures]) =>
      Object.entries(figures).map(([tokenizer, figure]) => [
        name,
        tokenizer,
        figure.texts,
        figure.tokens,
        figure.meanSignedError,
        figure.p95AbsoluteError,
      ]),
    )
    return {
      data: { classes, millisPerMegabyte },
      checks,
      tables: [
        {
          title: 'The estimate against each tokenizer',
          rows: [
            ['class', 'tokenizer', 'texts', 'tokens', 'mean signed error', 'p95 absolute error'],
            ...rows,
          ],
        },
        { title: 'Speed', rows: [['milliseconds per megabyte', millisPerMegabyte]] },
      ],
    }
  },
}

function compare(texts: readonly string[], count: CountTokens): Figure {
  let estimated = 0
  let counted = 0
  const errors = texts.map(text => {
    const estimate = estimateTokens(text)
    const tokens = count(text)
    estimated += estimate
    counted += tokens
    return Math.abs(estimate / tokens - 1)
  })
  return {
    texts: texts.length,
    tokens: counted,
    meanSignedError: roundTo(4, estimated / counted - 1),
    p95AbsoluteError: roundTo(4, percentile(errors, 0.95)),
  }
}

function timeOf(text: string): number {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    estimateTokens(text)
    return performance.now() - start
  })
  return roundTo(1, (mean(times) / text.length) * 1e6)
}

/** Half of the files of node_modules, by a hash of their path; the fit took the other half. The repository's are all held out. */
async function heldOutTexts(most: number): Promise<Record<string, string[]>> {
  const modules = path.join(repository, 'node_modules')
  const english: string[] = []
  const code: string[] = []
  const portugueseReadmes: string[] = []
  const files = (await readdir(modules, { recursive: true })).map(file => file.split(path.sep).join('/'))
  for (const file of files.sort()) {
    const isProse = /\.md$/i.test(file) && !/readme\.[a-z]{2}[.-]/i.test(file)
    const isCode = /\.(ts|js|mjs|cjs)$/.test(file) && !/\.min\.|gpt-tokenizer\/(data|esm|cjs)/.test(file)
    const isPortuguese = /readme\.pt/i.test(file)
    if (!isPortuguese && !(isHeldOut(file) && (isProse || isCode))) continue
    const text = await readMiddling(path.join(modules, file))
    if (text === undefined) continue
    if (isPortuguese) portugueseReadmes.push(text)
    else if (isProse && english.length < most) english.push(text)
    else if (isCode && code.length < most) code.push(text)
  }
  return {
    english,
    'our documents': await textsUnder(['docs'], /\.md$/),
    portuguese: [...PORTUGUESE_TEXTS],
    'portuguese readmes': portugueseReadmes,
    code,
    'our code': (await textsUnder(['src', 'test', 'bench'], /\.ts$/)).slice(0, most),
    ...Object.fromEntries(Object.entries(OTHER_TEXTS).map(([language, text]) => [language, [text]])),
  }
}

function isHeldOut(file: string): boolean {
  return (createHash('sha256').update(file).digest()[0] ?? 0) % 2 === 1
}

async function readMiddling(file: string): Promise<string | undefined> {
  const { size } = await stat(file)
  return size >= MIN_FILE_LENGTH && size <= MAX_FILE_LENGTH ? readFile(file, 'utf8') : undefined
}

async function textsUnder(folders: readonly string[], pattern: RegExp): Promise<string[]> {
  const texts: string[] = []
  for (const folder of folders) {
    for (const file of (await readdir(path.join(repository, folder), { recursive: true })).sort()) {
      if (!pattern.test(file)) continue
      const text = await readMiddling(path.join(repository, folder, file))
      if (text !== undefined) texts.push(text)
    }
  }
  return texts
}
