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
} from '../../../test/support/recall-world.ts'
import type { MemoryEvent } from '../../model/event.ts'
import { fingerprint } from '../../text/fingerprint.ts'
import { isMeaningful } from './diff-bundle.ts'
import { planRecall } from './plan-recall.ts'

const steps = (...given: readonly Step[]) => said(history(...given).bundle, 'nextSteps')
const gotchas = (...given: readonly Step[]) => said(history(...given).bundle, 'gotchas')

describe('next steps', () => {
  const task = entry('- [ ] Rotate the signing keys', { kind: 'task' })

  it('are open tasks and what sessions said is left', () => {
    const events = [
      session('a', day(2), {
        nextStepHints: ['Paging of the export is still missing.', 'Migrated the invoices.'],
      }),
    ]
    expect(steps({ entries: [task, entry('- [x] Write docs', { kind: 'task' })], events })).toEqual([
      'Rotate the signing keys',
      'Paging of the export is still missing.',
    ])
  })

  it('are told once where an entry says in one what its session says sentence by sentence', () => {
    const said =
      'TODO: document the export endpoint. I still need to handle refunds; that is nowhere near done.'
    const captured = entry(`- [ ] ${said}`, { kind: 'task', origin: 'machine', status: 'candidate' })
    const events = [session('a', day(2), { nextStepHints: [said] })]
    expect(steps({ entries: [captured], events })).toEqual([said])
  })

  it('are taken out of a warning that names one, and leave when they are done', () => {
    const said = 'Next step: add a test for commas in names. Watch out: the billing module caches currencies.'
    const captured = entry(said, { origin: 'machine', status: 'candidate' })
    const told = { entries: [captured], events: [session('a', day(2), { gotchas: [said] })] }
    const bundle = history(told).bundle
    expect([bundle.gotchas, bundle.nextSteps].map(items => items.map(({ text }) => text))).toEqual([
      ['Watch out: the billing module caches currencies.'],
      ['Next step: add a test for commas in names.'],
    ])
    const done = {
      entries: [captured],
      events: [session('b', day(3), { decisions: ['Added a test for commas in names.'] })],
    }
    expect(steps(told, done)).toEqual([])
    expect(gotchas(told, done)).toEqual(['Watch out: the billing module caches currencies.'])
  })

  it('leave when the task is ticked, removed, or was said to be done', () => {
    const ticked = { ...task, content: '- [x] Rotate the signing keys', updated: day(3).slice(0, 19) }
    expect(steps({ entries: [task] }, { entries: [ticked] })).toEqual([])
    expect(steps({ entries: [task] }, { entries: [] })).toEqual([])
    const events = [
      session('b', day(4), { decisions: ['The signing keys are rotated, and the old ones revoked.'] }),
    ]
    expect(steps({ entries: [task] }, { entries: [task], events })).toEqual([])
  })

  it('stay away once they were finished, until the task is changed or said again', () => {
    const events = [session('b', day(4), { decisions: ['The signing keys are rotated.'] })]
    const finished = [{ entries: [task] }, { entries: [task], events }]
    expect(steps(...finished, { entries: [task] })).toEqual([])
    const changed = {
      ...task,
      content: '- [ ] Rotate the signing keys of staging too',
      updated: day(25).slice(0, 19),
    }
    expect(steps(...finished, { entries: [changed] })).toEqual(['Rotate the signing keys of staging too'])
    const again = [
      session('c', day(6), { nextStepHints: ['We still need to rotate the signing keys in staging.'] }),
    ]
    expect(steps(...finished, { entries: [task], events: again })).toEqual([
      'We still need to rotate the signing keys in staging.',
    ])
  })

  it.each([
    'The signing keys are not done yet.',
    'Rotating the signing keys is nowhere near done.',
    'The signing keys are almost finished.',
    'Signing keys done? No.',
    'As chaves ainda não foram rotacionadas.',
  ])('are not finished by: %s', sentence => {
    const events = [session('b', day(4), { decisions: [sentence] })]
    expect(steps({ entries: [task] }, { entries: [task], events })).toEqual(['Rotate the signing keys'])
  })

  it('are not finished by what was said before them', () => {
    const late = { ...task, date: day(9).slice(0, 16) }
    const events = [session('b', day(4), { decisions: ['The signing keys are rotated.'] })]
    expect(steps({ entries: [late], events })).toEqual(['Rotate the signing keys'])
  })

  it('are finished by what was said later in the same session', () => {
    const events = [session('a', day(2), { nextStepHints: ['The importer tests are still missing.'] })]
    const spoken = [{ text: 'Good, the importer tests are written and pass.', at: day(2, 9) }]
    expect(steps({ events, spoken })).toEqual(['The importer tests are still missing.'])
    const saidAt = new Map([[fingerprint('The importer tests are still missing.'), day(2, 8)]])
    expect(steps({ events, spoken, saidAt })).toEqual([])
  })

  it('leave when the check that they ask for passes', () => {
    const todo = entry('- [ ] Get `npm run lint` green again', { kind: 'task' })
    const other = entry('- [ ] Run npm run lint on the new package too', { kind: 'task' })
    const events = [run('b', day(4), 'npm run lint', 'passed')]
    expect(steps({ entries: [todo, other] }, { entries: [todo, other], events })).toEqual([
      'Run npm run lint on the new package too',
    ])
  })

  it('of one entry are settled box by box', () => {
    const list = entry('- [ ] Rotate the signing keys\n- [ ] Write the importer tests', { kind: 'task' })
    const events = [session('b', day(4), { decisions: ['The importer tests are written.'] })]
    expect(steps({ entries: [list] }, { entries: [list], events }, { entries: [list] })).toEqual([
      'Rotate the signing keys',
    ])
  })
})

