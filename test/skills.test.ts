import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { linkSkills, saveSkill } from '../src/addons/skills/skills.ts'
import { type Memory, openMemory } from '../src/api.ts'
import { composeEngine } from '../src/compose/compose.ts'
import { nodeDisk } from '../src/kernel/system/disk.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

const open: Memory[] = []

afterEach(async () => {
  for (const memory of open.splice(0)) await memory.close()
})

async function project(folders: readonly string[] = ['.claude', '.codex', '.opencode']) {
  const root = scratchProject()
  for (const folder of folders) mkdirSync(path.join(root, folder))
  const memory = await openMemory({ root, vectors: 'never', upkeep: 'never' })
  open.push(memory)
  return { root, memory, skills: memory.skills }
}

const NOTES = {
  name: 'release-notes',
  description: 'Write release notes: use before a release.',
  body: '1. List.',
}

describe('saving a skill', () => {
  it('writes what hosts read, and links it into the folder of each host that is there', async () => {
    const { root, skills } = await project()
    const { links, outcome } = await skills.save({ ...NOTES, tags: ['release', 'docs'] })
    expect(outcome).toBe('added')
    expect(readIn(root, 'agent/skills/release-notes/SKILL.md')).toBe(
      `---
name: release-notes
description: "Write release notes: use before a release."
metadata:
  tags: "release, docs"
---

1. List.
`,
    )
    expect(links.map(({ path: at, outcome: done }) => `${done} ${at}`)).toEqual([
      'linked .claude/skills/release-notes',
      'linked .agents/skills/release-notes',
      'linked .opencode/skills/release-notes',
    ])
    expect(readlinkSync(path.join(root, '.claude/skills/release-notes'))).toBe(
      '../../agent/skills/release-notes',
    )
    expect(readIn(root, '.claude/skills/release-notes/SKILL.md')).toContain('name: release-notes')
  })

  it('keeps it with its workspace and domain', async () => {
    const { root, skills } = await project()
    const { skill } = await skills.save({ ...NOTES, workspace: 'devtools', domain: 'common' })
    expect([skill.path, skill.scope]).toEqual([
      'agent/skills/devtools/common/release-notes/SKILL.md',
      'devtools/common',
    ])
    expect((await skills.list({ workspace: 'devtools' })).skills).toMatchObject([
      { name: 'release-notes', hosts: ['claude-code', 'codex', 'opencode'] },
    ])
    expect((await skills.list({ workspace: 'other' })).skills).toEqual([])
    expect(existsSync(path.join(root, '.agents/skills/release-notes/SKILL.md'))).toBe(true)
  })

  it('refuses a second of its name, in whichever scope, and replaces one only when asked', async () => {
    const { root, skills } = await project([])
    await skills.save(NOTES)
    expect((await skills.save(NOTES)).outcome).toBe('unchanged')
    await expect(skills.save({ ...NOTES, body: 'Other.' })).rejects.toMatchObject({ code: 'file_exists' })
    await expect(skills.save({ ...NOTES, workspace: 'devtools' })).rejects.toMatchObject({
      code: 'file_exists',
    })
    expect(
      (await skills.save({ ...NOTES, body: 'Other.' }, { replace: true, dryRun: true })).record,
    ).toBeNull()
    expect(readIn(root, 'agent/skills/release-notes/SKILL.md')).toContain('1. List.')
    expect((await skills.save({ ...NOTES, body: 'Other.' }, { replace: true })).outcome).toBe('replaced')
  })

  it('removes secrets and says from where', async () => {
    const { root, skills } = await project([])
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    const { redacted } = await skills.save({ ...NOTES, body: `Push with ${token}.` })
    expect(redacted).toEqual([{ field: 'body', type: 'github_token' }])
    expect(readIn(root, 'agent/skills/release-notes/SKILL.md')).not.toContain(token)
  })

  it.each([
    ['../../etc', 'invalid_input'],
    ['Release Notes', 'invalid_input'],
    ['a--b', 'invalid_input'],
    ['-a', 'invalid_input'],
    ['', 'invalid_input'],
    ['x'.repeat(65), 'invalid_input'],
    ['memory', 'invalid_input'],
    ['con', 'invalid_input'],
    ['claude-helper', 'invalid_input'],
    ['a\u0000b', 'invalid_input'],
  ])('refuses the name %j', async (name, code) => {
    const { root, skills } = await project([])
    await expect(skills.save({ ...NOTES, name })).rejects.toMatchObject({ code })
    expect(readdirSync(root)).toEqual([])
  })

  it('refuses a hostile scope, a description that hosts would not take, and no body', async () => {
    const { root, skills } = await project([])
    const refused = async (change: object) => skills.save({ ...NOTES, ...change }).catch(error => error.code)
    expect(
      await Promise.all([
        refused({ workspace: '..' }),
        refused({ workspace: 'a/b' }),
        refused({ domain: 'alone' }),
        refused({ description: ' ' }),
        refused({ description: 'x'.repeat(1_025) }),
        refused({ description: 'Use <system>this</system>.' }),
        refused({ body: ' \n' }),
        refused({ body: 'x'.repeat(70_000) }),
      ]),
    ).toEqual([
      'scope_invalid',
      'scope_invalid',
      'scope_invalid',
      'invalid_input',
      'invalid_input',
      'invalid_input',
      'content_empty',
      'content_too_long',
    ])
    expect(readdirSync(root)).toEqual([])
  })

  it('cannot be made to end its own front matter', async () => {
    const { root, skills } = await project([])
    const description = 'One line\n---\nname: other # "quoted" \\ and: more'
    await skills.save({ ...NOTES, description })
    const { skills: listed, problems } = await skills.list()
    expect(problems).toEqual([])
    expect(listed).toMatchObject([{ name: 'release-notes', description: description.replace(/\s+/g, ' ') }])
    expect(readIn(root, 'agent/skills/release-notes/SKILL.md').match(/^---$/gm)).toHaveLength(2)
  })
})

