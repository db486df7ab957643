import { existsSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Message } from '../src/kernel/model/message.ts'
import type { Bench } from './bench.ts'
import { seedRedact, withClosedTranscripts } from './closed-transcripts.ts'
import { check } from './report.ts'
import { roundTo } from './statistics.ts'

interface TranscriptFile {
  readonly transcripts: Readonly<Record<string, readonly Message[]>>
  readonly secrets?: readonly { value: string }[]
  readonly lookalikes?: readonly { value: string }[]
}

/**
 * Sessions closed on transcripts: which secrets are left in any byte of the memory. What rules find is not scored here: those labels
 * were written next to rules that are gone; real sessions are the measure (`replay`).
 */
export const distillBench: Bench = {
  name: 'distill',
  summary: 'sessions closed on transcripts: secrets left in any file, lookalikes kept',
  async run({ dataFolder, library }) {
    const data = readTranscripts(dataFolder)
    if (data === undefined) return { data: {}, checks: [], tables: [] }
    const transcripts = new Map(Object.entries(data.transcripts))
    const secrets = (data.secrets ?? []).map(({ value }) => value)
    const lookalikes = (data.lookalikes ?? []).map(({ value }) => value)
    const seedText = seedRedact(
      [...transcripts.values()].flatMap(messages => messages.map(({ text }) => text)).join('\n'),
    )
    const share = (values: readonly string[], isSo: (value: string) => boolean) =>
      roundTo(3, values.length === 0 ? 1 : values.filter(isSo).length / values.length)
    return withClosedTranscripts(library, transcripts, ({ holds }) => {
      const overall = {
        secretsRemoved: share(secrets, value => !holds(value)),
        lookalikesKept: share(lookalikes, holds),
      }
      const baseline = {
        secretsRemoved: share(secrets, value => !seedText.includes(value)),
        lookalikesKept: share(lookalikes, value => seedText.includes(value)),
      }
      return {
        data: { overall, baseline },
        checks: [
          check('secrets removed', overall.secretsRemoved, 'exactly', 1),
          check('lookalikes kept', overall.lookalikesKept, 'at least', 0.99),
        ],
        tables: [
          {
            title: `${transcripts.size} transcripts: what is left in any file below .memory/`,
            rows: [
              ['', 'secrets removed', 'lookalikes kept'],
              ['Cairn', overall.secretsRemoved, overall.lookalikesKept],
              ["the seed's", baseline.secretsRemoved, baseline.lookalikesKept],
            ],
          },
        ],
      }
    })
  },
}

/** `distill.json.gz` in the folder, or in `coding/` below it. */
function readTranscripts(folder: string): TranscriptFile | undefined {
  const file = ['distill.json.gz', 'coding/distill.json.gz']
    .map(name => path.join(folder, name))
    .find(each => existsSync(each))
  return file === undefined ? undefined : JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'))
}