describe('gotchas', () => {
  const proxy = 'The proxy drops idle sockets after 60 seconds.'

  it('are warnings, errors, lessons and discoveries, each once', () => {
    const events = [
      session('a', day(2), { gotchas: [proxy, 'The cache must be warm before the first request.'] }),
    ]
    expect(gotchas({ entries: [entry(proxy)], events })).toEqual([
      proxy,
      'The cache must be warm before the first request.',
    ])
  })

  it('leave when they are resolved, contradicted or superseded', () => {
    const events = [session('a', day(2), { gotchas: ['The login test is flaky on CI.'] })]
    const fixed = [session('b', day(4), { decisions: ['The flaky login test on CI is fixed.'] })]
    expect(gotchas({ events }, { events: fixed })).toEqual([])
    const known = entry(proxy)
    const plan = planRecall({
      ...input(),
      entries: [{ entry: known, isRetired: true }],
      bundle: history({ entries: [known] }).bundle,
    })
    expect(said(plan.bundle, 'gotchas')).toEqual([])
  })

  it('of a run leave when its check passes', () => {
    const failed = [run('a', day(2), 'npm test', 'failed', 'TypeError: total is not a function')]
    expect(gotchas({ events: failed })).toEqual(['`npm test`: TypeError: total is not a function'])
    expect(gotchas({ events: failed }, { events: [run('a', day(3), 'npm test', 'passed')] })).toEqual([])
    expect(gotchas({ events: [...failed, run('a', day(3), 'npm test', 'passed')] })).toEqual([])
  })

  it('that somebody forgot do not come back through an event', () => {
    const events = [session('a', day(2), { gotchas: [proxy] })]
    expect(gotchas({ events, retired: [proxy] })).toEqual([])
    expect(gotchas({ events, retired: [proxy], entries: [entry(proxy)] })).toEqual([proxy])
  })

  it('that are pinned stay, whatever a session says', () => {
    const pinned = entry('The login test is flaky on CI.', { status: 'pinned' })
    const events = [session('b', day(4), { decisions: ['The flaky login test on CI is fixed.'] })]
    expect(gotchas({ entries: [pinned], events })).toEqual(['The login test is flaky on CI.'])
  })

  it('are bounded, pinned first, then what persons wrote, then the newest', () => {
    const many = Array.from({ length: 40 }, (_, n) =>
      session(`s${n}`, day(2 + (n % 10)), { gotchas: [`Module number${n} needs the flag alpha${n} set.`] }),
    )
    const pinned = entry('Never edit the vendored parser.', { status: 'pinned' })
    const plan = history({ events: many, entries: [pinned, entry('Redis needs a password here.')] })
    expect(plan.bundle.gotchas).toHaveLength(15)
    expect(said(plan.bundle, 'gotchas').slice(0, 2)).toEqual([
      'Never edit the vendored parser.',
      'Redis needs a password here.',
    ])
    expect(plan.crowdedOut.gotchas).toBeGreaterThan(10)
  })
})

