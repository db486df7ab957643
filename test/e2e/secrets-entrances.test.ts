import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { withAgent } from './mcp-agent.ts'
import { inWorld, type World } from './world.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A key of its own for each entrance, built here so that no scanner takes it for a real one. In lower case no rule finds it. */
function keyOf(number: number): string {
  let seed = 104_729 * (number + 1)
  const letters = Array.from({ length: 15 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return LETTERS[(seed >> 16) % LETTERS.length]
  })
  return `${'AKIA'}5${letters.join('')}`
}

async function trust(world: World): Promise<void> {
  await world.ok('remember', 'The queue retries five times.', '--kind', 'decision')
  await world.ok('config', 'set', 'hooks.promptDeadlineMs', '5000')
  const at = '2026-01-01T00:00:00.000Z'
  const project = {
    id: 'p',
    name: 'p',
    root: realpathSync(world.root),
    trustedAt: at,
    firstSeenAt: at,
    lastSeenAt: at,
  }
  mkdirSync(path.join(world.home, '.cairn'), { recursive: true })
  writeFileSync(
    path.join(world.home, '.cairn', 'projects.json'),
    JSON.stringify({ version: 1, projects: [project] }),
  )
}

const cli =
  (...words: string[]) =>
  (world: World, key: string) =>
    world.cairn(words.map(word => word.replaceAll('KEY', key)))

const hook = (host: string, event: string, payload: object | string) => (world: World, key: string) => {
  const common = { session_id: 's1', conversation_id: 's1', cwd: world.root }
  const input = typeof payload === 'string' ? payload : JSON.stringify({ ...common, ...payload })
  return world.cairn(['hook', host, event], { input: input.replaceAll('KEY', key) })
}

const HAND_EDITS: readonly (readonly [entrance: string, text: string])[] = [
  ['content', '## 2026-03-16\n\nThe bucket is read with KEY.\n'],
  ['title', '## 2026-03-16 · Read the bucket with KEY\n\nSo it is.\n'],
  ['tag of a heading', '## 2026-03-16 · Buckets · #KEY\n\nBuckets are private.\n'],
  ['tag of a text', '## 2026-03-16 · Buckets\n\nBuckets are open. #KEY\n'],
  ['bullet', '- The bucket is KEY\n'],
  ['files', '<!-- id:1773679871839-aaaa kind:decision files:src/KEY.ts -->\n## 2026-03-16\n\nOne file.\n'],
  ['session', '<!-- id:1773679871839-bbbb kind:decision session:KEY -->\n## 2026-03-16\n\nOne session.\n'],
  [
    'unknown field',
    '<!-- id:1773679871839-cccc kind:decision colour:KEY -->\n## 2026-03-16\n\nOne colour.\n',
  ],
]

/** What comes in as a file of another kind, and how. */
const IMPORTS: readonly (readonly [name: string, text: string])[] = [
  ['notes.md', '# Decisions\n\n- We use KEY for the bucket.\n'],
  ['notes.jsonl', '{"text":"The bucket is KEY.","metadata":{"tags":["KEY"],"files":["KEY.ts"]}}\n'],
  [
    'talk.jsonl',
    '{"role":"user","text":"Use KEY from now on."}\n{"role":"agent","text":"We decided to use KEY."}\n',
  ],
  [
    'docs/adr/0001-bucket.md',
    '# 1. Bucket\n\n## Status\n\nAccepted\n\n## Decision\n\nRead the bucket with KEY.\n',
  ],
  ['CLAUDE.md', '# Rules\n\n- Always read the bucket with KEY.\n'],
  [
    'memory.json',
    '{"type":"entity","name":"KEY","entityType":"bucket","observations":["is read with KEY"]}\n',
  ],
]

