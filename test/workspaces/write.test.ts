import { mkdirSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Memory, openMemory } from '../../src/api.ts'
import { readIn, scratchProject } from '../support/scratch-project.ts'

const R = 'resources/workspaces'
const L = 'user/memory/workspaces'
const NOW = Date.UTC(2026, 1, 9, 12)

async function open(files: Readonly<Record<string, string>> = {}): Promise<{ memory: Memory; root: string }> {
  const root = scratchProject(files)
  const memory = await openMemory({ root, vectors: 'never', upkeep: 'never', now: () => NOW })
  onTestFinished(() => memory.close())
  return { memory, root }
}

const OVERVIEW = { [`${R}/k/OVERVIEW.md`]: '---\nname: K\ndescription: d\ntags: []\n---\n' }
const PLAN = `---\r\n# ours\r\nname: 'X'\r\ndescription: d\r\nstatus: new # soon\r\ncreated: 2026-02-08\r\ntags:\r\n  - a\r\n---\r\n\r\nstatus: new\r\n`

describe('a plan', () => {
  test('is begun as the seed writes it, and read back', async () => {
    const { memory, root } = await open(OVERVIEW)
    const added = await memory.workspaces.addPlan('k', {
      name: 'Workflow Engine: part 2',
      description: 'Run task graphs',
      tags: ['Workflow', '#engine'],
    })
    expect(added).toMatchObject({
      id: '260209-workflow-engine-part-2',
      path: `${R}/k/_plans/260209-workflow-engine-part-2.md`,
    })
    expect(readIn(root, added.path)).toBe(`---
name: "Workflow Engine: part 2"
description: Run task graphs
status: new
created: 2026-02-09
tags: [workflow, engine]
---

# Workflow Engine: part 2

Run task graphs
`)
    expect((await memory.workspaces.plans('k')).problems).toEqual([])
    await expect(
      memory.workspaces.addPlan('k', { name: 'Workflow Engine, part 2', description: 'x' }),
    ).rejects.toMatchObject({ code: 'file_exists' })
  })

  test('gets a status, and keeps every other byte', async () => {
    const { memory, root } = await open({ [`${R}/k/_plans/260208-x.md`]: PLAN })
    const { changed } = await memory.workspaces.setPlan('260208-x', { status: 'done' })
    expect(changed).toEqual(['status'])
    expect(readIn(root, `${R}/k/_plans/260208-x.md`)).toBe(
      PLAN.replace('status: new #', 'status: done #').replace(
        '  - a\r\n',
        '  - a\r\nupdated: 2026-02-09\r\n',
      ),
    )
    // Said again, nothing is written.
    expect(await memory.workspaces.setPlan('260208-x', { status: 'done' })).toMatchObject({
      changed: [],
      record: null,
    })
    await memory.undo()
    expect(readIn(root, `${R}/k/_plans/260208-x.md`)).toBe(PLAN)
  })

  test('is named by its id, its scope or its path, and never guessed', async () => {
    const { memory } = await open({
      [`${R}/k/a/_plans/x.md`]: PLAN,
      [`${R}/k/b/_plans/x.md`]: PLAN,
      [`${R}/k/b/_plans/2025/y.md`]: PLAN,
    })
    const set = (name: string, scope?: string) =>
      memory.workspaces
        .setPlan(name, { status: 'done' }, scope === undefined ? {} : { scope })
        .then(({ path: file }) => file)
    await expect(set('x')).rejects.toMatchObject({
      code: 'ambiguous_match',
      details: {
        candidates: [
          { id: 'k/a/x', snippet: `${R}/k/a/_plans/x.md` },
          { id: 'k/b/x', snippet: `${R}/k/b/_plans/x.md` },
        ],
      },
    })
    expect(await set('x', 'k/a')).toBe(`${R}/k/a/_plans/x.md`)
    expect(await set('plan:k/b/x')).toBe(`${R}/k/b/_plans/x.md`)
    expect(await set('2025/y')).toBe(`${R}/k/b/_plans/2025/y.md`)
    expect(await set('y')).toBe(`${R}/k/b/_plans/2025/y.md`)
    expect(await set(`${R}/k/a/_plans/x.md`)).toBe(`${R}/k/a/_plans/x.md`)
    await expect(set('../../../etc/passwd')).rejects.toMatchObject({ code: 'plan_not_found' })
    await expect(set('2025')).rejects.toMatchObject({ code: 'plan_not_found', hint: 'Did you mean 2025/y?' })
  })

  test.each(['---\nname: [\n---\n', '---\nname: x\n', '# none\n', '---\n{name: x}\n---\n'])(
    'that cannot be read is not written: %j',
    async text => {
      const { memory, root } = await open({ [`${R}/k/_plans/x.md`]: text })
      await expect(memory.workspaces.setPlan('x', { status: 'done' })).rejects.toMatchObject({
        code: 'front_matter_invalid',
      })
      expect(readIn(root, `${R}/k/_plans/x.md`)).toBe(text)
    },
  )

  test('needs a scope that is there', async () => {
    const { memory } = await open(OVERVIEW)
    await expect(memory.workspaces.addPlan('nope', { name: 'x', description: 'y' })).rejects.toMatchObject({
      code: 'workspace_not_found',
    })
    await expect(memory.workspaces.addPlan('k', { name: ' ', description: 'y' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(
      memory.workspaces.addPlan('k', { name: 'x', description: 'y', created: '2026-02-30' }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('an overview', () => {
  test('begins a workspace, a domain and a repository', async () => {
    const { memory, root } = await open()
    expect(
      await memory.workspaces.setOverview('k', { description: 'All: of it', tags: ['a'] }),
    ).toMatchObject({ isNew: true })
    expect(readIn(root, `${R}/k/OVERVIEW.md`)).toBe(
      '---\nname: k\ndescription: "All: of it"\ntags: [a]\nupdated: 2026-02-09\n---\n\n# k\n\nAll: of it\n',
    )
    await memory.workspaces.setOverview('k/stock/feeds', {
      name: 'Feeds',
      description: 'Feeds',
      content: '# Feeds\n\nIn full.',
    })
    expect((await memory.workspaces.overview('k/stock/feeds')).overviews).toMatchObject([
      { scope: 'k', tier: 'T1' },
      { scope: 'k/stock/feeds', tier: 'T1', content: expect.stringContaining('In full.') },
    ])
    await expect(memory.workspaces.setOverview('z', { name: 'Z' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(memory.workspaces.setOverview('z/d', { description: 'x' })).rejects.toMatchObject({
      code: 'workspace_not_found',
    })
  })

  test('is changed in its place, text and all', async () => {
    const { memory, root } = await open({
      [`${R}/k/overview.md`]: '---\n# c\nname: K\ndescription: old\n---\n\nText.\n',
    })
    const { isNew } = await memory.workspaces.setOverview('k', { description: 'new' })
    expect(isNew).toBe(false)
    expect(readIn(root, `${R}/k/overview.md`)).toBe(
      '---\n# c\nname: K\ndescription: new\nupdated: 2026-02-09\n---\n\nText.\n',
    )
    expect(await memory.workspaces.setOverview('k', { description: 'new' })).toMatchObject({ record: null })
    await memory.workspaces.setOverview('k', { content: 'Other.' })
    expect(readIn(root, `${R}/k/overview.md`)).toContain('---\n\nOther.\n')
  })
})

describe('a learning', () => {
  test('is added in the format of the seed, and the same words are not added twice', async () => {
    const { memory, root } = await open({
      ...OVERVIEW,
      [`${R}/k/stock/OVERVIEW.md`]: '---\nname: S\ndescription: s\n---\n',
      [`${L}/k/decisions.md`]: '# Decisions\n\nBy hand.\n',
    })
    const entry = {
      title: 'Chose xstate',
      category: 'Architecture',
      content: 'Typed.\n\n### Really',
      tags: ['xstate'],
    }
    expect(await memory.workspaces.learn('k', 'decision', entry)).toMatchObject({
      duplicate: false,
      path: `${L}/k/decisions.md`,
    })
    expect(readIn(root, `${L}/k/decisions.md`)).toBe(
      '# Decisions\n\nBy hand.\n\n### [2026-02-09] Chose xstate\n\n**Category:** architecture\n**Tags:** xstate\n\nTyped.\n\n\\### Really\n\n---\n',
    )
    expect(
      await memory.workspaces.learn('k', 'decision', { ...entry, title: 'chose  XSTATE' }),
    ).toMatchObject({ duplicate: true, record: null })
    // What holds above holds here.
    expect(await memory.workspaces.learn('k/stock', 'decision', entry)).toMatchObject({
      duplicate: true,
      path: `${L}/k/decisions.md`,
    })
    expect(await memory.workspaces.learn('k/stock', 'lesson', entry)).toMatchObject({
      duplicate: false,
      path: `${L}/k/stock/lessons.md`,
    })
    const { decisions } = await memory.workspaces.learnings('k')
    expect(decisions).toMatchObject([{ content: 'Chose xstate\n\nTyped.\n\n### Really' }])
  })

  test('is freed of secrets, and says so', async () => {
    const token = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'}`
    const { memory, root } = await open(OVERVIEW)
    const learned = await memory.workspaces.learn('k', 'lesson', {
      title: `Use ${token}`,
      category: 'debugging',
      content: `It is ${token}.`,
    })
    expect(learned.redacted.map(({ type, field }) => `${type} ${field}`)).toEqual([
      'github_token title',
      'github_token content',
    ])
    const plan = await memory.workspaces.addPlan('k', {
      name: 'X',
      description: `Use ${token}`,
      content: token,
    })
    const overview = await memory.workspaces.setOverview('k', { description: `Use ${token}` })
    expect([plan.redacted.length, overview.redacted.length]).toEqual([2, 1])
    for (const file of [learned.path, plan.path, overview.path, '.memory/history/audit.jsonl'])
      expect(readIn(root, file)).not.toContain(token)
  })

  test('is never written through a link, or out of the project', async () => {
    const outside = scratchProject({ 'decisions.md': 'theirs\n' })
    const { memory, root } = await open({ ...OVERVIEW, [`${L}/x`]: '' })
    mkdirSync(path.join(root, L, 'k'), { recursive: true })
    symlinkSync(path.join(outside, 'decisions.md'), path.join(root, L, 'k/decisions.md'))
    const learn = () => memory.workspaces.learn('k', 'decision', { title: 'T', category: 'c' })
    await expect(learn()).rejects.toMatchObject({ code: 'memory_outside_project' })
    expect(readIn(outside, 'decisions.md')).toBe('theirs\n')
  })
})

describe('migrating', () => {
  const files = {
    [`${R}/k/OVERVIEW.md`]: '# K\n\nAbout K.\n',
    [`${R}/k/ABSTRACT.md`]: 'All of K.\n',
    [`${R}/k/_plans/260208-x.md`]: '# X\n\nDo x.\n',
    [`${R}/k/_plans/bad.md`]: '---\nname: [\n---\n',
    [`${R}/z/_plans/260208-z.md`]: '# Z\n\nDo z.\n',
  }

  test('writes nothing before it is told to, and is undone in one', async () => {
    const { memory, root } = await open(files)
    const read = () => Object.fromEntries(Object.keys(files).map(name => [name, readMaybe(root, name)]))
    const before = read()
    const plan = await memory.workspaces.migrate()
    expect(plan).toMatchObject({ isApplied: false, record: null, files: 5 })
    expect(plan.steps).toHaveLength(4)
    expect(read()).toEqual(before)
    const applied = await memory.workspaces.migrate({ apply: true })
    expect(applied.steps.map(({ path: file, does }) => [file, does])).toEqual(
      plan.steps.map(({ path: file, does }) => [file, does]),
    )
    expect(read()[`${R}/k/ABSTRACT.md`]).toBeUndefined()
    expect(read()[`${R}/k/_plans/bad.md`]).toBe(files[`${R}/k/_plans/bad.md`])
    expect((await memory.workspaces.migrate({ apply: true })).steps).toEqual([])
    expect((await memory.workspaces.plans('k')).plans).toMatchObject([
      { name: 'X', description: 'Do x.', created: '2026-02-08' },
    ])
    await memory.undo()
    expect(read()).toEqual(before)
  })

  test('keeps to a scope', async () => {
    const { memory } = await open(files)
    expect((await memory.workspaces.migrate({ scope: 'z' })).steps.map(({ path: file }) => file)).toEqual([
      `${R}/z/_plans/260208-z.md`,
    ])
    await expect(memory.workspaces.migrate({ scope: 'nope' })).rejects.toMatchObject({
      code: 'workspace_not_found',
    })
  })
})

function readMaybe(root: string, name: string): string | undefined {
  try {
    return readIn(root, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
