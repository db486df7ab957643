import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Memory, openMemory } from '../../src/api.ts'
import { scratchProject, writeIn } from '../support/scratch-project.ts'

const R = 'resources/workspaces'
const L = 'user/memory/workspaces'
const plan = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: About ${name}\nstatus: new\ncreated: 2026-02-08\n${more}---\n`
const learning = (title: string, category = 'architecture') =>
  `### [2026-02-08] ${title}\n\n**Category:** ${category}\n**Tags:** a\n\n---\n`

async function open(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ memory: Memory; root: string }> {
  const root = scratchProject(files)
  const memory = await openMemory({ root, vectors: 'never', upkeep: 'never' })
  onTestFinished(() => memory.close())
  return { memory, root }
}

const TREE = {
  [`${R}/README.md`]: '# Not a workspace',
  [`${R}/_template/_plans/260101-t.md`]: plan('Template'),
  [`${R}/k/OVERVIEW.md`]: '---\nname: K\ndescription: The workspace\n---\n\nAll of it.\n',
  [`${R}/k/_project.md`]: '# Not an overview',
  [`${R}/k/_plans/260101-w.md`]: plan('W'),
  [`${R}/k/_plans/README.md`]: '# How we plan',
  [`${R}/k/_plans/_template.md`]: plan('Template'),
  [`${R}/k/_plans/2025/250101-old.md`]: plan('Old'),
  [`${R}/k/_features/thing.md`]: '# A feature',
  [`${R}/k/stock/overview.md`]: '---\nname: Stock\ndescription: The domain\n---\n\nMore of it.\n',
  [`${R}/k/stock/_plans/260102-d.md`]: plan('D'),
  [`${R}/k/stock/feeds/OVERVIEW.md`]:
    '---\nname: Feeds\ndescription: The repository\n---\n\nFeeds in full.\n',
  [`${R}/k/stock/feeds/_plans/260103-r.md`]: plan('R'),
  [`${R}/k/stock/feeds/src/_plans/260104-deep.md`]: plan('Too deep'),
  [`${R}/k/other/_plans/260105-o.md`]: plan('O'),
  [`${R}/z/_plans/260106-z.md`]: plan('Z'),
  [`${L}/k/decisions.md`]: learning('Of the workspace'),
  [`${L}/k/stock/decisions.md`]: learning('Of the domain'),
  [`${L}/k/stock/feeds/lessons.md`]: learning('Of the repository', 'debugging'),
  [`${L}/k/other/decisions.md`]: learning('Of another domain'),
  [`${L}/only-learned/lessons.md`]: learning('Without resources', 'debugging'),
}

