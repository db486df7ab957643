import { existsSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Message } from '../src/model/message.ts'
import { distil } from '../src/pipeline/distill/distil.ts'
import type { Bench, BenchContext } from './bench.ts'
import { seedRedact, withClosedTranscripts } from './closed-transcripts.ts'
import { DISTILL_SAMPLE, type SampleConversation } from './distill-sample.ts'
import { MORE_TO_TUNE_ON } from './distill-sample-more.ts'
import { MORE_TO_COUNT_ON } from './distill-sample-more-unseen.ts'
import { check } from './report.ts'
import { roundTo } from './statistics.ts'

/** A conversation with what a person would have kept of it, and what must not be kept. */
export interface Labelled {
  readonly name: string
  readonly messages: readonly Message[]
  readonly gold: readonly { readonly message: number; readonly category: string; readonly gist: string }[]
  readonly traps: readonly { readonly message: number; readonly text: string }[]
}

export interface Extracted {
  readonly message: number
  readonly category: string
  readonly text: string
}

export type Extractor = (conversation: Labelled) => readonly Extracted[]

const SAMPLES = [
  { name: 'own sample, dev', half: 'dev', isFirst: true },
  { name: 'own sample, held out', half: 'held-out', isFirst: true },
  { name: 'second sample, dev', half: 'dev', isFirst: false },
  { name: 'second sample, held out', half: 'held-out', isFirst: false },
] as const

export const distillBench: Bench = {
  name: 'distill',
  summary: 'sessions closed on transcripts: findings against what people marked, traps, secrets, conflicts',
  async run(context) {
    const given = readTranscripts(context.dataFolder)
    // Our own sample is distilled where that is done; the transcripts go the whole way through the library.
    const rules: Extractor = ({ messages }) => distil(messages).findings
    const samples = SAMPLES.map(({ name, half, isFirst }) => {
      const conversations = isFirst ? ownSample(half) : secondSample(half)
      return {
        name,
        isHeldOut: half === 'held-out',
        conversations,
        rules,
        overall: measure(conversations, rules),
        baseline: measure(conversations, seedPatterns),
      }
    })
    const main = given === undefined ? undefined : await measureGiven(context, given)
    const figures = main === undefined ? samples : [main, ...samples]
    return {
      data: {
        overall: main?.overall ?? null,
        baseline: main?.baseline ?? null,
        sample: Object.fromEntries(
          samples.map(({ name, overall, baseline }) => [name, { overall, baseline }]),
        ),
        // For a person to read. The held-out half is only counted.
        review: figures
          .filter(figure => !('isHeldOut' in figure && figure.isHeldOut))
          .flatMap(({ conversations, rules: extract }) =>
            conversations.map(conversation => reviewOf(conversation, extract)),
          ),
      },
      checks:
        main === undefined
          ? []
          : [
              check('precision', main.overall.precision, 'at least', 0.5),
              check('recall', main.overall.recall, 'at least', 0.5),
              check('traps stored', main.overall.trapsStored, 'at most', 0.2),
              check('secrets removed', main.overall.secretsRemoved, 'exactly', 1),
              check('lookalikes kept', main.overall.lookalikesKept, 'at least', 0.99),
            ],
      tables: [
        ...figures.map(({ name, conversations, overall, baseline }) => ({
          title: `${name}: ${conversations.length} conversations, ${overall.gold} to keep, ${overall.traps} traps`,
          rows: [
            ['', 'findings', 'right', 'precision', 'recall', 'F1', 'junk', 'traps stored'],
            ...[['rules', overall] as const, ["the seed's patterns", baseline] as const].map(
              ([who, each]) => [
                who,
                each.findings,
                each.right,
                each.precision,
                each.recall,
                each.f1,
                each.junk,
                each.trapsStored,
              ],
            ),
          ],
        })),
        ...(main === undefined
          ? []
          : [
              {
                title: 'what is left in any file below .memory/',
                rows: [
                  ['', 'secrets removed', 'lookalikes kept'],
                  ...[['rules', main.overall] as const, ["the seed's", main.baseline] as const].map(
                    ([who, each]) => [who, each.secretsRemoved, each.lookalikesKept],
                  ),
                ],
              },
            ]),
      ],
    }
  },
}

async function measureGiven(context: BenchContext, given: Given) {
  const { conversations, secrets, lookalikes } = given
  const transcripts = new Map(conversations.map(({ name, messages }) => [name, messages]))
  const raw = conversations.flatMap(({ messages }) => messages.map(({ text }) => text)).join('\n')
  const seedText = seedRedact(raw)
  return withClosedTranscripts(context.library, transcripts, ({ findings, holds }) => {
    const rules: Extractor = ({ name }) => findings.get(name) ?? []
    const share = (values: readonly string[], isSo: (value: string) => boolean) =>
      roundTo(3, values.length === 0 ? 1 : values.filter(isSo).length / values.length)
    return {
      name: 'transcripts',
      conversations,
      rules,
      overall: {
        ...measure(conversations, rules),
        secretsRemoved: share(secrets, value => !holds(value)),
        lookalikesKept: share(lookalikes, holds),
      },
      baseline: {
        ...measure(conversations, seedPatterns),
        secretsRemoved: share(secrets, value => !seedText.includes(value)),
        lookalikesKept: share(lookalikes, value => seedText.includes(value)),
      },
    }
  })
}

interface TranscriptFile {
  readonly transcripts: Readonly<Record<string, readonly Message[]>>
  readonly gold: readonly { transcript: string; message: number | string; category: string; gist: string }[]
  readonly traps: readonly { transcript: string; message: number | string; text: string }[]
  readonly secrets?: readonly { value: string }[]
  readonly lookalikes?: readonly { value: string }[]
}

