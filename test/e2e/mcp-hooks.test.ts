import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { withAgent } from './mcp-agent.ts'
import { inWorld, type World } from './world.ts'

const runFolder = (world: World) => path.join(world.home, '.cairn', 'run')
const asked = { hook: 'claude-code UserPromptSubmit', prompt: 'where does the kraken sleep?', session: 's1' }
/** How Claude Code introduces itself. */
const claude = { clientInfo: { name: 'claude-code', version: '2.1.325' } }

describe('prompts through the running server', () => {
  it(
    'are answered in the shape of the host, kept for the worker, and marked as answered while it lives',
    inWorld(async world => {
      await world.ok('remember', 'The kraken sleeps in the cellar.')
      await withAgent(
        world,
        async ({ call, client }) => {
          await client.ping()
          const mark = `claude-code-${process.pid}.pid`
          expect(readdirSync(runFolder(world))).toEqual([mark])
          expect(readFileSync(path.join(runFolder(world), mark), 'utf8')).toMatch(/^\d+\n$/)
          const { hookSpecificOutput } = JSON.parse(await call('brief', asked)) as {
            hookSpecificOutput: { hookEventName: string; additionalContext: string }
          }
          expect(hookSpecificOutput.hookEventName).toBe('UserPromptSubmit')
          expect(hookSpecificOutput.additionalContext).toContain('The kraken sleeps in the cellar.')
          // What a session was told is not told again.
          expect(await call('brief', asked)).not.toContain('kraken sleeps in')
          const spool = path.join(world.root, '.memory/.vault/spool')
          const kept = readdirSync(spool).map(name => readFileSync(path.join(spool, name), 'utf8'))
          expect(kept.join('\n')).toContain('where does the kraken sleep?')
          // It is no field that a model is told of.
          expect(JSON.stringify((await client.listTools()).tools)).not.toContain('hook')
        },
        claude,
      )
      expect(readdirSync(runFolder(world))).toEqual([])
    }),
  )

  it(
    'are left to the command beside it by a server that no host was seen to call before',
    inWorld(async world => {
      await world.ok('remember', 'The kraken sleeps in the cellar.')
      await withAgent(world, async ({ call }) => {
        expect(await call('brief', asked)).toBe('{}')
      })
    }),
  )

  it(
    'get no answer, and no error, where nothing may be told or the hook is none of ours',
    inWorld(
      async world => {
        await withAgent(
          world,
          async ({ call }) => {
            expect(await call('brief', { ...asked, cwd: world.root })).toBe('{}')
            expect(await call('brief', { ...asked, hook: 'claude-code Nothing' })).toBe('{}')
          },
          { ...claude, words: [] },
        )
        await withAgent(world, async ({ failure }) => {
          expect(await failure('brief', { hook: 'nobody UserPromptSubmit' })).toContain('`hook`')
        })
      },
      {
        '.memory/shared/lessons.md':
          '<!-- id:1-kraken -->\n## 2026-03-16\n\nThe kraken sleeps in the cellar.\n\n---\n',
      },
    ),
  )

  it(
    'have their marks swept when the server that made them is dead; what is no mark stays',
    inWorld(async world => {
      const folder = runFolder(world)
      mkdirSync(folder, { recursive: true })
      writeFileSync(path.join(folder, 'codex-4.pid'), '999999999\n')
      writeFileSync(path.join(folder, 'codex-5.pid'), 'no number')
      writeFileSync(path.join(folder, `codex-6.pid`), `${process.pid}\n`)
      writeFileSync(path.join(folder, 'notes.txt'), 'mine')
      const target = path.join(world.home, 'target')
      writeFileSync(target, 'mine too')
      symlinkSync(target, path.join(folder, `claude-code-${process.pid}.pid`))
      await withAgent(world, async ({ client }) => void (await client.ping()), claude)
      expect(readdirSync(folder).sort()).toEqual(['codex-6.pid', 'notes.txt'])
      expect(readFileSync(target, 'utf8')).toBe('mine too')
    }),
  )
})