describe('a scope', () => {
  test('takes all plans below it, and no file that is none', async () => {
    const { memory } = await open(TREE)
    const ids = async (scope: string) =>
      (await memory.workspaces.plans(scope)).plans.map(each => each._meta.document_id)
    expect(await ids('k')).toEqual(['2025/250101-old', '260101-w', '260105-o', '260102-d', '260103-r'])
    expect(await ids('k/stock')).toEqual(['260102-d', '260103-r'])
    expect(await ids('k/stock/feeds')).toEqual(['260103-r'])
    expect(await ids('only-learned')).toEqual([])
  })

  test('has overviews in full at its top, and abstracts elsewhere', async () => {
    const { memory } = await open(TREE)
    const tiers = async (scope: string) =>
      (await memory.workspaces.overview(scope)).overviews.map(each => [
        each.scope,
        each.tier === 'T1' ? each.content.split('\n').at(-2) : each.abstract,
      ])
    expect(await tiers('k')).toEqual([
      ['k', 'All of it.'],
      ['k/stock', 'The domain'],
      ['k/stock/feeds', 'The repository'],
    ])
    expect(await tiers('k/stock/feeds')).toEqual([
      ['k', 'All of it.'],
      ['k/stock', 'The domain'],
      ['k/stock/feeds', 'Feeds in full.'],
    ])
    expect(await tiers('k/other')).toEqual([['k', 'All of it.']])
  })

  test('holds to what was decided above it, and says where', async () => {
    const { memory } = await open(TREE)
    const holds = async (scope: string) => {
      const { decisions, lessons } = await memory.workspaces.learnings(scope)
      return [...decisions, ...lessons].map(each => `${each.scope}: ${each.content}`)
    }
    expect(await holds('k/stock/feeds')).toEqual([
      'k: Of the workspace',
      'k/stock: Of the domain',
      'k/stock/feeds: Of the repository',
    ])
    expect(await holds('k')).toEqual([
      'k: Of the workspace',
      'k/other: Of another domain',
      'k/stock: Of the domain',
      'k/stock/feeds: Of the repository',
    ])
    expect(await holds('only-learned')).toEqual(['only-learned: Without resources'])
  })

  test.each([
    ['../k', 'scope_invalid'],
    ['k/..', 'scope_invalid'],
    ['k/../../etc', 'scope_invalid'],
    ['k\\stock', 'scope_invalid'],
    ['/k', 'scope_invalid'],
    ['_template', 'scope_invalid'],
    ['.git', 'scope_invalid'],
    ['a/b/c/d', 'scope_invalid'],
    ['', 'scope_invalid'],
    ['k\u0000', 'scope_invalid'],
    ['nope', 'workspace_not_found'],
    ['k/nope', 'workspace_not_found'],
    ['k/stock/nope', 'workspace_not_found'],
  ])('%j is refused: %s', async (scope, code) => {
    const { memory } = await open(TREE)
    await expect(memory.workspaces.plans(scope)).rejects.toMatchObject({ code })
  })

  test('that is unknown is answered with those that are known', async () => {
    const { memory } = await open(TREE)
    await expect(memory.workspaces.plans('nope')).rejects.toMatchObject({
      hint: expect.stringContaining('There are: k, only-learned, z.'),
    })
    await expect(memory.workspaces.plans('k/nope')).rejects.toMatchObject({
      message: 'Not found: domain nope in k.',
      hint: expect.stringContaining('There are: other, stock.'),
    })
    await expect(memory.workspaces.learnings({ workspace: 'k', repository: 'feeds' })).rejects.toMatchObject({
      code: 'scope_invalid',
    })
  })

  test('is listed with counts', async () => {
    const { memory } = await open(TREE)
    const { scopes, total, problems } = await memory.workspaces.list()
    expect(problems).toEqual([])
    expect(total).toBe(6)
    expect(scopes.find(each => each.scope === 'k/stock')).toEqual({
      scope: 'k/stock',
      name: 'Stock',
      description: 'The domain',
      plans: 1,
      statuses: { new: 1 },
      decisions: 1,
      lessons: 0,
    })
  })
})

describe('an answer', () => {
  test('is bounded, has the latest, and says how many there are', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => {
        const day = String((at % 28) + 1).padStart(2, '0')
        const month = at < 28 ? '01' : at < 56 ? '02' : '03'
        return [
          `${R}/k/_plans/26${month}${day}-p${at}.md`,
          plan(`P${at}`).replace('2026-02-08', `2026-${month}-${day}`),
        ]
      }),
    )
    const { memory } = await open(files)
    const all = await memory.workspaces.plans('k')
    expect([all.plans.length, all.total]).toEqual([50, 60])
    const few = await memory.workspaces.plans('k', { limit: 2 })
    expect(few.plans.map(each => each.created)).toEqual(['2026-03-03', '2026-03-04'])
    await expect(memory.workspaces.plans('k', { limit: 5_000 })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  test('holds no secret', async () => {
    const token = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'}`
    const { memory } = await open({
      [`${R}/k/_plans/260101-w.md`]: plan('W').replace('About W', `Use ${token}`),
      [`${R}/k/_plans/260102-x.md`]: `---\nname: x\ndescription: d\nstatus: ${token}\ncreated: 2026-01-01\n---\n`,
      [`${R}/k/OVERVIEW.md`]: `---\nname: K\ndescription: d\n---\n\nexport TOKEN=${token}\n`,
      [`${L}/k/lessons.md`]: `### [2026-02-08] Use ${token}\n\n**Category:** debugging\n`,
    })
    const answers = JSON.stringify([
      await memory.workspaces.plans('k'),
      await memory.workspaces.overview('k'),
      await memory.workspaces.learnings('k'),
      await memory.workspaces.list(),
    ])
    expect(answers).not.toContain(token)
    expect(answers).toContain('[redacted:')
  })

  test('names two plans of one name by their scopes', async () => {
    const { memory } = await open({
      [`${R}/k/a/_plans/260101-same.md`]: plan('A'),
      [`${R}/k/b/_plans/260101-same.md`]: plan('B'),
    })
    const { plans, problems } = await memory.workspaces.plans('k')
    expect(plans.map(each => each._meta.document_id)).toEqual(['k/a/260101-same', 'k/b/260101-same'])
    expect(problems).toMatchObject([{ code: 'duplicate_id', path: `${R}/k/b/_plans/260101-same.md` }])
    const alone = await memory.workspaces.plans('k/a')
    expect(alone.plans[0]?._meta.document_id).toBe('260101-same')
    expect(alone.problems).toEqual([])
  })
})