const ENTRANCES: readonly (readonly [string, (world: World, key: string) => Promise<unknown>])[] = [
  ['cli: text', cli('remember', 'The bucket is KEY.')],
  ['cli: tags', cli('remember', 'A note about tags.', '--tags', 'KEY')],
  ['cli: files', cli('remember', 'A note about files.', '--files', 'src/KEY.ts')],
  ['cli: agent', cli('remember', 'A note of an agent.', '--agent', 'KEY')],
  ['cli: kind', cli('remember', 'A note of a kind.', '--kind', 'KEY')],
  ['cli: session', cli('remember', 'A note of a session.', '--session', 'KEY')],
  ['cli: search', cli('search', 'where is KEY')],
  ['cli: brief', cli('brief', '--prompt', 'where is KEY', '--session', 's2', '--files', 'KEY.ts')],
  ['cli: session of a brief', cli('brief', '--prompt', 'where is the queue', '--session', 'KEY')],
  ['cli: why', cli('why', 'where is KEY')],
  ['cli: alias', cli('alias', 'add', 'k8s', 'KEY')],
  ['cli: name of an alias', cli('alias', 'add', 'KEY', 'kubernetes')],
  ['cli: config', cli('config', 'set', 'model.name', 'KEY')],
  ['cli: key of the config', cli('config', 'set', 'KEY', 'x')],
  ['cli: task', cli('task', 'add', 'Rotate KEY')],
  [
    'cli: skill',
    cli('skill', 'save', 'buckets', '--description', 'Read KEY', '--body', 'Read KEY.', '--tags', 'KEY'),
  ],
  ['cli: name of a skill', cli('skill', 'save', 'KEY', '--description', 'Read', '--body', 'Read.')],
  ['cli: work', cli('work', 'add', 'Read KEY', '--brief', 'It is KEY', '--files', 'KEY.ts')],
  ['cli: graph', cli('work', 'add', 'Read', '--graph', 'KEY')],
  ['cli: name of a task', cli('work', 'add', 'Read', '--graph', 'g', '--name', 'KEY')],
  ['cli: kind of a task', cli('work', 'add', 'Read', '--graph', 'g', '--kind', 'KEY')],
  ['cli: agent of a task', cli('work', 'add', 'Read', '--graph', 'g', '--agent', 'KEY')],
  ['cli: worker', cli('work', 'claim', '--worker', 'KEY')],
  ['cli: session start', cli('session', 'start', 'KEY')],
  ['cli: message', cli('session', 'append', 's3', '--agent', 'dev', '--text', 'It is KEY')],
  ['cli: run', cli('session', 'run', 's3', '--command', 'curl -u x KEY', '--exit-code', '1')],
  ['cli: feedback', cli('feedback', 'KEY', 'useful')],
  ['cli: query', cli('query', 'what is KEY')],
  ['cli: overview', cli('workspace', 'overview', 'shop', '--description', 'Reads KEY', '--tags', 'KEY')],
  [
    'cli: plan',
    cli('workspace', 'plan', 'new', 'shop', '--name', 'KEY', '--description', 'KEY', '--tags', 'KEY'),
  ],
  [
    'cli: learning',
    cli('workspace', 'learn', 'shop', 'decision', '--title', 'KEY', '--category', 'KEY', '--tags', 'KEY'),
  ],
  ['cli: unknown verb', cli('KEY')],
  ['hook: prompt', hook('claude-code', 'UserPromptSubmit', { prompt: 'Why does KEY fail?' })],
  ['hook: prompt of Codex', hook('codex', 'UserPromptSubmit', { prompt: 'From now on use KEY.' })],
  [
    'hook: tool input',
    hook('claude-code', 'PostToolUse', {
      tool_name: 'Bash',
      tool_input: { command: 'aws KEY' },
      tool_response: { stdout: 'fine' },
    }),
  ],
  [
    'hook: tool output',
    hook('claude-code', 'PostToolUse', {
      tool_name: 'Bash',
      tool_input: { command: 'npm test' },
      tool_response: { stdout: 'Error: KEY' },
    }),
  ],
  [
    'hook: tool',
    hook('claude-code', 'PostToolUse', {
      tool_name: 'KEY',
      tool_input: { command: 'npm test' },
      tool_response: {},
    }),
  ],
  [
    'hook: edited file',
    hook('claude-code', 'PostToolUse', {
      tool_name: 'Edit',
      tool_input: { file_path: 'src/KEY.ts' },
      tool_response: {},
    }),
  ],
  ['hook: answer', hook('claude-code', 'Stop', { last_assistant_message: 'We decided to use KEY.' })],
  [
    'hook: agent',
    hook('claude-code', 'SubagentStop', {
      agent_id: 'KEY',
      agent_type: 'KEY',
      last_assistant_message: 'KEY',
    }),
  ],
  ['hook: session', hook('claude-code', 'UserPromptSubmit', { session_id: 'KEY', prompt: 'why?' })],
  [
    'hook: start of a session',
    hook('claude-code', 'SessionStart', { session_id: 'KEY', source: 'startup', model: 'KEY' }),
  ],
  [
    'hook: transcript',
    hook('claude-code', 'UserPromptSubmit', { prompt: 'why?', transcript_path: '/tmp/KEY.jsonl' }),
  ],
  ['hook: unreadable', hook('claude-code', 'UserPromptSubmit', '{"prompt": "KEY')],
  ['hook: slash command', hook('claude-code', 'UserPromptSubmit', { prompt: '/remember the bucket is KEY' })],
  ...HAND_EDITS.map(
    ([entrance, text], at) =>
      [
        `hand edit: ${entrance}`,
        async (world: World, key: string) => {
          world.write(`.memory/shared/decisions/by-hand-${at}.md`, text.replaceAll('KEY', key))
          await world.ok('list')
        },
      ] as const,
  ),
  [
    '_project.md',
    async (world, key) => {
      world.write('.memory/_project.md', `# Shop\n\nThe bucket is ${key}.\n`)
      for (const host of ['claude-code', 'codex', 'gemini'])
        expect(
          await world.ok('brief', '--start', '--host', host, '--session', `start-${host}`),
        ).not.toContain(key)
      expect(await world.ok('brief', '--start')).toContain('The bucket is')
      for (const verb of ['status', 'validate', 'doctor'])
        expect((await world.cairn([verb])).stdout, verb).toMatch(
          /_project\.md(?::3|\n +error +3: This looks like a secret)/,
        )
    },
  ],
  [
    'rule file',
    async (world, key) => {
      world.write('agent/rules/common/rules.md', `# Rules\n\n- The bucket is ${key}.\n`)
      expect(await world.ok('status')).toContain('agent/rules/common/rules.md:3')
    },
  ],
  ...IMPORTS.map(
    ([name, text]) =>
      [
        `import: ${name}`,
        async (world: World, key: string) => {
          world.write(`sources/${name}`, text.replaceAll('KEY', key))
          await world.cairn(['import', `sources/${name}`])
          await world.cairn(['import', `sources/${name}`, '--json'])
        },
      ] as const,
  ),
]

