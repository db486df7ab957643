import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { commit, importInto, inProject, told } from './support/imported-store.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
const BECAUSE = 'The proxy drops idle sockets after a minute, because nobody set its timeout.'

function setTime(root: string, file: string): void {
  const at = new Date('2026-05-01T10:00:00Z')
  utimesSync(path.join(root, file), at, at)
}

describe('a git history', () => {
  it('gives what was fixed and why, with its date, its files and its commit, as a candidate', async () => {
    const root = scratchProject({ 'src/socket.ts': 'x' })
    commit(root, 'Add the socket', '2026-01-01T10:00:00Z')
    writeIn(root, 'src/socket.ts', 'y')
    writeIn(root, 'package-lock.json', '{}')
    const hash = commit(root, `fix: keep the socket open\n\n${BECAUSE}`, '2026-01-02T10:00:00Z')
    const { report, entries } = await importInto(root, { from: 'git' })
    expect(report).toMatchObject({ from: 'git', added: 1, failed: 0 })
    expect(entries.map(told)).toEqual([
      {
        kind: 'error',
        status: 'candidate',
        origin: 'machine',
        date: '2026-01-02T10:00',
        content: `Keep the socket open\n\n${BECAUSE}`,
        tags: ['fix'],
        files: ['src/socket.ts'],
      },
    ])
    expect(entries[0]?.extra).toMatchObject({ imported: 'git', sourceId: hash })
    expect((await importInto(root, { from: 'git' })).report).toMatchObject({ added: 0, duplicates: 1 })
    commit(
      root,
      'fix: close it again\n\nIt leaked because the handle was never closed.',
      '2026-01-03T10:00:00Z',
    )
    expect((await importInto(root, { from: 'git' })).report).toMatchObject({ added: 1, duplicates: 1 })
  })

  it('leaves out what was taken back, and keeps why', async () => {
    const root = scratchProject({ cache: '1' })
    const hash = commit(
      root,
      'Switch to a cache\n\nBecause the query was slow on large accounts.',
      '2026-01-01T10:00:00Z',
    )
    writeIn(root, 'cache', '2')
    commit(
      root,
      `Revert "Switch to a cache"\n\nThis reverts commit ${hash}.\n\nTwo instances disagreed because each had its own.`,
      '2026-01-02T10:00:00Z',
    )
    const { entries } = await importInto(root, { from: 'git' })
    expect(entries.map(({ content }) => content)).toEqual([
      'Reverted: Switch to a cache\n\nTwo instances disagreed because each had its own.',
    ])
  })

  it('is bounded by a date and by a number, and reads only the folder it is given', async () => {
    const root = scratchProject({ 'api/a': '1', 'web/a': '1' })
    commit(root, `fix: both of them\n\n${BECAUSE}`, '2025-01-01T10:00:00Z')
    writeIn(root, 'api/a', '2')
    commit(root, `fix: the api alone\n\n${BECAUSE}`, '2026-01-02T10:00:00Z')
    const since = await importInto(root, { from: 'git', since: '2026-01-01', dryRun: true })
    expect(since.report.added).toBe(1)
    expect((await importInto(root, { from: 'git', limit: 1, dryRun: true })).report.added).toBe(1)
    const web = await importInto(root, { from: 'git', file: path.join(root, 'web') })
    expect(web.entries.map(({ files }) => files)).toEqual([['a']])
  })

  it('runs nothing that the repository names, and keeps no secret and no escape of a hostile message', async () => {
    const root = scratchProject({ 'a\nb.txt': '1' })
    commit(
      root,
      `fix: a leak \u001b[2J <!-- id:x -->\n\nIt broke because the token ${TOKEN} was in it.\n\n## 2026-01-01\n<!-- id:evil -->`,
      '2026-01-02T10:00:00Z',
    )
    const ran = path.join(root, 'ran')
    writeIn(root, 'run.sh', `#!/bin/sh\ntouch ${ran}\n`)
    for (const [key, value] of [
      ['log.showSignature', 'true'],
      ['gpg.program', './run.sh'],
      ['core.fsmonitor', './run.sh'],
      ['core.pager', './run.sh'],
    ])
      writeIn(
        root,
        '.git/config',
        `${readIn(root, '.git/config')}\n[${key?.split('.')[0]}]\n\t${key?.split('.')[1]} = ${value}\n`,
      )
    const { report, entries } = await importInto(root, { from: 'git' })
    expect(report).toMatchObject({ added: 1, redacted: 1 })
    expect(entries[0]?.content).not.toContain(TOKEN)
    expect(entries[0]?.files).toEqual(['a b.txt'])
    expect(existsSync(ran)).toBe(false)
  })

  it('is told when there is none', async () => {
    const root = scratchProject()
    await expect(importInto(root, { from: 'git', file: root })).rejects.toMatchObject({
      code: 'source_unreadable',
    })
  })
})