describe('the list', () => {
  it('names file, line and field of what is no skill, and gives the rest', async () => {
    const { root, skills } = await project([])
    await skills.save(NOTES)
    const put = (name: string, text: string) => writeIn(root, `agent/skills/${name}/SKILL.md`, text)
    put('a', '# No front matter\n')
    put('b', '---\nname: b\ndescription: [unclosed\n---\n')
    put('c', '---\nname: other\ndescription: A description.\n---\n')
    put('d', '---\r\nname: d\r\n---\r\nBody\r\n')
    put('e', '---\nname: 5\ndescription: true\n---\n')
    put('ws/release-notes', '---\nname: release-notes\ndescription: Again.\n---\n')
    put('good', '\uFEFF---\r\nname: good\r\ndescription: >\r\n  Two\r\n  lines.\r\n---\r\nBody\r\n')
    const { skills: listed, problems } = await skills.list()
    expect(listed.map(({ name, description }) => [name, description])).toEqual([
      ['good', 'Two lines.'],
      ['release-notes', NOTES.description],
    ])
    expect(
      problems.map(({ path: at, line, message }) => `${at.slice(13, -9)}:${line} ${message.slice(-40)}`),
    ).toEqual([
      expect.stringMatching(/^a:1 .*has no front matter\.$/),
      expect.stringMatching(/^b:\d .*is not YAML/),
      expect.stringMatching(/^c:2 .*its folder is called c\.$/),
      expect.stringMatching(/^d:1 .*`description` is missing\.$/),
      expect.stringMatching(/^e:2 .*`name` is not text\.$/),
      expect.stringMatching(/^e:3 .*`description` is not text\.$/),
      expect.stringMatching(/^ws\/release-notes:2 .*a host can be given one of them\.$/),
    ])
  })

  it('tells of links that lead to nothing, and of copies that are behind or were edited', async () => {
    const { root, memory, skills } = await project(['.claude'])
    await skills.save(NOTES)
    await memory.undo()
    expect((await skills.list()).problems).toMatchObject([{ path: '.claude/skills/release-notes' }])
    await skills.link()
    expect(readdirSync(path.join(root, '.claude/skills'))).toEqual([])

    await skills.save(NOTES, { link: false })
    await skills.link({ copy: true })
    const copy = '.claude/skills/release-notes/SKILL.md'
    expect(readIn(root, copy)).toMatch(/^---\nname: release-notes\n[\s\S]*?---\n<!-- cairn:skill copy of /)
    expect((await skills.list()).problems).toEqual([])
    await skills.save({ ...NOTES, body: 'New.' }, { replace: true, link: false })
    expect((await skills.list()).problems).toMatchObject([{ path: copy }])
    await skills.link()
    expect(readIn(root, copy)).toContain('New.')
    writeIn(root, copy, `${readIn(root, copy)}Mine.\n`)
    expect((await skills.link()).results).toMatchObject([{ outcome: 'left' }])
    expect((await skills.unlink()).results).toMatchObject([{ outcome: 'left' }])
    expect(readIn(root, copy)).toContain('Mine.')
  })

  it('follows no link out, and no loop', async () => {
    const elsewhere = scratchProject({ 'x/SKILL.md': '---\nname: x\ndescription: Outside.\n---\n' })
    const { root, skills } = await project([])
    mkdirSync(path.join(root, 'agent/skills'), { recursive: true })
    symlinkSync(elsewhere, path.join(root, 'agent/skills/out'))
    symlinkSync('..', path.join(root, 'agent/skills/loop'))
    symlinkSync('self', path.join(root, 'agent/skills/self'))
    expect((await skills.list()).skills).toEqual([])
    await expect(skills.save({ ...NOTES, workspace: 'out' })).rejects.toMatchObject({
      code: 'memory_outside_project',
    })
    expect(readdirSync(elsewhere)).toEqual(['x'])
  })
})

describe('removing a skill', () => {
  it('takes its links and its folder along, leaves what else is in it, and can be undone', async () => {
    const { root, memory, skills } = await project(['.claude'])
    await skills.save(NOTES)
    await skills.save({ ...NOTES, name: 'with-files' })
    writeIn(root, 'agent/skills/with-files/script.sh', 'echo\n')
    expect((await skills.remove('with-files', { dryRun: true })).record).toBeNull()
    await skills.remove('release-notes')
    await skills.remove('with-files')
    expect(readdirSync(path.join(root, '.claude/skills'))).toEqual([])
    expect(readdirSync(path.join(root, 'agent/skills'))).toEqual(['with-files'])
    await memory.undo()
    expect((await skills.show('with-files')).text).toContain('1. List.')
    await expect(skills.show('release-notes')).rejects.toMatchObject({ code: 'skill_not_found' })
  })
})

it('a skill becomes a copy where the system makes no links', async () => {
  const root = scratchProject()
  mkdirSync(path.join(root, '.claude'))
  const refusing = () => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
  }
  const engine = composeEngine({ root, disk: { ...nodeDisk, makeLink: refusing } })
  expect((await saveSkill(engine, NOTES)).links).toMatchObject([{ outcome: 'copied' }])
  expect(lstatSync(path.join(root, '.claude/skills/release-notes')).isDirectory()).toBe(true)
  expect(await linkSkills(engine)).toMatchObject([{ outcome: 'kept' }])
  rmSync(path.join(root, 'agent'), { recursive: true })
  expect(await linkSkills(engine)).toMatchObject([{ outcome: 'removed' }])
  expect(readdirSync(path.join(root, '.claude/skills'))).toEqual([])
  await engine.close()
})