const MCP: readonly (readonly [string, Record<string, unknown>])[] = [
  ['remember', { statement: 'The bucket is KEY.', tags: ['KEY'], files: ['KEY.ts'] }],
  ['remember', { entries: [{ statement: 'Another bucket is KEY.' }], session: 'KEY' }],
  ['search', { query: 'where is KEY' }],
  ['met', { error: 'Error: KEY' }],
  ['brief', { prompt: 'where is KEY' }],
  ['tasks', { add: 'Rotate KEY' }],
  ['tasks', { action: 'add', text: 'Rotate KEY' }],
  ['get', { id: 'KEY' }],
  ['forget', { target: 'KEY' }],
  ['pin', { target: 'KEY' }],
  ['skills', { name: 'mcp-skill', description: 'Read KEY', body: 'KEY' }],
  ['work_add', { graph: 'KEY', tasks: [{ title: 'Read' }] }],
  ['work_add', { graph: 'm', tasks: [{ name: 'KEY', title: 'KEY' }] }],
  ['retrieve_plans', { workspace: 'KEY' }],
]

it(
  'keeps and shows no secret, by whatever entrance it comes',
  { timeout: 600_000 },
  inWorld(async world => {
    await trust(world)
    await world.cairn(['workspace', 'overview', 'shop', '--description', 'A shop.'])
    const keys: { readonly entrance: string; readonly key: string }[] = []
    const next = (entrance: string) => {
      const key = keyOf(keys.length)
      keys.push({ entrance, key })
      return key
    }
    const shown = new Set<string>()
    const look = (text: string, place: string) => {
      for (const { entrance, key } of keys)
        if (text.toLowerCase().includes(key.toLowerCase())) shown.add(`${entrance} shown by ${place}`)
    }
    for (const [entrance, enter] of ENTRANCES) {
      const answer = await enter(world, next(entrance))
      look(JSON.stringify(answer ?? ''), entrance)
    }
    await withAgent(world, async ({ client }) => {
      look(JSON.stringify(await client.readResource({ uri: 'cairn://project' })), 'cairn://project')
      for (const [tool, input] of MCP) {
        const key = next(`mcp: ${tool}`)
        const asked = JSON.parse(JSON.stringify(input).replaceAll('KEY', key)) as Record<string, unknown>
        look(
          JSON.stringify(await client.callTool({ name: tool, arguments: asked }).catch(String)),
          `mcp ${tool}`,
        )
      }
    })
    await world.cairn(['hook', '--worker', world.root])
    await world.cairn(['session', 'close', 's1'])
    await world.cairn(['recall'])
    await world.cairn(['compact'])
    for (const words of [
      ['list', '--json'],
      ['status'],
      ['validate', '--deep'],
      ['doctor'],
      ['log', '--json'],
      ['briefs', '--json'],
      ['events', '--json'],
      ['sessions', '--json'],
      ['review', '--json'],
      ['work', 'tasks', '--json'],
      ['search', 'bucket'],
      ['query', 'bucket'],
      ['retrieve', 'shop'],
    ])
      look((await world.cairn(words)).stdout, `cairn ${words.join(' ')}`)

    const own = /^(?:sources|agent\/rules)\/|^\.memory\/_project\.md$|by-hand-\d+\.md$|^CLAUDE\.md$/
    const kept: string[] = []
    for (const folder of [world.root, world.home, world.temporary])
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (folder === world.root && own.test(name)) continue
        const file = path.join(folder, name)
        const text = `${name}\n${statSync(file).isFile() ? readFileSync(file, 'latin1') : ''}`.toLowerCase()
        for (const { entrance, key } of keys)
          if (text.includes(key.toLowerCase())) kept.push(`${entrance} kept in ${name}`)
      }
    expect({ shown: [...shown], kept }).toEqual({ shown: [], kept: [] })
  }),
)
