import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeOf } from './place.ts'
import { type MigrationFile, type MigrationStep, planMigration } from './plan-migration.ts'

const ROOTS = { resources: 'r', learnings: 'l' }
const same = (text: string) => text
const file = (path: string, text: string, more: Partial<MigrationFile> = {}): MigrationFile => {
  const place = placeOf(path, ROOTS)
  if (place === undefined) throw new Error(`${path} is no place`)
  return { place, text, ...more }
}
const added = (steps: readonly MigrationStep[]) =>
  steps.map(({ path, does, adds }) => [
    path,
    does,
    ...adds.map(({ field, value, from }) => `${field}: ${value} (${from})`),
  ])

describe('a plan gets what it lacks', () => {
  it('and a line that says a field is not what it is about', () => {
    const path = 'r/devtools/_plans/260208-engine.md'
    const { steps } = planMigration(
      [file(path, '# Engine\n\nStatus: done\nOwner: us\n\nRun task graphs.\n')],
      same,
    )
    expect(added(steps)[0]).toEqual([
      path,
      'edit',
      'name: Engine (its heading)',
      'description: Run task graphs. (its first paragraph)',
      'status: done (its line "Status: done")',
      'created: 2026-02-08 (its file name)',
      'tags:  (none found)',
    ])
  })

  it('from its name, its heading, its first paragraph and its checkboxes', () => {
    const { steps, problems } = planMigration(
      [
        file(
          'r/devtools/common/_plans/260208-workflow-engine.md',
          '# Workflow Engine\n\n> quoted\n\nRun task graphs, in order\nand at once. #queue\n\n- [x] parse\n- [x] run\n',
        ),
      ],
      same,
    )
    expect(problems).toEqual([])
    expect(added(steps)).toEqual([
      [
        'r/devtools/common/_plans/260208-workflow-engine.md',
        'edit',
        'name: Workflow Engine (its heading)',
        'description: Run task graphs, in order and at once. #queue (its first paragraph)',
        'status: done (its checkboxes: 2 of 2)',
        'created: 2026-02-08 (its file name)',
        'tags: queue (the #words in it)',
      ],
    ])
    expect(steps[0]?.after).toBe(
      '---\nname: Workflow Engine\ndescription: "Run task graphs, in order and at once. #queue"\nstatus: done\ncreated: 2026-02-08\ntags: [queue]\n---\n\n# Workflow Engine\n\n> quoted\n\nRun task graphs, in order\nand at once. #queue\n\n- [x] parse\n- [x] run\n',
    )
  })

  it.each([
    ['- [x] a\n- [ ] b\n', 'partial'],
    ['- [ ] a\n', 'new'],
    ['**Status:** Completed ✅\n\n- [ ] a\n', 'done'],
    ['Status: in-progress\n', 'in_progress'],
    ['Status: not done yet\n', 'new'],
    ['Status: nowhere near done\n', 'new'],
    ['Status: done, but not deployed\n', 'new'],
    ['We are done here.\n', 'new'],
    ['```\nStatus: done\n- [x] a\n```\n', 'new'],
  ])('its status only from what says it plainly: %j', (body, status) => {
    const { steps } = planMigration([file('r/w/_plans/260208-x.md', `Words.\n\n${body}`)], same)
    expect(steps[0]?.adds.find(({ field }) => field === 'status')?.value).toBe(status)
  })

  it('its date from git or the disk when its name says none, and says which', () => {
    const created = (more: Partial<MigrationFile>) =>
      planMigration([file('r/w/_plans/engine.md', 'Words.', more)], same).steps[0]?.adds.find(
        ({ field }) => field === 'created',
      )
    expect(created({ committed: '2025-01-02', modified: '2026-01-02' })).toMatchObject({
      value: '2025-01-02',
      from: 'its first commit',
    })
    expect(created({ modified: '2026-01-02' })).toMatchObject({ from: 'when the file was last changed' })
    expect(created({})).toBeUndefined()
  })

  it('and keeps every byte that is there', () => {
    const text = '---\r\n# ours\r\nname: X   # why\r\ntags: []\r\n---\r\nBody.\r\n'
    expect(planMigration([file('r/w/_plans/260208-x.md', text)], same).steps[0]?.after).toBe(
      '---\r\n# ours\r\nname: X   # why\r\ntags: []\r\ndescription: Body.\r\nstatus: new\r\ncreated: 2026-02-08\r\n---\r\nBody.\r\n',
    )
  })

  it.each([
    ['---\nname: [\n---\n', 'front_matter_invalid'],
    ['---\nname: x\n', 'front_matter_open'],
    ['---\n{name: x}\n---\nWords.\n', 'front_matter_invalid'],
  ])('unless it cannot be read: %j', (text, code) => {
    const { steps, problems } = planMigration([file('r/w/_plans/260208-x.md', text)], same)
    expect(steps).toEqual([])
    expect(problems).toMatchObject([
      { code, path: 'r/w/_plans/260208-x.md', message: expect.stringContaining('left as it is') },
    ])
  })

  it('takes no secret into its description', () => {
    const clean = (text: string) => text.replaceAll('hunter2', '[redacted]')
    const { steps } = planMigration([file('r/w/_plans/260208-x.md', 'The key is hunter2.')], clean)
    expect(steps[0]?.adds.find(({ field }) => field === 'description')?.value).toBe('The key is [redacted].')
  })
})

