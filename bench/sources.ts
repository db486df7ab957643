import { execFile } from 'node:child_process'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import { promisify } from 'node:util'
import type { Bench, BenchContext } from './bench.ts'
import { plainEnvironment } from './child-cpu.ts'
import { newEntryOf } from './prepared-project.ts'
import { check } from './report.ts'
import { roundTo } from './statistics.ts'
import { entryAt, positionsByDate } from './synthetic-corpus.ts'
import { withTemporaryProject } from './temporary-project.ts'

const run = promisify(execFile)
const TRANSCRIPTS = 2_000
const ENTRIES = 10_000
const DAY_MS = 86_400_000
/** A sync that finds nothing new is waited for before every recall. */
const GOAL_AGAIN_MS = 1_000
const GOAL_STALE_MS = 5_000
const MESSAGES = 6

export const sourcesBench: Bench = {
  name: 'sources',
  summary: 'sync a folder of 2000 small transcripts, twice; review 10000 entries for what is stale',
  async run(context) {
    const transcripts = context.isQuick ? 20 : TRANSCRIPTS
    const entries = context.entries ?? (context.isQuick ? 500 : ENTRIES)
    const sync = await withTemporaryProject(base => measureSync(context, base, transcripts))
    const stale = await withTemporaryProject(root => measureStale(context, root, entries))
    return {
      data: { transcripts, entries, ...sync, ...stale },
      checks: context.isQuick
        ? []
        : [
            check(`a second sync of ${transcripts} transcripts, ms`, sync.againMs, 'at most', GOAL_AGAIN_MS),
            check(
              `a review of ${entries} entries without comparing, ms`,
              stale.reviewMs,
              'at most',
              GOAL_STALE_MS,
            ),
          ],
      tables: [
        {
          title: `${transcripts} transcripts of ${MESSAGES} messages, by the command line`,
          rows: [
            ['', 'ms'],
            ['first sync', sync.firstMs],
            ['again, nothing new', sync.againMs],
            ['again, one has grown', sync.grownMs],
          ],
        },
        {
          title: `${entries} entries, ${stale.proposals} proposals`,
          rows: [
            ['', 'ms'],
            ['a review that compares entries, for 5 s at most', stale.firstMs],
            ['a review without comparing', stale.reviewMs],
            ['split all files that are too full', stale.splitMs],
            ['archive all that may go', stale.archiveMs],
          ],
        },
      ],
    }
  },
}

async function measureSync(context: BenchContext, base: string, transcripts: number) {
  const [chats, root] = [path.join(base, 'chats'), path.join(base, 'project')]
  await mkdir(chats)
  await mkdir(root)
  for (let n = 0; n < transcripts; n++) await writeFile(path.join(chats, `chat-${n}.jsonl`), talk(n))
  const cairn = (...words: string[]) =>
    run(process.execPath, [context.commandLine, ...words, '--json'], {
      cwd: root,
      env: { ...plainEnvironment(), CAIRN_HOME: path.join(base, 'home') },
      maxBuffer: 64 * 1024 * 1024,
    })
  await cairn('source', 'add', chats, '--from', 'transcript')
  context.progress(`sources: first sync of ${transcripts} transcripts`)
  const firstMs = await timed(() => cairn('source', 'sync'))
  const againMs = await timed(() => cairn('source', 'sync'))
  await appendFile(path.join(chats, 'chat-1.jsonl'), line('user', 'And we decided to pin the compiler.', 9))
  const grownMs = await timed(() => cairn('source', 'sync'))
  return { firstMs, againMs, grownMs }
}

function talk(number: number): string {
  const said = Array.from({ length: MESSAGES }, (_, n) => {
    const { text } = entryAt(number * MESSAGES + n)
    return line(n % 2 === 0 ? 'user' : 'assistant', text, n)
  })
  return said.join('')
}

function line(role: string, content: string, minute: number): string {
  return `${JSON.stringify({ role, content, timestamp: `2026-03-01T10:0${minute}:00Z` })}\n`
}

async function measureStale({ library, progress }: BenchContext, root: string, entries: number) {
  progress(`sources: ${entries} entries to review`)
  const thenMs = Date.now() - 200 * DAY_MS
  const old = await library.openMemory({ root, vectors: 'never', upkeep: 'never', now: () => thenMs })
  await old.importEntries(
    positionsByDate(entries).map(position => ({
      ...newEntryOf(entryAt(position)),
      origin: position % 3 === 0 ? ('person' as const) : ('machine' as const),
      status: 'candidate' as const,
    })),
  )
  await old.close()
  const memory = await library.openMemory({ root, vectors: 'never', upkeep: 'never' })
  try {
    let proposals = 0
    const firstMs = await timed(async () => {
      proposals = (await memory.review.stale()).total
    })
    const reviewMs = await timed(() => memory.review.apply({ all: 'split' }, { dryRun: true }))
    const splitMs = await timed(() => memory.review.apply({ all: 'split' }))
    const archiveMs = await timed(() => memory.review.apply({ all: 'archive' }))
    return { firstMs, reviewMs, splitMs, archiveMs, proposals }
  } finally {
    await memory.close()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return roundTo(0, performance.now() - start)
}
