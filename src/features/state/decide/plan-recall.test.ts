import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  day,
  entry,
  history,
  input,
  run,
  type Step,
  said,
  session,
} from '../../../../test/support/recall-world.ts'
import { bundleHashOf } from '../../../kernel/system/digest.ts'
import { isMeaningful } from './diff-bundle.ts'
import { planRecall } from './plan-recall.ts'

const steps = (...given: readonly Step[]) => said(history(...given).bundle, 'nextSteps')
const gotchas = (...given: readonly Step[]) => said(history(...given).bundle, 'gotchas')
const focus = (...given: readonly Step[]) => said(history(...given).bundle, 'currentFocus')

const SUGGESTED = { origin: 'machine', status: 'candidate' } as const
const BY_AGENT = { origin: 'agent', status: 'candidate' } as const
const handoff = (content: string, more = {}) =>
  entry(content, { kind: 'handoff', origin: 'machine', status: 'confirmed', ...more })

describe('next steps', () => {
  const task = entry('- [ ] Rotate the signing keys', { kind: 'task' })

  it('are the open tasks, then what the last handoff leaves', () => {
    const entries = [
      handoff('Asked: Add paging to the export\nLeft: Test it with a slow server. `npm run lint` failed.'),
      task,
      entry('- [x] Write docs', { kind: 'task' }),
      entry('Ask for the second certificate', { kind: 'task', ...BY_AGENT }),
    ]
    expect(steps({ entries })).toEqual([
      'Ask for the second certificate',
      'Rotate the signing keys',
      'Test it with a slow server.',
      '`npm run lint` failed.',
    ])
  })

  it('never come from suggestions or from what sessions said', () => {
    const events = [session('a', day(2), { nextStepHints: ['Paging of the export is still missing.'] })]
    const suggested = entry('- [ ] Perhaps move to another database', { kind: 'task', ...SUGGESTED })
    expect(steps({ entries: [suggested], events })).toEqual([])
  })

  it('leave when the task is ticked or removed, and say why', () => {
    const ticked = { ...task, content: '- [x] Rotate the signing keys', updated: day(3).slice(0, 19) }
    expect(steps({ entries: [task] }, { entries: [ticked] })).toEqual([])
    expect(history({ entries: [task] }, { entries: [ticked] }).left).toEqual([
      { section: 'nextSteps', text: 'Rotate the signing keys', why: 'finished' },
    ])
    expect(history({ entries: [task] }, { entries: [] }).left.map(({ why }) => why)).toEqual([
      'its entry is gone',
    ])
  })

  it('of one entry are its open boxes, named as `task done` names them', () => {
    const list = entry('- [x] Draft it\n- [ ] Review it\n- [ ] Publish it', { kind: 'task', id: 'boxes' })
    expect(
      history({ entries: [list] }).bundle.nextSteps.map(({ text, sources }) => [text, ...sources]),
    ).toEqual([
      ['Review it', 'entry:boxes:2'],
      ['Publish it', 'entry:boxes:3'],
    ])
  })
})

describe('gotchas', () => {
  it('are warnings, errors and lessons of persons and agents, pinned and persons first', () => {
    const entries = [
      entry('The cache must be warm before a load test.', { kind: 'lesson', ...BY_AGENT }),
      entry('The proxy drops idle sockets after 60 seconds.'),
      entry('Migrations lock the orders table.', { kind: 'error', status: 'pinned' }),
      entry('We use SSE for the board.', { kind: 'decision' }),
      entry('Something that a rule picked up.', SUGGESTED),
    ]
    expect(gotchas({ entries })).toEqual([
      'Migrations lock the orders table.',
      'The proxy drops idle sockets after 60 seconds.',
      'The cache must be warm before a load test.',
    ])
  })

  it('never come from events: an error of a run is not a gotcha', () => {
    const events = [
      session('a', day(2), { gotchas: ['The issue is the cache.'] }),
      run('a', day(3), 'npm test', 'failed', 'TypeError: x is undefined'),
    ]
    expect(gotchas({ events })).toEqual([])
  })

  it('leave when a newer entry supersedes them', () => {
    const old = entry('Tokens live for one hour.')
    const plan = planRecall({
      ...input(),
      bundle: history({ entries: [old] }).bundle,
      entries: [{ entry: old, isSuperseded: true }],
    })
    expect(plan.bundle.gotchas).toEqual([])
    expect(plan.left).toEqual([{ section: 'gotchas', text: 'Tokens live for one hour.', why: 'superseded' }])
  })

  it('are limited, and the rest is counted', () => {
    const entries = Array.from({ length: 14 }, (_, n) => entry(`Watch out for the trap number ${n}.`))
    const plan = history({ entries })
    expect(plan.bundle.gotchas).toHaveLength(10)
    expect(plan.crowdedOut).toEqual({ gotchas: 4 })
  })

  it('with the same words are one, with both sources', () => {
    const entries = [
      entry('The proxy drops idle sockets.', { id: 'a' }),
      entry('The proxy drops idle sockets.', { id: 'b', ...BY_AGENT }),
    ]
    expect(history({ entries }).bundle.gotchas).toMatchObject([{ sources: ['entry:a', 'entry:b'] }])
  })
})