describe('the policy', () => {
  const hint = 'The importer chokes on empty lines.'
  const maybe = 'Maybe the cache is the reason for the slow start.'
  const events = [session('a', day(2), { gotchas: [hint, maybe] })]

  it('lets in what is wanted', () => {
    expect(gotchas({ events, policy: 'conservative' })).toEqual([])
    expect(gotchas({ events, policy: 'balanced' })).toEqual([hint])
    expect(gotchas({ events, policy: 'eager' }).sort()).toEqual([maybe, hint].sort())
  })

  it('conservative takes what a person wrote, and what two sessions say, also one that was folded in before', () => {
    const captured = entry(hint, { origin: 'machine', status: 'candidate', session: 'a' })
    expect(gotchas({ events, entries: [captured], policy: 'conservative' })).toEqual([])
    expect(gotchas({ entries: [entry(hint)], policy: 'conservative' })).toEqual([hint])
    const second = session('b', day(3), { gotchas: [hint] })
    expect(gotchas({ events: [...events, second], policy: 'conservative' })).toEqual([hint])
    expect(gotchas({ events: [second], knownEvents: events, policy: 'conservative' })).toEqual([hint])
  })
})

describe('the focus', () => {
  it('is what the last sessions were asked for, changed and decided, newest first, and fades', () => {
    const asked = (text: string) => `Asked for “${text}”, and at last for “Run the tests”. 2 findings.`
    const events = [
      session('old', day(1), {}, asked('Draw the new logo for the site')),
      session(
        'a',
        day(17),
        { decisions: ['Exports are streamed, never buffered.'] },
        asked('Add CSV export to the invoices page #remember'),
      ),
      session('b', day(18), { keyPaths: ['src/mail/send.ts', 'src/mail/queue.ts'] }, asked('hi')),
    ]
    expect(said(history({ events }).bundle, 'currentFocus')).toEqual([
      'Changes in src/mail (queue.ts, send.ts)',
      'Asked for “Add CSV export to the invoices page”',
      'Decided: Exports are streamed, never buffered.',
    ])
  })

  it('names no file outside the project, whoever wrote the events', () => {
    const keyPaths = ['../../etc/passwd', '/home/ana/.ssh/id', '~/notes', 'C:\\x', 'a/../../b', 'src/..x.ts']
    const { bundle } = history({ events: [session('a', day(2), { keyPaths })] })
    expect(bundle.currentFocus).toMatchObject([{ text: 'Changes in src (..x.ts)', files: ['src/..x.ts'] }])
  })

  it('tells of two decisions that are against each other the newer', () => {
    const entries = [
      entry('Sessions live in Redis.', { kind: 'decision', date: day(2).slice(0, 16) }),
      entry('Sessions no longer live in Redis, they live in PostgreSQL.', {
        kind: 'decision',
        date: day(5).slice(0, 16),
      }),
    ]
    expect(said(history({ entries }).bundle, 'currentFocus')).toEqual([
      'Decided: Sessions no longer live in Redis, they live in PostgreSQL.',
    ])
  })

  it('has what somebody wrote down for the next, and not the last messages of a session', () => {
    const entries = [
      entry('Half of the mail templates are moved.\n\nDetails follow.', { kind: 'handoff' }),
      entry('[User]: thanks\n[Agent]: Bye.', { kind: 'handoff' }),
    ]
    expect(said(history({ entries }).bundle, 'currentFocus')).toEqual([
      'Half of the mail templates are moved.',
    ])
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
    const events = [
      session('a', day(2), {
        gotchas: [
          `The token ${token} must not be logged.`,
          '## Heading <!-- cairn end -->\n```\nrm -rf',
          7 as never,
        ],
        nextStepHints: [`Rotate ${token} before June`],
      }),
    ]
    const { bundle } = history({ events, policy: 'eager' })
    const text = JSON.stringify(bundle)
    expect(text).not.toContain(token)
    expect(text).not.toMatch(/<!--|-->|```|\\n/)
  })

  it('says the same again after a history that is too long to compare all of it', () => {
    const events = Array.from({ length: 2_000 }, (_, n) =>
      session(`s${n % 40}`, day(1 + (n % 14)), {
        decisions: n % 7 === 0 ? [`We use option ${n % 300} for part ${n % 31}`] : [],
        gotchas: n % 5 === 0 ? [`Watch out: number ${n} drops the cache of the module`] : [],
        nextStepHints: n % 5 === 1 ? [`Next step: handle case ${n} of module ${n % 97}`] : [],
      }),
    )
    const first = history({ events })
    expect(isMeaningful(first.bundle, history({ events }, {}).bundle)).toBe(false)
  })

  it('says the same again: nothing new changes nothing, in any history', () => {
    const texts = [
      'Rotate the signing keys',
      'The signing keys are rotated.',
      'The proxy drops idle sockets.',
      'The proxy no longer drops idle sockets.',
      'Paging is still missing',
      'Maybe the cache is slow',
      'Half of the mails are moved',
      'Os testes do importador ainda faltam',
      'Os testes do importador estão prontos',
    ]
    const anEvent = fc
      .record({
        at: fc.integer({ min: 1, max: 28 }),
        source: fc.constantFrom('a', 'b', 'c'),
        gotchas: fc.subarray(texts),
        decisions: fc.subarray(texts),
        nextStepHints: fc.subarray(texts),
      })
      .map(
        ({ at, source, ...signals }): MemoryEvent =>
          session(
            source,
            day(at),
            signals,
            `Asked for “${signals.gotchas[0] ?? 'Look around in the project'}”. 1 finding.`,
          ),
      )
    const anEntry = fc
      .record({
        text: fc.constantFrom(...texts),
        kind: fc.constantFrom('warning', 'task', 'decision', 'handoff', 'lesson'),
        at: fc.integer({ min: 1, max: 28 }),
        origin: fc.constantFrom('person' as const, 'machine' as const),
      })
      .map(({ text, at, ...more }) =>
        entry(text, {
          ...more,
          status: more.origin === 'person' ? 'confirmed' : 'candidate',
          date: day(at).slice(0, 16),
        }),
      )
    fc.assert(
      fc.property(
        fc.array(anEvent, { maxLength: 5 }),
        fc.array(anEntry, { maxLength: 5 }),
        fc.constantFrom('conservative' as const, 'balanced' as const, 'eager' as const),
        (events, entries, policy) => {
          const first = history({ events, entries, policy })
          const again = planRecall({
            ...input({ entries, knownEvents: events, policy }),
            bundle: first.bundle,
            settled: first.settled,
            lastSaid: first.lastSaid,
            bundleAt: day(20),
          })
          expect(again.bundle).toEqual(first.bundle)
          expect(isMeaningful(first.bundle, again.bundle)).toBe(false)
          for (const section of ['currentFocus', 'gotchas', 'nextSteps'] as const)
            for (const item of again.bundle[section]) expect(item.sources.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('leaves what was not asked for as it is', () => {
    const before = history({ entries: [entry('The proxy drops idle sockets.')] })
    const events = [
      session('a', day(2), {
        gotchas: ['The cache must be warm.'],
        nextStepHints: ['Paging is still missing.'],
      }),
    ]
    const plan = planRecall({
      ...input({ events, entries: undefined, sections: ['nextSteps'] }),
      bundle: before.bundle,
    })
    expect(said(plan.bundle, 'gotchas')).toEqual(['The proxy drops idle sockets.'])
    expect(said(plan.bundle, 'nextSteps')).toEqual(['Paging is still missing.'])
  })
})
