import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  hotInitOperation,
  hotLinkOperation,
  hotLintOperation,
  hotOperation,
  hotUnlinkOperation,
} from '../src/addons/rules/verbs/hot.ts'
import { hotDemoteOperation, hotPromoteOperation } from '../src/addons/rules/verbs/hot-move.ts'
import { composeEngine } from '../src/compose/compose.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { closeSession } from '../src/features/learning/closing.ts'
import { appendMessages, startSession } from '../src/features/sessions/sessions.ts'
import { nodeDisk } from '../src/kernel/system/disk.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

const RULES = 'agent/rules/common'
const open: ComposedCheckout[] = []

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close()
})

function project(files: Readonly<Record<string, string>> = {}, folders: readonly string[] = []) {
  const root = scratchProject(files)
  for (const folder of folders) mkdirSync(path.join(root, folder), { recursive: true })
  const engine = composeEngine({ root })
  open.push(engine)
  return { root, engine }
}

const init = (engine: ComposedCheckout, input = {}) => hotInitOperation.run(engine, input, {})
const lint = (engine: ComposedCheckout, input = {}) => hotLintOperation.run(engine, input, {})
const link = (engine: ComposedCheckout, input = {}) => hotLinkOperation.run(engine, input, {})
const unlink = (engine: ComposedCheckout, input = {}) => hotUnlinkOperation.run(engine, input, {})
const codes = async (engine: ComposedCheckout) =>
  (await lint(engine)).findings.map(({ code, path: at }) => `${code} ${at}`)
const outcomes = ({ results }: { results: readonly { outcome: string; path: string }[] }) =>
  results.map(({ outcome, path: at }) => `${outcome} ${at}`)

describe('laying out', () => {
  it("writes the seed's three files within their budgets, once, and undo takes them away", async () => {
    const { root, engine } = project({ [`${RULES}/user-profile.md`]: 'Mine.\n' })
    expect((await init(engine, { dryRun: true })).files.map(({ outcome }) => outcome)).toEqual([
      'kept',
      'written',
      'written',
    ])
    expect(readdirSync(path.join(root, RULES))).toEqual(['user-profile.md'])
    await init(engine)
    expect(readIn(root, `${RULES}/user-profile.md`)).toBe('Mine.\n')
    const tops = ['global-conventions.md', 'workspace-workflow.md'].map(
      name => readIn(root, `${RULES}/${name}`).split('\n')[0],
    )
    expect(tops).toEqual(['<!-- budget: 80 lines -->', '<!-- budget: 100 lines -->'])
    expect((await init(engine)).record).toBeNull()
    await undoOperation.run(engine, {}, {})
    expect(readdirSync(path.join(root, RULES))).toEqual(['user-profile.md'])
  })

  it('leaves files that pass the lint, strictly', async () => {
    const { engine } = project()
    await init(engine)
    expect(await lint(engine, { strict: true })).toMatchObject({ passed: true, findings: [] })
  })
})

