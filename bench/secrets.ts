import { redact } from '../src/kernel/text/redaction/redact.ts'
import type { Bench } from './bench.ts'
import { check } from './report.ts'
import { type CorpusLine, readSecretCorpus } from './secret-corpus.ts'
import { roundTo } from './statistics.ts'
import { withTemporaryProject } from './temporary-project.ts'

interface GroupCount {
  readonly group: string
  readonly secrets: number
  readonly removed: number
  readonly lookalikes: number
  readonly falselyRedacted: number
}

interface StoredLine {
  readonly line: CorpusLine
  readonly stored: string
}

/** Text that made the rules quadratic once, repeated: a text four times as long may take four times as long. */
const HOSTILE_UNITS = ['A_KEY=', 'password is ', 'user:', 'aK3mZ8qL1xW7vT5nR2bY9cD4 ', '| key ']
const HOSTILE_LENGTH = 50_000
const GROWTH = 4

/** What `remember` leaves of the secrets of a corpus that the user has, and of what only looks like one. */
export const secretsBench: Bench = {
  name: 'secrets',
  summary:
    'secrets of a corpus that are left after `remember`, lookalikes that are not; time on hostile text',
  async run({ dataFolder, library, progress }) {
    const lines = readSecretCorpus(dataFolder)
    progress(`${lines.length} texts`)
    const counts = countCorpus(
      await withTemporaryProject(async root => {
        const memory = await library.openMemory({ root })
        try {
          const results: StoredLine[] = []
          for (const line of lines) {
            const { entry } = await memory.remember(line.text)
            results.push({ line, stored: entry.content })
          }
          return results
        } finally {
          await memory.close()
        }
      }),
    )
    const sum = (of: (count: GroupCount) => number) => counts.reduce((total, count) => total + of(count), 0)
    const lookalikes = sum(count => count.lookalikes)
    const falseShare = lookalikes === 0 ? 0 : roundTo(4, sum(count => count.falselyRedacted) / lookalikes)
    const shortMs = hostileMs(HOSTILE_LENGTH)
    const growth = hostileMs(HOSTILE_LENGTH * GROWTH) / shortMs
    return {
      data: { counts, falseShare, growth: roundTo(1, growth) },
      checks: [
        check('share of lookalikes that were redacted', falseShare, 'at most', 0.01),
        check(`time on hostile text ${GROWTH} times as long`, roundTo(1, growth), 'at most', 2 * GROWTH),
      ],
      tables: [
        {
          title: `${lines.length} texts, each stored with \`remember\``,
          rows: [
            ['group', 'secrets', 'removed', 'left', 'lookalikes', 'falsely redacted'],
            ...counts.map(({ group, secrets, removed, lookalikes, falselyRedacted }) => [
              group,
              secrets,
              removed,
              secrets - removed,
              lookalikes,
              falselyRedacted,
            ]),
          ],
        },
      ],
    }
  },
}

export function countCorpus(results: readonly StoredLine[]): GroupCount[] {
  const groups = [...new Set(results.map(({ line }) => line.group))].sort()
  return groups.map(group => {
    const ofGroup = results.filter(({ line }) => line.group === group)
    const secrets = ofGroup.filter(({ line }) => line.secret !== undefined)
    const lookalikes = ofGroup.filter(({ line }) => line.secret === undefined)
    return {
      group,
      secrets: secrets.length,
      removed: secrets.filter(({ line, stored }) => !stored.includes(line.secret ?? '')).length,
      lookalikes: lookalikes.length,
      falselyRedacted: lookalikes.filter(({ stored }) => stored.includes('[redacted:')).length,
    }
  })
}

/** Time of the processor for all of them, since single ones take less than a timer can tell. */
function hostileMs(length: number): number {
  const texts = HOSTILE_UNITS.map(unit => unit.repeat(Math.ceil(length / unit.length)))
  const times = [1, 2, 3].map(() => {
    const start = process.cpuUsage().user
    for (const text of texts) redact(text)
    return (process.cpuUsage().user - start) / 1_000
  })
  return Math.min(...times)
}