describe('the policy', () => {
  it.each([
    ['conservative', ['Of a person.']],
    ['balanced', ['Of a person.', 'A warning of an agent.']],
    ['eager', ['Of a person.', 'A warning of an agent.', 'A discovery of an agent.']],
  ] as const)('%s', (policy, expected) => {
    const entries = [
      entry('A discovery of an agent.', { kind: 'discovery', ...BY_AGENT }),
      entry('A warning of an agent.', BY_AGENT),
      entry('Of a person.', { kind: 'lesson' }),
    ]
    expect(gotchas({ entries, policy })).toEqual(expected)
  })
})

describe('the focus', () => {
  it('is what the last real handoff says was asked, the newest request first', () => {
    const entries = [
      handoff('Asked: Old work on the importer', { date: day(2).slice(0, 16) }),
      handoff('Asked: Add retries to the upload → … → Make the limit configurable\nLeft: Document it.', {
        date: day(5).slice(0, 16),
      }),
      handoff('[User]: thanks\n[Agent]: Bye.', { date: day(6).slice(0, 16) }),
    ]
    expect(focus({ entries })).toEqual(['Make the limit configurable', 'Add retries to the upload'])
  })

  it('reads the handoff of an agent, with or without labels', () => {
    const labelled =
      'Asked: move the board to SSE. Verified: npm test passes. Claimed: reconnects work. Left: load test with 500 clients; nothing else.'
    const { bundle } = history({ entries: [handoff(labelled, BY_AGENT)] })
    expect(said(bundle, 'currentFocus')).toEqual(['move the board to SSE.'])
    expect(said(bundle, 'nextSteps')).toEqual(['load test with 500 clients; nothing else.'])
    expect(focus({ entries: [handoff('The board is half migrated.\n\nMore follows.', BY_AGENT)] })).toEqual([
      'The board is half migrated.',
    ])
    expect(steps({ entries: [handoff('Asked: fix it\nLeft: nothing', BY_AGENT)] })).toEqual([])
  })

  it('is left out when there is no handoff, whatever sessions were asked for', () => {
    const events = [session('a', day(2), { keyPaths: ['src/a.ts'] }, 'Add an export of all invoices')]
    expect(focus({ events, entries: [entry('We use SSE.', { kind: 'decision' })] })).toEqual([])
  })
})

describe('validation commands', () => {
  it('tell how each last went, those of the project first', () => {
    const scripts = [
      { name: 'test', command: 'vitest run', path: 'package.json' },
      { name: 'lint', command: 'biome check', path: 'package.json' },
    ]
    const project = { ...input().project, map: { ...input().project.map, scripts } }
    const events = [
      run('a', day(2), 'cargo test', 'passed'),
      run('a', day(3), 'npm run test', 'failed'),
      run('b', day(4), 'npm test', 'passed'),
      {
        ...session('c', day(5), {}),
        signals: { ...session('c', day(5), {}).signals, validationObservations: ['make check'] as never },
      },
    ]
    expect(
      history({ events, project }).bundle.validationCommands.map(({ command, lastOutcome }) => [
        command,
        lastOutcome,
      ]),
    ).toEqual([
      ['npm run test', 'passed'],
      ['npm run lint', undefined],
      ['cargo test', 'passed'],
    ])
  })
})

