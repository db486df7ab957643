import { type ChildProcess, fork } from 'node:child_process'
import type { Memory } from '../src/api.ts'
import type { Bench } from './bench.ts'
import { plainEnvironment } from './child-cpu.ts'
import { check } from './report.ts'
import { roundTo } from './statistics.ts'
import { withTemporaryProject } from './temporary-project.ts'
import { uniqueWord } from './unique-word.ts'

const WRITERS = 8
const CALLS = 500

interface WriterReport {
  /** One a call; null where it failed. */
  readonly ids: readonly (string | null)[]
  readonly errors: readonly string[]
}

export const concurrencyBench: Bench = {
  name: 'concurrency',
  summary: '8 processes, each 500 times `remember`, at once in one project',
  run: async context =>
    withTemporaryProject(async root => {
      const calls = context.isQuick ? 20 : CALLS
      const expected = WRITERS * calls
      context.progress(`concurrency: ${WRITERS} processes, ${calls} calls each`)
      const children = Array.from({ length: WRITERS }, (_, writer) =>
        startWriter(context.writerScript, [context.libraryUrl, root, String(writer), String(calls)]),
      )
      await Promise.all(children.map(child => child.ready))
      const start = performance.now()
      for (const child of children) child.begin()
      const reports = await Promise.all(children.map(child => child.report))
      const seconds = (performance.now() - start) / 1000

      const memory = await context.library.openMemory({ root, upkeep: 'never' })
      try {
        context.progress(`concurrency: looking for each of ${expected} entries`)
        const found = await findEach(memory, reports, calls)
        const { entries, total } = await memory.list({ limit: expected * 2 })
        const errors = reports.flatMap(report => report.errors)
        const data = {
          writers: WRITERS,
          calls,
          seconds: roundTo(2, seconds),
          callsPerSecond: roundTo(0, expected / seconds),
          entries: total,
          duplicateIds: entries.length - new Set(entries.map(entry => entry.id)).size,
          foundBySearch: found.found,
          foundFirst: found.first,
          errors: errors.length,
          firstErrors: errors.slice(0, 5),
        }
        const { firstErrors, ...figures } = data
        const checks = [
          check('entries afterwards', data.entries, 'exactly', expected),
          check('entries found by search', data.foundBySearch, 'exactly', expected),
          check('duplicate ids', data.duplicateIds, 'exactly', 0),
          check('errors', data.errors, 'exactly', 0),
        ]
        const rows = [...Object.entries(figures), ...firstErrors.map(message => ['', message])]
        return { data, checks, tables: [{ title: 'Writing at once', rows }] }
      } finally {
        await memory.close()
      }
    }),
}

async function findEach(memory: Memory, reports: readonly WriterReport[], calls: number) {
  let found = 0
  let first = 0
  for (const [writer, { ids }] of reports.entries()) {
    for (let call = 0; call < calls; call++) {
      const { hits } = await memory.search(uniqueWord(writer * calls + call))
      const rank = hits.findIndex(hit => hit.id === ids[call])
      if (rank !== -1) found++
      if (rank === 0) first++
    }
  }
  return { found, first }
}

interface Writer {
  readonly ready: Promise<void>
  readonly begin: () => void
  readonly report: Promise<WriterReport>
}

/** It sends `ready`, begins at the first message it gets, and sends its report when it is done. */
function startWriter(script: string, values: readonly string[]): Writer {
  const child = fork(script, values, { env: plainEnvironment() })
  const messages = messagesOf(child)
  return {
    ready: messages.next().then(() => undefined),
    begin: () => void child.send('begin'),
    report: messages.next().then(message => message as WriterReport),
  }
}

/** Messages in the order they were sent; a child that ends before it has sent what is waited for is an error. */
function messagesOf(child: ChildProcess): { next(): Promise<unknown> } {
  const waiting: { resolve(message: unknown): void; reject(error: Error): void }[] = []
  child.on('message', message => waiting.shift()?.resolve(message))
  child.on('error', error => waiting.shift()?.reject(error))
  child.on('exit', exitCode => {
    for (const wait of waiting.splice(0))
      wait.reject(new Error(`a writer ended early with exit code ${exitCode}`))
  })
  return { next: () => new Promise((resolve, reject) => waiting.push({ resolve, reject })) }
}
