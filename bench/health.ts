import { mkdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import type { Bench } from './bench.ts'
import { cpuOfNodeRuns } from './child-cpu.ts'
import { type ColdFigure, compareWithNode } from './cold.ts'
import { countVaultFiles, prepareProject, withCopyOf } from './prepared-project.ts'
import { check } from './report.ts'
import { entryAt } from './synthetic-corpus.ts'

const ROUNDS = 11
const GOAL_MS = 300
const MINUTE_MS = 60_000
const EVENTS_A_SESSION = 50
const FIRST_EVENT_MS = Date.UTC(2026, 0, 5)

export const healthBench: Bench = {
  name: 'health',
  summary:
    'CPU of `status` and `validate` on 3,000 entries and 10,000 events (--entries), against `node -e 0`',
  async run(context) {
    const entries = context.entries ?? (context.isQuick ? 300 : 3_000)
    const events = context.isQuick ? 1_000 : 10_000
    const project = await prepareProject(context, entries)
    const { figures, files } = await withCopyOf(project, async root => {
      writeEvents(root, events)
      const argumentsOf = (verb: string) => () => [context.commandLine, verb, '--root', root]
      // The copy's files are new to the index, and the file cache is cold: one look settles both.
      await cpuOfNodeRuns([argumentsOf('status')()])
      const measured: Record<string, ColdFigure> = {}
      for (const verb of ['status', 'validate']) {
        context.progress(`health: ${verb}, ${entries} entries, ${events} events`)
        const command = { name: verb, argumentsOf: argumentsOf(verb) }
        measured[verb] = await compareWithNode(command, context.isQuick ? 3 : ROUNDS)
      }
      return { figures: measured, files: await countVaultFiles(root) }
    })
    const rows = Object.entries(figures).map(([verb, { nodeMs, commandMs, ratio }]) => [
      verb,
      nodeMs,
      commandMs,
      ratio,
    ])
    return {
      data: { entries, events, vaultFiles: files, figures },
      checks:
        entries === 3_000
          ? Object.entries(figures).map(([verb, { commandMs }]) =>
              check(`${verb}, CPU ms, 3,000 entries and 10,000 events`, commandMs, 'at most', GOAL_MS),
            )
          : [],
      tables: [
        {
          title: `Health, ${entries} entries in ${files} files, ${events} events`,
          rows: [['', 'node -e 0, CPU ms', 'command, CPU ms', 'ratio of medians'], ...rows],
        },
      ],
    }
  },
}

/** As sessions leave them: a check that was run, what it told, the files it was about. */
function writeEvents(root: string, count: number): void {
  const lines = Array.from({ length: count }, (_, n) => {
    const { text, metadata } = entryAt(n)
    const session = `s${Math.floor(n / EVENTS_A_SESSION)}`
    const ms = FIRST_EVENT_MS + n * MINUTE_MS
    return JSON.stringify({
      id: `${ms}-${(n % 36 ** 4).toString(36).padStart(4, '0')}`,
      kind: 'tool_run',
      sourceId: `session:${session}`,
      createdAt: new Date(ms).toISOString(),
      contentHash: n.toString(16).padStart(16, '0'),
      summary: text.slice(0, 120),
      signals: {
        decisions: n % 3 === 0 ? [text.slice(0, 200)] : [],
        gotchas: n % 4 === 0 ? [text.slice(0, 200)] : [],
        nextStepHints: n % 5 === 0 ? [text.slice(0, 100)] : [],
        keyPaths: metadata.files,
        validationObservations: n % 2 === 0 ? [{ command: 'npm test', outcome: 'passed' }] : [],
      },
      sourceRef: `conversations/dev/${session}#${n % EVENTS_A_SESSION}`,
    })
  })
  const folder = path.join(root, '.memory', 'history')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'events.jsonl'), `${lines.join('\n')}\n`)
}