describe('instructions for agents', () => {
  const CLAUDE = [
    '# CLAUDE.md',
    '',
    'This file provides guidance to Claude Code when working here.',
    '',
    '@docs/more.md',
    '',
    '## Commands',
    '',
    '- `npm test` runs everything that CI does',
    '- Short one',
    '',
    '## Style',
    '',
    'When writing tests:',
    '',
    '- Never mock our own code',
    '- Use one sentence as the name',
    '',
    '<!-- cairn:entry version=1 import start -->',
    'Ours, and none of theirs: it must not come back.',
    '<!-- cairn:entry end -->',
    '',
    '<!-- cairn:entry -->',
    'Ours as it is written now: it must not come back either.',
    '<!-- /cairn:entry -->',
    '',
    '<claude-mem-context>',
    '- A tool wrote this line and a person did not',
    '</claude-mem-context>',
    '',
  ].join('\r\n')

  it('are rules of a person: confirmed, by heading, without what tools wrote', async () => {
    const root = scratchProject({ 'CLAUDE.md': `\ufeff${CLAUDE}` })
    setTime(root, 'CLAUDE.md')
    const { report, entries } = await importInto(root, { file: path.join(root, 'CLAUDE.md') })
    expect(report).toMatchObject({ from: 'instructions', added: 3, failed: 0 })
    expect(report.remarks.map(({ line, code }) => ({ line, code }))).toEqual([
      { line: 19, code: 'generated_left' },
      { line: 23, code: 'generated_left' },
      { line: 27, code: 'generated_left' },
    ])
    const rule = { status: 'confirmed', origin: 'person', date: '2026-05-01T10:00', files: [] }
    expect(entries.map(told)).toEqual([
      { ...rule, kind: 'warning', tags: ['style'], content: 'When writing tests: Never mock our own code' },
      {
        ...rule,
        kind: 'preference',
        tags: ['style'],
        content: 'When writing tests: Use one sentence as the name',
      },
      { ...rule, kind: 'project', tags: ['commands'], content: '`npm test` runs everything that CI does' },
    ])
    expect(entries[0]?.extra).toMatchObject({
      imported: 'instructions',
      source: 'CLAUDE.md',
      sourceId: 'Style',
    })
  })

  it('in a subfolder are about that folder, and a link is one name more', async () => {
    const root = scratchProject({
      'AGENTS.md': '- Say it in plain words\n',
      'packages/api/AGENTS.md': '- Answers are JSON and nothing else\n',
      'node_modules/x/AGENTS.md': '- Not of this project at all\n',
    })
    symlinkSync('AGENTS.md', path.join(root, 'CLAUDE.md'))
    symlinkSync('..', path.join(root, 'packages/loop'))
    const { report, entries } = await importInto(root, { from: 'instructions' })
    expect(report).toMatchObject({ added: 2, failed: 0 })
    expect(entries.map(({ content, files }) => ({ content, files }))).toEqual([
      { content: 'Answers are JSON and nothing else', files: ['packages/api'] },
      { content: 'Say it in plain words', files: [] },
    ])
  })

  it('that are no text, or far too large, are refused and named', async () => {
    const root = scratchProject({
      'CLAUDE.md': new Uint8Array([0x23, 0x20, 0, 1, 2]),
      'AGENTS.md': '- a rule of somebody\n'.repeat(60_000),
      'GEMINI.md': '',
    })
    const { report } = await importInto(root, { from: 'instructions' })
    expect(report).toMatchObject({ added: 0, failed: 2 })
    expect(report.failures.map(({ file, code }) => ({ file, code }))).toEqual([
      { file: 'AGENTS.md', code: 'content_too_long' },
      { file: 'CLAUDE.md', code: 'not_a_text' },
    ])
  })
})

describe('rules of Cursor', () => {
  it('are confirmed, with their folder and what they are about', async () => {
    const root = scratchProject({
      '.cursor/rules/api.mdc':
        '---\ndescription: API routes\nglobs: src/api/**/*.ts,*.tsx\nalwaysApply: false\n---\n\n# API\n\n- Validate the body with the schema\n',
      '.cursorrules': 'You write TypeScript with strict types.\n',
    })
    setTime(root, '.cursor/rules/api.mdc')
    const { report, entries } = await importInto(root, { from: 'cursor-rules' })
    expect(report).toMatchObject({ added: 2, failed: 0 })
    expect(entries.map(told)).toMatchObject([
      {
        kind: 'preference',
        status: 'confirmed',
        origin: 'person',
        date: '2026-05-01T10:00',
        content: 'API routes: Validate the body with the schema',
        tags: ['api'],
        files: ['src/api'],
      },
      { content: 'You write TypeScript with strict types.', files: [], tags: [] },
    ])
    expect(entries[0]?.extra).toMatchObject({ imported: 'cursor-rules', source: '.cursor/rules/api.mdc' })
  })
})