describe('ABSTRACT.md goes into the overview', () => {
  it('that lacks a description', () => {
    const { steps, problems } = planMigration(
      [
        file('r/w/OVERVIEW.md', '# Tools\n\nLong text.\n'),
        file('r/w/ABSTRACT.md', '# Abstract\n\nShared tools\nof ours.\n'),
      ],
      same,
    )
    expect(problems).toEqual([])
    expect(added(steps)).toEqual([
      [
        'r/w/OVERVIEW.md',
        'edit',
        'name: Tools (its heading)',
        'description: Shared tools of ours. (ABSTRACT.md)',
        'tags:  (none found)',
      ],
      ['r/w/ABSTRACT.md', 'remove'],
    ])
  })

  it('that says the same already', () => {
    const { steps } = planMigration(
      [
        file('r/w/OVERVIEW.md', '---\nname: T\ndescription: Shared tools.\ntags: []\n---\n'),
        file('r/w/ABSTRACT.md', 'Shared  tools.\n'),
      ],
      same,
    )
    expect(added(steps)).toEqual([['r/w/ABSTRACT.md', 'remove']])
  })

  it('and becomes one where there is none', () => {
    const { steps } = planMigration([file('r/w/d/Abstract.md', 'Shared tools.\n')], same)
    expect(steps).toMatchObject([
      {
        path: 'r/w/d/OVERVIEW.md',
        does: 'create',
        after: '---\nname: d\ndescription: Shared tools.\ntags: []\n---\n\n# d\n\nShared tools.\n',
      },
      { path: 'r/w/d/Abstract.md', does: 'remove' },
    ])
  })

  it.each([
    ['---\nname: T\ndescription: Something else.\ntags: []\n---\n', 'Shared tools.', 'abstract_differs'],
    ['---\nname: T\ndescription: D\ntags: []\n---\n', 'word '.repeat(400), 'abstract_too_long'],
    ['---\nname: T\ndescription: D\ntags: []\n---\n', 'The key is hunter2.', 'abstract_secret'],
  ])('but not over what a person said: %#', (overview, abstract, code) => {
    const clean = (text: string) => text.replaceAll('hunter2', '[redacted]')
    const { steps, problems } = planMigration(
      [file('r/w/OVERVIEW.md', overview), file('r/w/ABSTRACT.md', abstract)],
      clean,
    )
    expect(steps).toEqual([])
    expect(problems).toMatchObject([{ code, path: 'r/w/ABSTRACT.md' }])
  })
})

it('done twice it is done once, whatever the files say', () => {
  const line = fc.constantFrom(
    '',
    '# Heading',
    'Some words.',
    '- [x] a',
    '- [ ] b',
    'Status: done',
    '---',
    '#tag in it',
    '```',
    'name: x',
    'description: "d"',
    'status: new',
    'status: doen',
    'tags:',
    'tags: [a]',
    'created: 2026-02-08',
    '  - z',
    '\ufeff',
    'a: [',
    '{x: y}',
    '# c',
  )
  const text = fc
    .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([lines, end, isFront]) => [...(isFront ? ['---'] : []), ...lines].join(end))
  const path = fc.constantFrom(
    'r/w/OVERVIEW.md',
    'r/w/ABSTRACT.md',
    'r/w/_plans/260208-x.md',
    'r/w/_plans/y.md',
    'r/w/d/ABSTRACT.md',
    'r/w/d/OVERVIEW.md',
  )
  fc.assert(
    fc.property(fc.dictionary(path, text, { maxKeys: 6 }), world => {
      const filesOf = (texts: Readonly<Record<string, string>>) =>
        Object.entries(texts).map(([name, content]) => file(name, content, { modified: '2026-01-01' }))
      const after = { ...world }
      for (const step of planMigration(filesOf(world), same).steps) {
        expect(step.before).toBe(after[step.path] ?? null)
        if (step.after === null) delete after[step.path]
        else after[step.path] = step.after
      }
      expect(planMigration(filesOf(after), same).steps).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})