interface Given {
  readonly conversations: readonly Labelled[]
  readonly secrets: readonly string[]
  readonly lookalikes: readonly string[]
}

/** `distill.json.gz` in the folder, or in `coding/` below it. */
function readTranscripts(folder: string): Given | undefined {
  const file = ['distill.json.gz', 'coding/distill.json.gz']
    .map(name => path.join(folder, name))
    .find(each => existsSync(each))
  if (file === undefined) return undefined
  const data = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as TranscriptFile
  return {
    conversations: Object.entries(data.transcripts).map(([name, messages]) => ({
      name,
      messages,
      gold: ofTranscript(data.gold, name),
      traps: ofTranscript(data.traps, name),
    })),
    secrets: (data.secrets ?? []).map(({ value }) => value),
    lookalikes: (data.lookalikes ?? []).map(({ value }) => value),
  }
}

function ofTranscript<T extends { transcript: string; message: number | string }>(
  labels: readonly T[],
  name: string,
): (Omit<T, 'message'> & { message: number })[] {
  return labels
    .filter(label => label.transcript === name)
    .map(label => ({ ...label, message: Number(label.message) }))
}

export function ownSample(half: 'dev' | 'held-out'): Labelled[] {
  return labelled(DISTILL_SAMPLE.filter(conversation => conversation.half === half))
}

export function secondSample(half: 'dev' | 'held-out'): Labelled[] {
  return labelled(half === 'dev' ? MORE_TO_TUNE_ON : MORE_TO_COUNT_ON)
}

function labelled(conversations: readonly SampleConversation[]): Labelled[] {
  return conversations.map(({ name, messages }) => ({
    name,
    messages,
    gold: messages.flatMap(({ keep, text }, message) =>
      keep === undefined ? [] : [{ message, category: keep, gist: text }],
    ),
    traps: messages.flatMap(({ trap }, message) => (trap === undefined ? [] : [{ message, text: trap }])),
  }))
}

/**
 * A finding is right when it comes from a message that was marked, and has its category. Junk comes from no marked
 * message. A trap is stored when a finding has its words.
 */
export function measure(conversations: readonly Labelled[], extract: Extractor) {
  let findings = 0
  let right = 0
  let covered = 0
  let junk = 0
  let gold = 0
  let traps = 0
  let stored = 0
  for (const conversation of conversations) {
    const found = extract(conversation)
    findings += found.length
    right += found.filter(each => conversation.gold.some(label => isSame(each, label))).length
    junk += found.filter(each => !conversation.gold.some(label => label.message === each.message)).length
    gold += conversation.gold.length
    covered += conversation.gold.filter(label => found.some(each => isSame(each, label))).length
    traps += conversation.traps.length
    stored += conversation.traps.filter(trap => found.some(each => has(each.text, trap.text))).length
  }
  const precision = findings === 0 ? 0 : right / findings
  const recall = gold === 0 ? 0 : covered / gold
  const share = (part: number, whole: number) => roundTo(3, whole === 0 ? 0 : part / whole)
  return {
    precision: roundTo(3, precision),
    recall: roundTo(3, recall),
    f1: roundTo(3, precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)),
    junk: share(junk, findings),
    trapsStored: share(stored, traps),
    findings,
    right,
    gold,
    traps,
  }
}

function isSame(found: Extracted, label: { message: number; category: string }): boolean {
  return found.message === label.message && found.category === label.category
}

function has(text: string, part: string): boolean {
  const plain = (each: string) => each.toLowerCase().replace(/\s+/g, ' ').trim()
  return plain(text).includes(plain(part))
}

function reviewOf(conversation: Labelled, extract: Extractor) {
  const { name, gold, traps } = conversation
  const found = extract(conversation)
  const isRight = (each: Extracted) => gold.some(label => isSame(each, label))
  return {
    name,
    missed: gold.filter(label => !found.some(each => isSame(each, label))),
    wrong: found
      .filter(each => !isRight(each))
      .map(({ message, category, text }) => ({ message, category, text })),
    right: found.filter(isRight).map(({ message, category, text }) => ({ message, category, text })),
    stored: traps.filter(trap => found.some(each => has(each.text, trap.text))),
  }
}

const SEED_DECISIONS = [
  /\bdecid/i,
  /\bchose\b/i,
  /\bwill use\b/i,
  /\bdecisão/i,
  /\bescolh/i,
  /\boptamos/i,
  /\badotamos/i,
  /\bvamos usar\b/i,
  /\bwent with\b/i,
  /\bsettled on\b/i,
]
const SEED_LESSONS = [
  /\blearned\b/i,
  /\bimportant/i,
  /\bnote:/i,
  /\baprendemos/i,
  /\bimportante/i,
  /\blição/i,
  /\bdiscovery/i,
  /\binsight/i,
  /\bdescobr/i,
  /\bobserv/i,
]

/** Seed A, compaction step B: lines over 15 characters, ten of each; over all messages, as at the end of a session. */
export const seedPatterns: Extractor = ({ messages }) => {
  const lines = messages.flatMap(({ text }, message) =>
    text.split('\n').map(line => ({ message, text: line })),
  )
  const matching = (patterns: readonly RegExp[], category: string) =>
    lines
      .filter(({ text }) => text.length > 15 && patterns.some(pattern => pattern.test(text)))
      .slice(0, 10)
      .map(({ message, text }) => ({ message, category, text: text.slice(0, 300) }))
  return [...matching(SEED_DECISIONS, 'decisions'), ...matching(SEED_LESSONS, 'lessons')]
}