describe('bad input is told with file, line and the expected form, and the rest is answered', () => {
  test.each([
    ['no YAML', '---\nname: [\n---\n', 'front_matter_invalid', 3, 0],
    ['tabs', '---\nname:\n\tx: y\n---\n', 'front_matter_invalid', 3, 0],
    ['no end', '---\nname: x\n', 'front_matter_open', 1, 0],
    ['none', '# A plan\n', 'front_matter_missing', 1, 0],
    ['a list', '---\n- a\n---\n', 'front_matter_invalid', 2, 0],
    ['a key twice', '---\nname: x\nname: y\n---\n', 'front_matter_invalid', 3, 0],
    ['an unknown status', plan('X').replace('status: new', 'status: doen'), 'status_unknown', 4, 1],
    ['a status that is a list', plan('X').replace('status: new', 'status: [new]'), 'status_unknown', 4, 1],
    ['a name that is a list', plan('X').replace('name: X', 'name: [a]'), 'field_invalid', 2, 1],
    ['tags that are text', plan('X', 'tags: a, b\n'), 'field_invalid', 6, 1],
    ['tags of maps', plan('X', 'tags: [{a: b}]\n'), 'field_invalid', 6, 1],
    ['no date', plan('X').replace('created: 2026-02-08\n', ''), 'date_missing', 1, 1],
    ['a day that is none', plan('X').replace('2026-02-08', '2026-02-30'), 'date_invalid', 5, 1],
    ['a date with a time', plan('X').replace('2026-02-08', '2026-02-08T10:00:00Z'), 'date_invalid', 5, 1],
    ['no status', plan('X').replace('status: new\n', ''), 'field_missing', 1, 1],
    ['UTF-16', Buffer.from(plan('X'), 'utf16le'), 'not_text', 1, 0],
  ])('%s', async (_, text, code, line, answered) => {
    const file = `${R}/k/_plans/260210-x.md`
    const { memory } = await open({ [file]: text, [`${R}/k/_plans/260101-good.md`]: plan('Good') })
    const { plans, problems, leftOut } = await memory.workspaces.plans('k')
    expect(plans.map(each => each.name)).toContain('Good')
    expect([plans.length, leftOut]).toEqual([1 + answered, 1 - answered])
    expect(problems).toEqual([
      {
        code,
        path: file,
        line,
        message: expect.stringContaining(file),
        hint: expect.stringMatching(/^Expected: /),
      },
    ])
  })

  test('CRLF, a BOM and comments are no fault', async () => {
    const { memory } = await open({
      [`${R}/k/_plans/260210-x.md`]: `\ufeff${plan('X', 'tags: [a] # ours\n').replaceAll('\n', '\r\n')}`,
    })
    const { plans, problems } = await memory.workspaces.plans('k')
    expect(problems).toEqual([])
    expect(plans).toMatchObject([{ name: 'X', tags: ['a'], created: '2026-02-08' }])
  })

  test('a plan without a date is told what its name says', async () => {
    const { memory } = await open({
      [`${R}/k/_plans/260210-x.md`]: plan('X').replace('created: 2026-02-08\n', ''),
    })
    expect((await memory.workspaces.plans('k')).problems[0]?.hint).toBe(
      'Expected: `created: YYYY-MM-DD`; by its file name 2026-02-10.',
    )
  })

  test('a hundred faults are counted, not told', async () => {
    const { memory } = await open(
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${R}/k/_plans/p${at}.md`, '# none\n'])),
    )
    const { problems, leftOut } = await memory.workspaces.plans('k')
    expect([problems.length, leftOut]).toEqual([51, 100])
    expect(problems.at(-1)?.message).toBe('50 more problems are not shown.')
  })
})

describe('a hostile folder', () => {
  test('with links in a circle, out of the project and to nowhere is walked and ends', async () => {
    const { memory, root } = await open({ [`${R}/k/a/_plans/260101-p.md`]: plan('P') })
    const outside = scratchProject({ 'secret/_plans/260101-s.md': plan('Secret'), 'OVERVIEW.md': 'secret' })
    const at = (name: string) => path.join(root, R, name)
    symlinkSync('..', at('k/loop'))
    symlinkSync('.', at('k/a/self'))
    symlinkSync('me', at('k/me'))
    symlinkSync(outside, at('k/out'))
    symlinkSync('nowhere', at('k/gone'))
    symlinkSync(path.join(outside, 'OVERVIEW.md'), at('k/OVERVIEW.md'))
    symlinkSync(path.join(root, '.memory'), at('k/memory'))
    symlinkSync('a', at('k/alias'))
    mkdirSync(path.join(root, '.memory'), { recursive: true })
    const { plans, problems } = await memory.workspaces.plans('k')
    expect(plans.map(each => each._meta.document_id)).toEqual(['k/a/260101-p', 'k/alias/260101-p'])
    expect(problems.map(({ code, path: file }) => `${code} ${file.slice(R.length + 3)}`).sort()).toEqual([
      'duplicate_id alias/_plans/260101-p.md',
      'link_dangling gone',
      'link_loop a/self',
      'link_loop alias/self',
      'link_loop loop',
      'link_loop me',
      'link_outside OVERVIEW.md',
      'link_outside memory',
      'link_outside out',
    ])
    expect(JSON.stringify(await memory.workspaces.overview('k'))).not.toContain('"secret"')
  })

  test('whose root leads out of the project is not walked', async () => {
    const outside = scratchProject({ 'k/_plans/260101-s.md': plan('Secret') })
    const { memory, root } = await open({ 'resources/x': '' })
    symlinkSync(outside, path.join(root, R))
    const { scopes, problems } = await memory.workspaces.list()
    expect(scopes).toEqual([])
    expect(problems).toMatchObject([{ code: 'link_outside', path: R }])
  })

  test.each(['../elsewhere', '/etc', '.', '.git', '.memory/x', 'a/../..'])(
    'may not be named by the settings: %s',
    async folder => {
      const { memory } = await open({
        '.memory/config.json': JSON.stringify({ workspaces: { resources: folder } }),
      })
      const config = await memory.workspaces.list().catch(error => error)
      expect(config).toMatchObject({ code: 'config_value_invalid' })
    },
  )

  test('with a file of a gigabyte answers its front matter, and cuts the rest', async () => {
    const { memory, root } = await open({
      [`${R}/k/_plans/260101-big.md`]: plan('Big'),
      [`${R}/k/OVERVIEW.md`]: '---\nname: K\ndescription: d\n---\n\nText.\n',
      [`${L}/k/decisions.md`]: learning('Kept'),
    })
    for (const name of [`${R}/k/_plans/260101-big.md`, `${R}/k/OVERVIEW.md`, `${L}/k/decisions.md`])
      truncateSync(path.join(root, name), 1_073_741_824)
    expect((await memory.workspaces.plans('k')).plans).toMatchObject([{ name: 'Big' }])
    // What follows is zeros: no text.
    expect((await memory.workspaces.overview('k')).problems).toMatchObject([{ code: 'not_text' }])
    expect((await memory.workspaces.learnings('k')).problems).toMatchObject([{ code: 'not_text' }])
  })

  test('with front matter that has no measure is told within one, and found by all of it', async () => {
    const tags = Array.from({ length: 500 }, (_, at) => `t${at}`).join(', ')
    const { memory } = await open({
      [`${R}/k/_plans/260101-a.md`]: `---\nname: ${'Name '.repeat(900)}\ndescription: ${'word '.repeat(9_000)}\nstatus: new\ncreated: 2026-01-01\ntags: [${tags}]\n---\n`,
    })
    const answer = await memory.workspaces.plans('k', { tags: ['t499'] })
    expect(answer.plans.map(each => each.tags.length)).toEqual([50])
    expect(answer.problems).toMatchObject([{ code: 'content_cut', path: `${R}/k/_plans/260101-a.md` }])
    expect(JSON.stringify(answer).length).toBeLessThan(4_000)
  })

  test('with letters in another encoding is told, with the line on which they were lost', async () => {
    const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
    const { memory } = await open({
      [`${R}/k/_plans/260101-a.md`]: latin1(plan('Ação')),
      [`${R}/k/_plans/260102-b.md`]: plan('Ação'),
      [`${L}/k/decisions.md`]: latin1(learning('Decisão')),
    })
    const plans = await memory.workspaces.plans('k')
    expect(plans.plans.map(({ name }) => name)).toEqual(['A\ufffd\ufffdo', 'Ação'])
    expect(plans.problems).toMatchObject([{ code: 'not_text', path: `${R}/k/_plans/260101-a.md`, line: 2 }])
    expect((await memory.workspaces.learnings('k')).problems).toMatchObject([{ code: 'not_text', line: 1 }])
  })

  test('with a file of many megabytes of text is cut, and says so', async () => {
    const { memory } = await open({
      [`${R}/k/OVERVIEW.md`]: `---\nname: K\ndescription: d\n---\n\n${'words '.repeat(400_000)}`,
      [`${L}/k/decisions.md`]: learning('Kept') + `\n${learning('x')}`.repeat(40_000),
    })
    const overview = await memory.workspaces.overview('k')
    expect(overview.problems.map(({ code }) => code)).toEqual(['file_too_large', 'content_cut'])
    expect(JSON.stringify(overview).length).toBeLessThan(40_000)
    const learnings = await memory.workspaces.learnings('k')
    expect(learnings.problems).toMatchObject([{ code: 'file_too_large' }])
    expect(learnings.decisions).toHaveLength(50)
  })

  test('with names that nobody would choose is answered', async () => {
    const { memory } = await open({
      [`${R}/k/_plans/260101-ünïcödé 🪨.md`]: plan('Odd'),
      [`${R}/k/_plans/260102-\u001b[31m.md`]: plan('Escape'),
      [`${R}/k/ends. /_plans/260103-x.md`]: plan('Left out'),
      [`${R}/k/a:b/_plans/260104-x.md`]: plan('Left out'),
    })
    const { plans, problems } = await memory.workspaces.plans('k')
    expect(plans.map(each => each.name)).toEqual(['Odd', 'Escape'])
    expect(problems.map(({ code }) => code)).toEqual(['scope_name_invalid', 'scope_name_invalid'])
  })

  test('with two overviews in one takes the one that is named as it should be', async () => {
    const { memory } = await open({
      [`${R}/k/OVERVIEW.md`]: '---\nname: K\ndescription: right\n---\n',
      [`${R}/k/Overview.md`]: '---\nname: K\ndescription: wrong\n---\n',
    })
    const { overviews, problems } = await memory.workspaces.overview('k')
    expect(overviews).toMatchObject([{ content: expect.stringContaining('right') }])
    expect(problems).toMatchObject([{ code: 'duplicate_file', path: `${R}/k/Overview.md` }])
  })

  test('with a pipe in it does not wait', async () => {
    const { memory, root } = await open({ [`${R}/k/_plans/260101-p.md`]: plan('P') })
    execFileSync('mkfifo', [path.join(root, R, 'k/_plans/260102-pipe.md')])
    execFileSync('mkfifo', [path.join(root, 'pipe')])
    symlinkSync(path.join(root, 'pipe'), path.join(root, R, 'k/_plans/260103-link.md'))
    expect((await memory.workspaces.plans('k')).plans.map(each => each.name)).toEqual(['P'])
  })

  test('of ten thousand plans is answered', async () => {
    const { memory, root } = await open({})
    for (let at = 0; at < 10_000; at++)
      writeIn(root, `${R}/k/d${at % 20}/_plans/260101-p${at}.md`, plan(`P${at}`))
    const { plans, total } = await memory.workspaces.plans('k')
    expect([plans.length, total]).toEqual([50, 10_000])
  })
})
