import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeLines } from '../support/transcript-world.ts'
import { inWorld, type World } from './world.ts'

function talk(world: World, session: string): void {
  const root = realpathSync(world.root)
  const folder = path.join(world.home, '.claude/projects', root.replace(/[^a-zA-Z0-9]/g, '-'))
  mkdirSync(folder, { recursive: true })
  const { user, agent } = claudeLines(session, root)
  const lines = [
    user("Let's go with a queue for the export, because the partner drops connections."),
    agent('Done.'),
  ]
  writeFileSync(path.join(folder, `${session}.jsonl`), `${lines.join('\n')}\n`)
}

describe('transcripts of hosts', () => {
  it('are synced, searched when asked for, and shown', () =>
    inWorld(async world => {
      talk(world, 's1')
      expect(await world.ok('import', 'sync', '--dry-run')).toBe(
        'claude-code  1 transcript, 1 read: 1 would be taken in\n',
      )
      expect(await world.ok('import', 'sync')).toBe('claude-code  1 transcript, 1 read: 1 taken in\n')
      expect(await world.ok('source', 'list')).toMatch(
        /^claude-code {2}transcripts:claude-code {2}.*\n {6}succeeded /,
      )
      expect(await world.ok('search', '--cold', 'partner')).toMatch(
        /^\d\.\d\d {2}cold:claude-code\/s1:1 {2}user · 2026-11-14\n {6}.*partner.*\n {6}.*s1\.jsonl:1\n$/,
      )
      expect(await world.ok('search', '--cold', 'nowhere')).toBe('Nothing found.\n')
      expect(await world.ok('cold', 'show', 'claude-code/s1:2')).toContain('▸ 2  agent')
      expect(await world.ok('cold')).toContain('Claude Code  1 transcript')
      expect(await world.failure('cold', 'show', 'codex/nothing')).toMatchObject({
        exit: 3,
        code: 'transcript_not_found',
      })
      expect(await world.failure('import', 'sync', '--host', 'emacs')).toMatchObject({
        code: 'invalid_input',
      })
    }))

  it('are told apart from failure: a sync in which a source failed ends with 1, and says which', () =>
    inWorld(async world => {
      world.write('notes/notes.jsonl', '{"text":"One."}\n')
      await world.ok('source', 'add', path.join(world.root, 'notes/notes.jsonl'))
      await world.ok('source', 'sync')
      rmSync(path.join(world.root, 'notes'), { recursive: true })
      const run = await world.cairn(['source', 'sync'])
      expect([run.code, run.stdout]).toEqual([1, expect.stringContaining('no longer exists')])
    }))
})
