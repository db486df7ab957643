import { beforeAll, expect, it } from 'vitest'
import * as library from '../src/api.ts'
import type { ReplayLabels, ReplaySession } from './replay-data.ts'
import { figuresOf, totalsOf } from './replay-figures.ts'
import { statementKey } from './replay-match.ts'
import { type ReplayedProject, replayProject, withTemporaryHome } from './replay-run.ts'
import { makeSheet } from './replay-sheet.ts'
import { withTemporaryProject } from './temporary-project.ts'

const FACT = 'The glaze mixer needs firmware 4.2, because 4.1 doses cobalt twice.'
const SESSIONS: readonly ReplaySession[] = [
  {
    project: 'pottery',
    id: 's1',
    startedAt: '2026-02-03T09:00:00.000Z',
    messages: [
      { role: 'user', text: 'Why does the glaze mixer dose cobalt twice?', at: '2026-02-03T09:00:05.000Z' },
      { role: 'agent', text: 'Firmware 4.1 has a bug; I flashed 4.2.', at: '2026-02-03T09:04:00.000Z' },
      {
        role: 'tool',
        text: '',
        at: '2026-02-03T09:05:00.000Z',
        run: { tool: 'Bash', command: 'mixer test', ok: true, output: 'dose 1.0' },
      },
    ],
  },
  {
    project: 'pottery',
    id: 's2',
    startedAt: '2026-02-04T09:00:00.000Z',
    messages: [
      {
        role: 'user',
        text: 'Which firmware does the glaze mixer need for cobalt?',
        at: '2026-02-04T09:00:05.000Z',
      },
      { role: 'agent', text: 'I will look.', at: '2026-02-04T09:01:00.000Z' },
      { role: 'user', text: 'ok', at: '2026-02-04T09:02:00.000Z' },
    ],
  },
]
const NO_LABELS: ReplayLabels = {
  statements: new Map(),
  promptItems: new Map(),
  prompts: new Set(),
  handoffs: new Map(),
  pairs: new Map(),
  facts: [],
}

let replayed: ReplayedProject

beforeAll(async () => {
  const run = {
    library,
    setUp: () => undefined,
    maxPrompts: 7,
    answers: new Map([
      ['pottery|s1', { project: 'pottery', session: 's1', entries: [{ statement: FACT, kind: 'lesson' }] }],
    ]),
    progress: () => undefined,
  }
  replayed = await withTemporaryHome(() => withTemporaryProject(root => replayProject(run, SESSIONS, root)))
}, 60_000)

it('stores the answer of a session as the entry of its agent, dated by the simulated clock', () => {
  const saved = replayed.entries.find(({ content }) => content.startsWith('The glaze mixer needs'))
  expect(saved).toMatchObject({ origin: 'agent', status: 'candidate', session: 's1', kind: 'lesson' })
  expect(saved?.date.slice(0, 10)).toBe('2026-02-03')
  expect(replayed.sessions.map(({ saved }) => saved)).toEqual([
    { stored: 1, refused: [], unresolved: 0 },
    undefined,
  ])
  expect(replayed.sessions.flatMap(({ errors }) => errors)).toEqual([])
})

it('gives each prompt a brief, and the later session what the earlier one stored', () => {
  const [first, second] = replayed.sessions
  expect(first?.prompts.map(({ prompt, items }) => [prompt, items.length])).toEqual([[0, 0]])
  expect(second?.prompts.map(({ prompt }) => prompt)).toEqual([0, 1])
  const injected = [second?.start, second?.prompts[0]].flatMap(brief => brief?.items ?? [])
  expect(injected.filter(({ text }) => text.startsWith('The glaze mixer needs'))).toHaveLength(1)
})

it('counts stored entries by writer, and silent prompts', () => {
  const figures = figuresOf([replayed], NO_LABELS)
  expect(figures.stored.agent).toEqual({
    candidate: 1,
    confirmed: 0,
    pinned: 0,
    total: 1,
    atEnd: 1,
    injectable: 1,
  })
  expect(totalsOf(figures)).toMatchObject({ sessions: 2, prompts: 3, answeredSessions: 1 })
  expect(figures.prompt.silent).toBeGreaterThanOrEqual(1)
})

it('puts what has no label on the sheet without saying who wrote it', () => {
  const { rows, key } = makeSheet([replayed], NO_LABELS)
  const row = rows.find(({ what, text }) => what === 'entry' && text === FACT)
  expect(row).toMatchObject({
    verdicts: ['good', 'weak', 'junk'],
    context: { kind: 'lesson', firstRequest: 'Why does the glaze mixer dose cobalt twice?' },
  })
  expect(key.find(({ what, id }) => what === 'entry' && id === row?.id)).toMatchObject({ writer: 'agent' })
  for (const each of rows)
    expect(Object.keys(each).sort()).toEqual(['context', 'group', 'id', 'text', 'verdicts', 'what'])
  const injected = rows.find(({ what }) => what === 'prompt item')
  expect(injected?.context).toMatchObject({ prompt: 'Which firmware does the glaze mixer need for cobalt?' })
})

it('leaves out what has a label or was judged before, and samples whole prompts in a fixed order', () => {
  const labels = { ...NO_LABELS, statements: new Map([[statementKey('pottery', FACT), 'good']]) }
  const labelled = makeSheet([replayed], labels)
  expect(labelled.rows.some(({ what, text }) => what === 'entry' && text === FACT)).toBe(false)
  expect(labelled.key.find(({ what, writer }) => what === 'entry' && writer === 'agent')?.label).toBe('good')

  const { rows } = makeSheet([replayed], NO_LABELS)
  const [first] = rows
  expect(makeSheet([replayed], NO_LABELS).rows).toEqual(rows)
  expect(makeSheet([replayed], NO_LABELS, { isKnown: id => id === first?.id }).rows).toEqual(rows.slice(1))
  const sampled = makeSheet([replayed], NO_LABELS, { sample: 1 }).rows
  expect(rows.filter(row => sampled.some(({ id }) => id === row.id))).toEqual(sampled)
  expect(new Set(sampled.map(({ what }) => what)).size).toBe(
    new Set(sampled.map(({ group, what }) => group + what)).size,
  )
})
