import { expect, it } from 'vitest'
import { withAgent } from './mcp-agent.ts'
import { inWorld } from './world.ts'

const HOSTILE = 'The queue \u001b[2J\u001b]0;owned\u0007 retries five\u0008 times \u009b31m \u202etxt.exe.'
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

it(
  'no control character of a stored text reaches a screen, an agent or a brief',
  inWorld(async world => {
    const put = (name: string) =>
      world.write(`.memory/shared/${name}.md`, `## 2026-03-16 · ${HOSTILE}\n\n${HOSTILE}\n`)
    for (const name of ['decisions', 'lessons', 'tasks']) put(name)
    world.write('.memory/_project.md', `# Shop\n\n${HOSTILE}\n`)
    const input = ['user', 'agent'].map(role => JSON.stringify({ role, text: HOSTILE })).join('\n')
    await world.cairn(['session', 'append', 's1', '--agent', 'dev'], { input })
    await world.ok('task', 'add', HOSTILE)
    await world.ok('work', 'add', HOSTILE, '--graph', 'g', '--brief', HOSTILE)
    const { entries } = await world.json('list')
    const id = entries[0]?.id ?? ''
    for (const words of [
      ['list'],
      ['show', id],
      ['search', 'queue retries'],
      ['status'],
      ['brief', '--start'],
      ['brief', '--prompt', 'how often does the queue retry?', '--host', 'codex'],
      ['why', 'how often does the queue retry?'],
      ['log'],
      ['sessions'],
      ['session', 'show', 's1'],
      ['task', 'list'],
      ['work', 'tasks'],
      ['work', 'show', 'g.1'],
      ['graph'],
      ['query', 'queue'],
      ['review'],
      ['doctor'],
      ['validate'],
      ['forget', HOSTILE],
    ]) {
      const { stdout, stderr } = await world.cairn(words, { env: { NO_COLOR: '1' } })
      expect(`${stdout}${stderr}`, words.join(' ')).not.toMatch(CONTROLS)
    }
    await withAgent(world, async ({ client }) => {
      for (const [name, asked] of [
        ['search', { query: 'queue retries' }],
        ['get', { id }],
        ['brief', { prompt: 'how often does the queue retry?' }],
        ['brief', {}],
        ['tasks', {}],
        ['work_status', { graph: 'g' }],
      ] as const) {
        const { content } = await client.callTool({ name, arguments: asked })
        expect((content as { text: string }[]).map(({ text }) => text).join(''), name).not.toMatch(CONTROLS)
      }
    })
  }),
  180_000,
)