describe('the lint', () => {
  it('holds each file to the budget it declares, and all of them to the totals', async () => {
    const lines = (count: number) =>
      `<!-- budget: 50 lines -->\n${'- A rule of some words.\n'.repeat(count - 1)}`
    const { engine } = project({
      [`${RULES}/a.md`]: lines(51),
      [`${RULES}/b.md`]: lines(41),
      [`${RULES}/c.md`]: lines(40),
      [`${RULES}/d.md`]: 'No budget.\n',
      [`${RULES}/e.md`]: '<!-- budget: many lines -->\n',
      '.cursor/rules/own.mdc': `---\nalwaysApply: true\n---\n${'Text.\n'.repeat(170)}`,
      '.cursor/rules/some.mdc': `---\nglobs: "*.ts"\n---\n${'Text.\n'.repeat(900)}`,
    })
    expect(await codes(engine)).toEqual([
      `over_budget ${RULES}/a.md`,
      `near_budget ${RULES}/b.md`,
      `budget_missing ${RULES}/d.md`,
      `budget_malformed ${RULES}/e.md`,
      'over_total hot.maxLines',
    ])
    const { totals, passed } = await lint(engine)
    expect([totals.lines, passed]).toEqual([51 + 41 + 40 + 1 + 1 + 173, false])
  })

  it('counts tokens too, and reads CRLF, a byte order mark and an empty file', async () => {
    const { engine } = project({
      [`${RULES}/crlf.md`]: '\uFEFF<!-- budget: 3 lines -->\r\n- one\r\n- two\r\n- three\r\n',
      [`${RULES}/empty.md`]: '',
      '.memory/config.json': '{"hot":{"maxTokens":10}}',
    })
    expect(await codes(engine)).toEqual([
      `over_budget ${RULES}/crlf.md`,
      `budget_missing ${RULES}/empty.md`,
      'over_total hot.maxTokens',
    ])
  })

  it('tells of a file that is no text, too large, or a link out of the project, and goes on', async () => {
    const elsewhere = scratchProject({ 'secret.md': 'outside\n' })
    const { root, engine } = project({
      [`${RULES}/good.md`]: '<!-- budget: 9 lines -->\n- One.\n',
      [`${RULES}/huge.md`]: 'x'.repeat(1_100_000),
    })
    writeIn(root, `${RULES}/binary.md`, new Uint8Array([0xff, 0xfe, 0x00, 0xd8]))
    symlinkSync(path.join(elsewhere, 'secret.md'), path.join(root, RULES, 'out.md'))
    symlinkSync('loop.md', path.join(root, RULES, 'loop.md'))
    symlinkSync('..', path.join(root, RULES, 'up'))
    const { findings, totals } = await lint(engine)
    expect(findings.map(({ code, path: at }) => `${code} ${path.basename(at)}`)).toEqual([
      'unreadable binary.md',
      'unreadable huge.md',
      'unreadable loop.md',
      'unreadable out.md',
    ])
    expect(totals.lines).toBe(2)
    expect(JSON.stringify(await hotOperation.run(engine, { rules: true }, {}))).not.toContain('outside')
  })

  it('finds a secret by its line and never repeats it', async () => {
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    const { engine } = project({ [`${RULES}/a.md`]: `<!-- budget: 9 lines -->\n- Use ${token} to push.\n` })
    const answer = await lint(engine)
    expect(answer.findings).toMatchObject([{ code: 'secret_found', line: 2 }])
    const shown = await hotOperation.run(engine, { rules: true }, {})
    expect(JSON.stringify([answer, shown])).not.toContain(token)
  })

  it('refuses a folder of rules outside of the project, whoever configured it', async () => {
    for (const folder of ['../elsewhere', '/etc', '.git/hooks', 'C:\\rules']) {
      const { engine } = project({ '.memory/config.json': JSON.stringify({ hot: { rules: folder } }) })
      await expect(lint(engine)).rejects.toThrow(/is (?:not a folder inside|not a place for)/)
      await expect(init(engine)).rejects.toThrow()
    }
  })
})