describe('decision records', () => {
  const NYGARD = (status: string) =>
    `# 3. Use PostgreSQL\n\nDate: 2026-02-03\n\n## Status\n\n${status}\n\n## Context\n\nWe need transactions.\n\n## Decision\n\nWe will use PostgreSQL.\n\n## Consequences\n\nBackups.\n`
  const MADR =
    '---\nstatus: proposed\ndate: 2026-03-04\n---\n# Use a queue for exports\n\n## Context and Problem Statement\n\nExports time out.\n\n## Considered Options\n\n* A queue\n* A thread\n\n## Decision Outcome\n\nChosen option: "A queue", because the partner is slow.\n'

  it('are read with Portuguese headings, too', async () => {
    const root = scratchProject({
      'docs/adr/0006-fila.md':
        '# 6. Fila no Postgres\n\n## Situação\n\nAceita\n\n## Contexto\n\nO Redis perdia tarefas.\n\n## Decisão\n\nA fila fica no Postgres.\n\n## Consequências\n\nMenos peças.\n',
      'docs/adr/0007-cache.md':
        '# 7. Cache em disco\n\n- Status: substituída por 0008\n\n## Contexto e Problema\n\nLento.\n\n## Resultado da Decisão\n\nDisco.\n',
      'docs/adr/0008-sse.md':
        '# 8. SSE\n\n**Status:** em discussão\n\n**Contexto.** O proxy corta.\n\n**Decisão.** SSE nos endpoints.\n',
    })
    const { report, entries } = await importInto(root, { from: 'adr' })
    expect(report).toMatchObject({
      added: 2,
      failed: 0,
      remarks: [{ code: 'adr_over', file: '0007-cache.md' }],
    })
    expect(entries.map(told).sort((x, y) => (x.content < y.content ? -1 : 1))).toMatchObject([
      {
        content: 'Fila no Postgres\n\nA fila fica no Postgres.\n\nWhy: O Redis perdia tarefas.',
        status: 'confirmed',
      },
      { content: 'SSE\n\nSSE nos endpoints.\n\nWhy: O proxy corta.', status: 'candidate' },
    ])
  })

  it('are one entry each: accepted ones confirmed, proposed ones candidates, those that are over left out', async () => {
    const root = scratchProject({
      'docs/adr/0001-record.md': NYGARD('Superseded by [4](0004-x.md)').replace('PostgreSQL', 'MySQL'),
      'docs/adr/0003-postgres.md': NYGARD('Accepted'),
      'docs/adr/0004-queue.md': MADR,
      'docs/adr/0005-own.md':
        '# 5. Files\n\n**Context.** Caches lie.\n\n**Decision.** Files are the truth.\n\n**Consequences.** Slow.\n',
      'docs/adr/README.md': '# Decisions\n\nA list.\n',
      'docs/adr/template.md': NYGARD('Accepted'),
    })
    const { report, entries } = await importInto(root, { from: 'adr' })
    expect(report).toMatchObject({ added: 3, failed: 0 })
    expect(report.remarks).toEqual([
      {
        file: '0001-record.md',
        code: 'adr_over',
        message: 'left out: Use MySQL is superseded by [4](0004-x.md)',
      },
    ])
    expect(entries.map(told)).toMatchObject([
      { content: 'Files\n\nFiles are the truth.\n\nWhy: Caches lie.', status: 'confirmed' },
      {
        kind: 'decision',
        content: 'Use PostgreSQL\n\nWe will use PostgreSQL.\n\nWhy: We need transactions.',
        status: 'confirmed',
        origin: 'person',
        date: '2026-02-03T00:00',
        files: ['docs/adr/0003-postgres.md'],
        tags: ['adr'],
      },
      {
        content:
          'Use a queue for exports\n\nChosen option: "A queue", because the partner is slow.\n\nWhy: Exports time out.',
        status: 'candidate',
        date: '2026-03-04T00:00',
      },
    ])
    expect((await importInto(root, { file: path.join(root, 'docs/adr') })).report).toMatchObject({
      from: 'adr',
      added: 0,
      duplicates: 3,
    })
  })
})

