import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { type PromptBriefInput, promptBrief, startBrief } from '../src/features/brief/brief.ts'
import { whyOperation } from '../src/features/brief/verbs/why.ts'
import { pinOperation } from '../src/features/entries/verbs/pin.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { statusOperation } from '../src/features/status/verbs/status.ts'
import type { NewEntry } from '../src/kernel/model/new-entry.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'
import { unhurriedClock } from './support/unhurried-clock.ts'

const SUGGESTION = { origin: 'machine', status: 'candidate' } as const
const SAVED = { origin: 'agent', status: 'candidate' } as const

let root: string
let engine: Composed
beforeEach(() => {
  root = scratchProject()
  engine = composeEngine({ root, clock: unhurriedClock })
})
afterEach(() => engine.close())

const store = (...entries: NewEntry[]) => remember(engine, entries)
const texts = async (prompt: string, input: Partial<PromptBriefInput> = {}) =>
  (await promptBrief(engine, { prompt, session: 's1', ...input })).brief.included.map(({ text }) => text)
const startTexts = async (input: Parameters<typeof startBrief>[1] = {}) =>
  (await startBrief(engine, input)).brief.included.map(({ text }) => text)

describe('suggestions', () => {
  it('are never injected and do not crowd out an entry', async () => {
    const noise = Array.from({ length: 90 }, (_, n) => ({
      content:
        n % 9 === 0
          ? `The invoice export uses queue ${n}.`
          : `Label ${n} of the printer is stuck on shelf ${n}.`,
      kind: 'decision',
      ...SUGGESTION,
    }))
    const real = 'The invoice export runs through a queue, because partners drop connections.'
    await store(...noise, { content: real, kind: 'decision', ...SAVED })
    const prompt = 'why does the invoice export use the queue, do partners drop connections?'
    expect(await texts(prompt)).toEqual([real])
    const { considered } = await promptBrief(engine, { prompt })
    expect(considered.map(({ entry }) => entry.content)).toEqual([real])
  })

  it('are not in the start brief, whatever their kind', async () => {
    await store(
      { content: 'Never print invoices on Fridays.', kind: 'warning', ...SUGGESTION },
      { content: 'Prefers tabs in SQL.', kind: 'preference', ...SUGGESTION },
      { content: '- [ ] print the invoices', category: 'tasks', ...SUGGESTION },
      { content: 'Invoices are numbered per year.', kind: 'decision', ...SUGGESTION },
    )
    expect(await startTexts({ prompt: 'number the invoices per year' })).toEqual([])
  })

  it('are not quoted by a conflict mark', async () => {
    await store(
      { content: 'The cache lifetime is 60 minutes.', kind: 'decision' },
      { content: 'The cache lifetime is 15 minutes.', kind: 'decision', ...SUGGESTION },
    )
    const { brief } = await promptBrief(engine, {
      prompt: 'what is the cache lifetime in minutes?',
      session: 's1',
    })
    expect(brief.text).not.toContain('15 minutes')
  })
})

describe('a prompt of a session', () => {
  beforeEach(() =>
    store(
      { content: 'Deploys to staging go through the release queue.', kind: 'decision' },
      { content: 'The staging database is wiped every night.', kind: 'warning' },
      { content: 'Buttons use the brand colour.', kind: 'preference' },
      { content: 'Uploads are limited to ten megabytes.', kind: 'decision' },
    ),
  )

  it('gets each item that clears the floor by itself, and no other', async () => {
    expect(await texts('why did the staging database lose its rows last night?')).toEqual([
      'The staging database is wiped every night.',
    ])
    expect(await texts('make the sidebar collapsible on phones')).toEqual([])
  })

  it.each(['yes', 'ok go on', 'sim, pode', 'commit and push', 'continue'])(
    'gets nothing for %j',
    async prompt => {
      expect(await texts(prompt)).toEqual([])
    },
  )

  it('gets at most three retrieved items', async () => {
    await store(
      ...Array.from({ length: 6 }, (_, n) => ({
        content: `Release queue rule ${n}: the release queue of staging has step ${n}.`,
        kind: 'decision',
      })),
      ...Array.from({ length: 20 }, (_, n) => ({
        content: `Label ${n} is on shelf ${n}.`,
        kind: 'decision',
      })),
    )
    expect((await texts('which step and rule has the release queue of staging?')).length).toBe(3)
  })

  it('gets a standing rule when its trigger occurs, and not otherwise', async () => {
    const rule = 'Always bump the schema version when a migration changes a table.'
    await store({ content: rule, kind: 'preference' })
    expect(await texts('write the migration that changes the orders table')).toContain(rule)
    expect(await texts('write the mail that changes the subject')).not.toContain(rule)
  })
})