describe('links', () => {
  const hosts = ['.claude', '.cursor', '.codex', '.cline']

  it('are relative, only for hosts that are there, and made once', async () => {
    const { root, engine } = project({ [`${RULES}/a.md`]: '# A\n' }, ['.claude'])
    expect(outcomes(await link(engine, { dryRun: true }))).toEqual(['linked .claude/rules/a.md'])
    expect(existsSync(path.join(root, '.claude/rules'))).toBe(false)
    expect(outcomes(await link(engine))).toEqual(['linked .claude/rules/a.md'])
    expect(readlinkSync(path.join(root, '.claude/rules/a.md'))).toBe('../../agent/rules/common/a.md')
    expect(outcomes(await link(engine))).toEqual(['kept .claude/rules/a.md'])
    expect(readdirSync(root).sort()).toEqual(['.claude', '.memory', 'agent'])
    expect(outcomes(await link(engine, { host: ['cline'] }))).toEqual(['linked .cline/rules/a.md'])
    await expect(link(engine, { host: ['emacs'] })).rejects.toThrow('Unknown host: "emacs".')
  })

  it('become copies with front matter where the host needs it, which follow their source and are counted once', async () => {
    const { root, engine } = project({ [`${RULES}/a.md`]: '<!-- budget: 9 lines -->\n# A\n' }, hosts)
    await link(engine)
    expect(readIn(root, '.cursor/rules/a.mdc')).toMatch(
      /^---\nalwaysApply: true\n---\n<!-- cairn:hot copy of agent\/rules\/common\/a\.md hash=\w{16} -->\n<!-- budget: 9 lines -->\n# A\n$/,
    )
    expect((await lint(engine)).totals.lines).toBe(2)
    writeIn(root, `${RULES}/a.md`, '<!-- budget: 9 lines -->\n# B\n')
    expect(await codes(engine)).toEqual(['copy_behind .cursor/rules/a.mdc'])
    expect(outcomes(await link(engine))).toContain('copied .cursor/rules/a.mdc')
    expect(await codes(engine)).toEqual([])
    writeIn(root, '.cursor/rules/a.mdc', readIn(root, '.cursor/rules/a.mdc').replace('# B', '# Mine'))
    expect(await codes(engine)).toEqual(['copy_edited .cursor/rules/a.mdc'])
    expect(outcomes(await link(engine))).toContain('left .cursor/rules/a.mdc')
    expect(readIn(root, '.cursor/rules/a.mdc')).toContain('# Mine')
  })

  it('never take the place of what is not ours, and unlinking removes exactly ours', async () => {
    const { root, engine } = project(
      {
        [`${RULES}/a.md`]: '# A\n',
        [`${RULES}/b.md`]: '# B\n',
        '.claude/rules/a.md': 'Theirs.\n',
        '.claude/rules/other.md': 'Theirs too.\n',
        'docs/b.md': 'Elsewhere.\n',
      },
      hosts,
    )
    mkdirSync(path.join(root, '.cline/rules'), { recursive: true })
    symlinkSync('../../docs/b.md', path.join(root, '.cline/rules/b.md'))
    const before = readdirSync(root, { recursive: true }).filter(name => !String(name).startsWith('.memory'))
    const made = outcomes(await link(engine))
    expect(made.filter(outcome => outcome.startsWith('left'))).toEqual([
      'left .claude/rules/a.md',
      'left .cline/rules/b.md',
    ])
    expect(await codes(engine)).toContain('place_taken .claude/rules/a.md')
    expect(outcomes(await unlink(engine, { dryRun: true }))).toHaveLength(6)
    expect(outcomes(await unlink(engine))).toHaveLength(6)
    const after = readdirSync(root, { recursive: true }).filter(name => !String(name).startsWith('.memory'))
    expect(after.filter(name => !before.includes(name))).toEqual([])
    // Also `.codex`, which is empty: it is the user's own.
    expect(before.filter(name => !after.includes(name))).toEqual([])
    expect(readIn(root, '.claude/rules/a.md')).toBe('Theirs.\n')
    expect(readlinkSync(path.join(root, '.cline/rules/b.md'))).toBe('../../docs/b.md')
  })

  it('that lead nowhere any more are reported, and linking again removes them', async () => {
    const { root, engine } = project({ [`${RULES}/a.md`]: '# A\n', [`${RULES}/b.md`]: '# B\n' }, hosts)
    await link(engine)
    nodeDisk.rename(path.join(root, RULES, 'b.md'), path.join(root, RULES, 'c.md'))
    expect((await codes(engine)).filter(code => code.startsWith('link_broken'))).toEqual([
      'link_broken .claude/rules/b.md',
      'link_broken .codex/b.md',
      'link_broken .cursor/rules/b.mdc',
      'link_broken .cline/rules/b.md',
    ])
    await link(engine)
    expect((await codes(engine)).filter(code => !code.startsWith('budget'))).toEqual([])
    expect(readdirSync(path.join(root, '.claude/rules'))).toEqual(['a.md', 'c.md'])
  })

  it('are seen where somebody linked the whole folder, and nothing is written through that', async () => {
    const { root, engine } = project({ [`${RULES}/a.md`]: '# A\n' }, ['.claude', '.cursor', 'elsewhere'])
    symlinkSync('../agent/rules/common', path.join(root, '.claude/rules'))
    symlinkSync('../elsewhere', path.join(root, '.cursor/rules'))
    expect(outcomes(await link(engine))).toEqual(['kept .claude/rules/a.md', 'left .cursor/rules/a.mdc'])
    expect(readdirSync(path.join(root, 'elsewhere'))).toEqual([])
    expect(outcomes(await unlink(engine))).toEqual([])
    expect(readIn(root, `${RULES}/a.md`)).toBe('# A\n')
  })

  it('that git wrote as files become links again, or copies where the system makes no links', async () => {
    const files = { [`${RULES}/a.md`]: '# A\n', '.claude/rules/a.md': '../../agent/rules/common/a.md' }
    const { root, engine } = project(files)
    expect(await codes(engine)).toContain('link_flat .claude/rules/a.md')
    expect(outcomes(await link(engine))).toEqual(['linked .claude/rules/a.md'])
    expect(lstatSync(path.join(root, '.claude/rules/a.md')).isSymbolicLink()).toBe(true)

    const without = scratchProject(files)
    const refusing = () => {
      throw Object.assign(new Error('EPERM: operation not permitted, symlink'), { code: 'EPERM' })
    }
    const windows = composeEngine({ root: without, disk: { ...nodeDisk, makeLink: refusing } })
    open.push(windows)
    expect((await link(windows)).results).toEqual([
      {
        host: 'claude-code',
        path: '.claude/rules/a.md',
        outcome: 'copied',
        why: 'this system does not let links be made',
      },
    ])
    expect(readIn(without, '.claude/rules/a.md')).toContain('cairn:hot copy of')
    expect(outcomes(await link(windows))).toEqual(['kept .claude/rules/a.md'])
  })

  it('turn into copies when asked, and stay so', async () => {
    const { root, engine } = project({ [`${RULES}/a.md`]: '# A\n' }, ['.claude'])
    await link(engine)
    expect(outcomes(await link(engine, { copy: true }))).toEqual(['copied .claude/rules/a.md'])
    expect(lstatSync(path.join(root, '.claude/rules/a.md')).isFile()).toBe(true)
    expect(readIn(root, `${RULES}/a.md`)).toBe('# A\n')
    expect(outcomes(await link(engine))).toEqual(['kept .claude/rules/a.md'])
  })
})