describe('links of a clone', () => {
  it('lead nowhere: not out of the project, not in a circle, and no pipe is waited for', async () => {
    const home = scratchProject({
      'CLAUDE.md': '- A private rule of the user alone\n',
      'rules/a.mdc': '- A private rule of the user alone\n',
      'adr/0001-private.md': '# 1. Private\n\n## Decision\n\nNobody else may read this.\n',
    })
    const root = scratchProject({ 'docs/x': '' })
    symlinkSync(home, path.join(root, '.claude'))
    mkdirSync(path.join(root, '.cursor'))
    symlinkSync(path.join(home, 'rules'), path.join(root, '.cursor/rules'))
    symlinkSync(path.join(home, 'adr'), path.join(root, 'docs/adr'))
    writeIn(root, '.adr-dir', `../${path.basename(home)}/adr`)
    symlinkSync('GEMINI.md', path.join(root, 'GEMINI.md'))
    execFileSync('mkfifo', [path.join(root, 'AGENTS.md'), path.join(root, '.cursorrules')])
    for (const from of ['instructions', 'cursor-rules', 'adr'] as const) {
      const { report, entries } = await importInto(root, { from })
      expect({ from, added: report.added, entries }).toEqual({ from, added: 0, entries: [] })
    }
  })

  it('and titles that hold a secret tell it to nobody', async () => {
    const root = scratchProject({
      'docs/adr/0001-x.md': `# 1. Use ${TOKEN}\n\n## Status\n\nRejected\n\n## Decision\n\nNo.\n`,
      'docs/adr/0002-y.md': '# 2. Y\n\n## Decision\n\nYes.\n',
    })
    const { report } = await importInto(root, { from: 'adr' })
    expect(report).toMatchObject({ added: 1, remarks: [{ code: 'adr_over' }] })
    expect(JSON.stringify(report)).not.toContain(TOKEN)
  })
})

describe('an import', () => {
  it('of more than one write is taken back by one undo', async () => {
    const root = scratchProject({
      'memory.jsonl': Array.from({ length: 4_500 }, (_, n) =>
        JSON.stringify({
          type: 'entity',
          name: `part ${n}`,
          entityType: 'module',
          observations: [`It is number ${n}.`],
        }),
      ).join('\n'),
    })
    const { report } = await importInto(root, { file: path.join(root, 'memory.jsonl') })
    expect(report).toMatchObject({ from: 'mcp-memory', added: 4_500 })
    await inProject(root, async engine => {
      expect(await undoOperation.run(engine, { dryRun: true }, {})).toMatchObject({ parts: 2, record: null })
      expect(await undoOperation.run(engine, {}, {})).toMatchObject({ undone: { changes: 4_500 }, parts: 2 })
      expect((await engine.store.counts()).total).toBe(0)
      await expect(undoOperation.run(engine, {}, {})).rejects.toMatchObject({ code: 'nothing_to_undo' })
    })
  })

  it('is taken back by one undo, and what a person reworded since is not added again', async () => {
    const root = scratchProject({ 'AGENTS.md': '- Say it in plain words\n- Write it down at once\n' })
    await importInto(root, { from: 'instructions' })
    await inProject(root, async engine => {
      const { editOperation } = await import('../src/features/entries/verbs/edit.ts')
      await editOperation.run(engine, { target: 'plain words', content: 'Plain words, always.' }, {})
    })
    expect((await importInto(root, { from: 'instructions' })).report).toMatchObject({
      added: 0,
      duplicates: 2,
    })
    await inProject(root, async engine => {
      await undoOperation.run(engine, {}, {})
      expect(await undoOperation.run(engine, { dryRun: true }, {})).toMatchObject({
        undone: { action: 'import', changes: 2 },
      })
      await undoOperation.run(engine, {}, {})
    })
    expect((await importInto(root, { from: 'instructions', dryRun: true })).entries).toEqual([])
  })

  it('does not propose again what a person rejected', async () => {
    const root = scratchProject({ a: '1' })
    commit(root, `fix: keep it open\n\n${BECAUSE}`, '2026-01-02T10:00:00Z')
    const { entries } = await importInto(root, { from: 'git' })
    await inProject(root, async engine => {
      const { reviewRejectOperation } = await import('../src/features/review/verbs/review.ts')
      await reviewRejectOperation.run(engine, { ids: entries.map(({ id }) => id) }, {})
    })
    expect(await importInto(root, { from: 'git' })).toMatchObject({ report: { added: 0 }, entries: [] })
  })

  it('refuses an option that would do nothing, and a project without a word of what is meant', async () => {
    const root = scratchProject({ 'AGENTS.md': '- Say it in plain words\n' })
    await expect(importInto(root, { from: 'instructions', limit: 3 })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    commit(root, 'First', '2026-01-02T10:00:00Z')
    await expect(importInto(root, { file: root })).rejects.toMatchObject({ code: 'source_unreadable' })
    await expect(importInto(root, {})).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