describe('pinned entries', () => {
  it('are injected before everything else when the context is small', async () => {
    const long = (n: number) => `Pinned warning ${n}: ${'keep the ledger balanced '.repeat(10)}`
    await store(
      ...[1, 2, 3, 4, 5, 6].map(n => ({ content: long(n), kind: 'warning', status: 'pinned' as const })),
      ...[1, 2, 3].map(n => ({
        content: `The ledger export has a step ${n} for the ledger export.`,
        kind: 'decision',
      })),
    )
    const { brief } = await promptBrief(engine, {
      prompt: 'which step has the ledger export?',
      session: 's1',
      remainingContext: 8_000,
    })
    expect(brief.included.filter(({ tier }) => tier === 'always-inject')).toHaveLength(5)
    expect(brief.left).toContainEqual(
      expect.objectContaining({ reason: 'more than 5 entries are pinned: unpin one' }),
    )
  })

  it('beyond five are named by the pin and by status', async () => {
    const entries = await store(
      ...[1, 2, 3, 4, 5, 6].map(n => ({ content: `Rule ${n} of the ledger.`, kind: 'warning' })),
    )
    const notes = []
    for (const { entry } of entries)
      notes.push((await pinOperation.run(engine, { target: entry.id }, {})).degraded.map(({ code }) => code))
    expect(notes).toEqual([[], [], [], [], [], ['pins_over']])
    expect((await statusOperation.run(engine, {}, {})).degraded).toContainEqual({
      code: 'pins_over',
      message: expect.stringContaining('6 entries are pinned, and a brief takes the 5 most important'),
    })
  })
})

describe('"What is left to do?"', () => {
  it('brings the open tasks first, with their open boxes only', async () => {
    await store(
      { content: 'To do lists are kept in Markdown.', kind: 'decision' },
      { content: '- [x] tag the release\n- [ ] publish the notes', category: 'tasks' },
      { content: '- [ ] measure the cache', category: 'tasks', ...SAVED },
      { content: '- [ ] let us fix this', category: 'tasks', ...SUGGESTION },
    )
    expect((await texts('What is left to do?')).slice(0, 2)).toEqual([
      '- [ ] measure the cache',
      '- [ ] publish the notes',
    ])
  })
})

describe('the start brief', () => {
  it('has rules, pinned entries and open tasks, and no decisions while the command is unknown', async () => {
    await store(
      { content: 'Sessions are stored in Redis.', kind: 'decision' },
      { content: 'Tailwind classes break the pixel grid.', kind: 'lesson' },
      { content: 'Never log tokens.', kind: 'warning' },
      { content: 'Answer in British English.', kind: 'preference', ...SAVED },
      { content: 'The ledger is append-only.', kind: 'decision', status: 'pinned' },
      { content: '- [ ] rotate the keys', category: 'tasks' },
    )
    expect(await startTexts()).toEqual([
      'The ledger is append-only.',
      'Never log tokens.',
      'Answer in British English.',
      '- [ ] rotate the keys',
    ])
  })

  it('has only the decisions and lessons that match the command', async () => {
    await store(
      { content: 'The authentication flow uses short sessions with refresh tokens.', kind: 'decision' },
      { content: 'The deploy script needs bash 5.', kind: 'lesson' },
      { content: 'Tailwind classes break the pixel grid.', kind: 'lesson' },
      { content: 'The authentication flow must not redirect twice.', kind: 'lesson' },
    )
    expect((await startTexts({ prompt: 'review the authentication flow' })).sort()).toEqual([
      'The authentication flow must not redirect twice.',
      'The authentication flow uses short sessions with refresh tokens.',
    ])
  })

  it('names the tool for saving and no file, and leaves the line out where agents are not asked', async () => {
    const { brief } = await startBrief(engine, {})
    expect(brief.text).toContain('`remember` tool')
    expect(brief.text).not.toMatch(/WRITE to files|decisions\.md/)
    const silent = { ...engine, config: async () => ({ ...(await engine.config()), agentSaves: 'off' }) }
    expect((await startBrief(silent as Composed, {})).brief.text).toBe('')
  })

  it('is explained item by item', async () => {
    writeIn(root, '.memory/_project.md', 'A ledger for orchards.\n')
    await store(
      { content: 'Never log tokens.', kind: 'warning' },
      { content: 'The authentication flow must not redirect twice.', kind: 'lesson' },
      { content: 'Tailwind classes of the flow break the pixel grid.', kind: 'lesson' },
      ...[1, 2, 3, 4, 5, 6].map(n => ({
        content: `Pinned ${n}.`,
        kind: 'decision',
        status: 'pinned' as const,
      })),
    )
    const { items } = await whyOperation.run(
      engine,
      { start: true, prompt: 'review the authentication flow' },
      {},
    )
    const rows = items.map(({ tier, told, reason, preview }) => `${told} ${tier} ${reason}: ${preview}`)
    expect(rows).toContain('true rules a standing rule: Never log tokens.')
    expect(rows).toContain('true project the text of .memory/_project.md: A ledger for orchards.')
    expect(rows).toContain(
      'true lessons a lesson that matches the subject of the session: The authentication flow must not redirect twice.',
    )
    expect(items.filter(({ reason }) => reason.startsWith('more than 5 entries are pinned'))).toHaveLength(1)
  })
})