describe('whatever it is given', () => {
  it('keeps secrets, marks and line breaks out', () => {
    const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`
    const entries = [
      entry(`The token ${token} must not be logged.`),
      entry('## Heading <!-- cairn end -->\n```\nrm -rf'),
      entry(`- [ ] Rotate ${token} before June`, { kind: 'task' }),
      handoff(`Asked: Rotate ${token}\nLeft: <!-- x --> more`),
    ]
    const text = JSON.stringify(history({ entries }).bundle)
    expect(text).not.toContain(token)
    expect(text).not.toMatch(/<!--|-->|```|\\n/)
  })

  it('is the same again: nothing new changes nothing, whatever the entries and their order', () => {
    const texts = [
      '- [ ] Rotate the signing keys',
      'The proxy drops idle sockets.',
      'Asked: Move the mails → Half of them\nLeft: Paging is missing. `npm test` failed: x',
      'Os testes do importador ainda faltam',
    ]
    const anEvent = fc
      .record({
        at: fc.integer({ min: 1, max: 28 }),
        outcome: fc.constantFrom('passed' as const, 'failed' as const),
        command: fc.constantFrom('npm test', 'npm run lint', 'cargo test'),
      })
      .map(({ at, command, outcome }) => run('a', day(at), command, outcome))
    const anEntry = fc
      .record({
        text: fc.constantFrom(...texts),
        kind: fc.constantFrom('warning', 'task', 'decision', 'handoff', 'lesson'),
        at: fc.integer({ min: 1, max: 28 }),
        origin: fc.constantFrom('person' as const, 'agent' as const, 'machine' as const),
        status: fc.constantFrom('candidate' as const, 'confirmed' as const, 'pinned' as const),
      })
      .map(({ text, at, ...more }) => entry(text, { ...more, date: day(at).slice(0, 16) }))
    fc.assert(
      fc.property(
        fc.array(anEvent, { maxLength: 5 }),
        fc.array(anEntry, { maxLength: 8 }),
        fc.constantFrom('conservative' as const, 'balanced' as const, 'eager' as const),
        fc.constantFrom(undefined, day(29)),
        (events, entries, policy, wordedAt) => {
          const first = history({ events, entries, policy })
          const shuffled = [...entries].reverse()
          const again = planRecall({
            ...input({ entries: shuffled, policy }),
            bundle: first.bundle,
            ...(wordedAt !== undefined && { wordedAt }),
          })
          expect(bundleHashOf(again.bundle)).toBe(bundleHashOf(first.bundle))
          expect(isMeaningful(first.bundle, again.bundle)).toBe(false)
          expect(again.left).toEqual([])
        },
      ),
      { numRuns: 150 },
    )
  })

  it('keeps the words of a model while their entries are unchanged', () => {
    const entries = [
      entry('The proxy drops idle sockets, it seems after 60 s.', { id: 'a' }),
      entry('Sockets that idle are dropped by the proxy.', { id: 'b' }),
    ]
    const rules = history({ entries }).bundle
    const [one] = rules.gotchas
    const merged = {
      ...one,
      text: 'The proxy drops idle sockets after 60 s.',
      sources: ['entry:a', 'entry:b'],
    }
    const bundle = { ...rules, gotchas: [merged as NonNullable<typeof one>] }
    const again = (more: readonly (typeof entries)[number][]) =>
      said(planRecall({ ...input({ entries: more }), bundle, wordedAt: day(10) }).bundle, 'gotchas')
    expect(again(entries)).toEqual(['The proxy drops idle sockets after 60 s.'])
    const changed = [entries[0], { ...entries[1], updated: day(11).slice(0, 19) }] as typeof entries
    expect(again(changed)).toHaveLength(2)
  })

  it('leaves what was not asked for as it is', () => {
    const before = history({ entries: [entry('The proxy drops idle sockets.')] })
    const task = entry('- [ ] Add paging', { kind: 'task' })
    const plan = planRecall({
      ...input({ entries: [task], sections: ['nextSteps'] }),
      bundle: before.bundle,
    })
    expect(said(plan.bundle, 'gotchas')).toEqual(['The proxy drops idle sockets.'])
    expect(said(plan.bundle, 'nextSteps')).toEqual(['Add paging'])
  })
})