/** Closed sessions about the parser, and the first few of them about deploys. */
async function work(engine: ComposedCheckout, { sessions, deploys }: { sessions: number; deploys: number }) {
  for (let n = 0; n < sessions; n++) {
    const session = `s${n}`
    const subject = n < deploys ? 'Deploy the service with terraform to staging.' : 'Fix the parser of dates.'
    await startSession(engine, { session, agent: 'dev', host: 'codex' })
    await appendMessages(engine, { session, agent: 'dev' }, [
      { role: 'user', text: `${subject} Ticket ${n}.` },
      { role: 'agent', text: 'Done: npm test passes, and the change is committed.' },
    ])
    await closeSession(engine, session)
  }
}

describe('advice from what sessions did', () => {
  const rules = [
    '- Run npm test before a change is committed.',
    '- Terraform deploys go to staging first, in devtools.',
    '- Be brief, and admit what is uncertain.',
  ].join('\n')

  it('claims nothing on fewer than 15 closed sessions', async () => {
    const { engine } = project({
      [`${RULES}/global-conventions.md`]: `<!-- budget: 80 lines -->\n${rules}\n`,
    })
    await work(engine, { sessions: 14, deploys: 2 })
    expect((await lint(engine)).advice).toMatchObject({ sessions: 14, needed: 15, demote: [], promote: [] })
  })

  it('proposes to demote what fewer than 80 % were about, with the place it belongs to, and does so when asked', async () => {
    const { root, engine } = project({
      [`${RULES}/global-conventions.md`]: `<!-- budget: 80 lines -->\n${rules}\n`,
      'resources/workspaces/devtools/OVERVIEW.md': '# Devtools\n',
    })
    await work(engine, { sessions: 16, deploys: 3 })
    const { advice, passed } = await lint(engine)
    expect(passed).toBe(true)
    expect(advice).toMatchObject({ sessions: 16, unmeasured: 1 })
    expect(advice.demote.map(({ text, touched, sessions, to }) => [text, touched, sessions, to])).toEqual([
      [
        'Terraform deploys go to staging first, in devtools.',
        3,
        16,
        'user/memory/workspaces/devtools/lessons.md',
      ],
    ])
    const rule = advice.demote[0]?.rule ?? ''
    const before = readIn(root, `${RULES}/global-conventions.md`)
    expect(await hotDemoteOperation.run(engine, { rule, dryRun: true }, {})).toMatchObject({ record: null })
    expect(readIn(root, `${RULES}/global-conventions.md`)).toBe(before)
    await hotDemoteOperation.run(engine, { rule }, {})
    expect(readIn(root, `${RULES}/global-conventions.md`)).not.toContain('Terraform')
    expect(readIn(root, 'user/memory/workspaces/devtools/lessons.md')).toMatch(
      /^### \[\d{4}-\d\d-\d\d\] Terraform deploys go to staging first, in devtools\n\n\*\*Category:\*\* /,
    )
    await undoOperation.run(engine, {}, {})
    expect(readIn(root, `${RULES}/global-conventions.md`)).toBe(before)
    expect(existsSync(path.join(root, 'user/memory/workspaces/devtools/lessons.md'))).toBe(false)
  })

  it('proposes to promote what nearly every session was told, and names what must go where there is no room', async () => {
    const { root, engine } = project({
      [`${RULES}/global-conventions.md`]: `<!-- budget: 80 lines -->\n${rules}\n`,
    })
    const [told] = await remember(engine, [
      { content: 'Dates are stored in UTC.', kind: 'decision', status: 'pinned' },
    ])
    await work(engine, { sessions: 16, deploys: 3 })
    const { promptBrief } = await import('../src/features/brief/brief.ts')
    for (let n = 0; n < 16; n++)
      await promptBrief(engine, { prompt: 'dates', session: `s${n}`, isDelivered: true })
    const id = told?.entry.id ?? ''
    const [proposal] = (await lint(engine)).advice.promote
    expect(proposal).toEqual({
      entry: id,
      text: 'Dates are stored in UTC.',
      told: 16,
      sessions: 16,
      file: `${RULES}/global-conventions.md`,
    })
    writeIn(root, '.memory/config.json', '{"hot":{"maxLines":4}}')
    const [full] = (await lint(engine)).advice.promote
    expect(full?.demote).toMatch(/^global-conventions\.md#[0-9a-f]{6}$/)
    await expect(hotPromoteOperation.run(engine, { target: id }, {})).rejects.toMatchObject({
      hint: expect.stringContaining(`cairn hot demote ${full?.demote}`),
    })
    writeIn(root, '.memory/config.json', '{}')
    await hotPromoteOperation.run(engine, { target: id }, {})
    expect(readIn(root, `${RULES}/global-conventions.md`)).toContain('\n- Dates are stored in UTC.\n')
    expect(await engine.store.findEntry(id)).toMatchObject({ status: 'confirmed' })
    expect((await lint(engine)).advice.promote).toEqual([])
    await expect(hotPromoteOperation.run(engine, { target: id }, {})).rejects.toThrow('already')
    await undoOperation.run(engine, {}, {})
    expect(readIn(root, `${RULES}/global-conventions.md`)).not.toContain('UTC')
    expect(await engine.store.findEntry(id)).toMatchObject({ status: 'pinned' })
  })

  it('says nothing about the rules that `hot init` writes, which are about Cairn', async () => {
    const { engine } = project()
    await init(engine)
    await work(engine, { sessions: 15, deploys: 0 })
    expect((await lint(engine)).advice.demote).toEqual([])
  })
})

it('a rule goes to the shared vault as an entry and can be brought back by undo; a candidate becomes no rule', async () => {
  const { root, engine } = project({
    [`${RULES}/a.md`]: '<!-- budget: 9 lines -->\n- Use `pnpm`.\n  Not npm.\n',
  })
  const { entry, to } = await hotDemoteOperation.run(engine, { rule: 'pnpm' }, {})
  expect([entry?.content, entry?.agent, to]).toEqual([
    'Use `pnpm`.\nNot npm.',
    'shared',
    '.memory/shared/decisions.md',
  ])
  expect(readIn(root, `${RULES}/a.md`)).toBe('<!-- budget: 9 lines -->\n')
  await undoOperation.run(engine, {}, {})
  expect(readIn(root, `${RULES}/a.md`)).toBe('<!-- budget: 9 lines -->\n- Use `pnpm`.\n  Not npm.\n')
  expect(await engine.store.findEntry(entry?.id ?? '')).toBeUndefined()
  const [candidate] = await remember(engine, [{ content: 'Perhaps yarn.', status: 'candidate' }])
  await expect(hotPromoteOperation.run(engine, { target: candidate?.entry.id ?? '' }, {})).rejects.toThrow(
    'candidate',
  )
})

it('a folder of rules that is a host’s own needs no links, and one that leads out is told', async () => {
  const { root, engine } = project({
    '.claude/rules/a.md': '<!-- budget: 9 lines -->\n- One.\n',
    '.codex/skills/x/SKILL.md': '---\nname: x\ndescription: X.\n---\n',
    '.memory/config.json': '{"hot":{"rules":".claude/rules"}}',
  })
  expect(outcomes(await link(engine, { host: ['claude-code'] }))).toEqual([])
  expect(await lint(engine, { strict: true })).toMatchObject({ passed: true, totals: { lines: 2 } })
  symlinkSync(scratchProject({ 'b.md': 'Outside.\n' }), path.join(root, '.cline'))
  mkdirSync(path.join(root, '.cursor'))
  symlinkSync(scratchProject({ 'c.mdc': 'Outside.\n' }), path.join(root, '.cursor/rules'))
  expect(await codes(engine)).toContain('unreadable .cursor/rules')
  expect(outcomes(await link(engine, { host: ['cursor', 'cline'] }))).toEqual([
    'left .cursor/rules/a.mdc',
    'left .cline/rules/a.md',
  ])
})

describe('taking links away', () => {
  it('leaves no empty folder behind that would pass for a host', async () => {
    const { root, engine } = project({ '.cursor/mcp.json': '{}\n' })
    await init(engine)
    await link(engine, { host: ['claude-code', 'cursor'] })
    await unlink(engine)
    expect(existsSync(path.join(root, '.claude'))).toBe(false)
    expect(readdirSync(path.join(root, '.cursor'))).toEqual(['mcp.json'])
  })

  it('leaves the empty folders that the user made, also one that linking had made and taken away before', async () => {
    const { root, engine } = project({ '.cursor/mcp.json': '{}\n' })
    await init(engine)
    await link(engine, { host: ['claude-code', 'cursor'] })
    await unlink(engine)
    mkdirSync(path.join(root, '.claude/rules'), { recursive: true })
    mkdirSync(path.join(root, '.cursor/rules'))
    await link(engine, { host: ['claude-code', 'cursor'] })
    await unlink(engine)
    expect(readdirSync(path.join(root, '.claude'))).toEqual(['rules'])
    expect(readdirSync(path.join(root, '.cursor'))).toEqual(['mcp.json', 'rules'])
  })
})

it('rules behind a link out of the project are told, and never counted as none', async () => {
  const { root, engine } = project()
  symlinkSync(scratchProject({ 'rules/common/a.md': 'Outside.\n' }), path.join(root, 'agent'))
  expect(await codes(engine)).toEqual([`unreadable ${RULES}`])
})
