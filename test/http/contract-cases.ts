import { mkdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect } from 'vitest'
import type { RouteName } from '../../src/surfaces/http/paths.generated.ts'
import { writeOverview, writePlan } from '../support/workspace-tree.ts'
import type { HttpWorld } from './http-world.ts'

type Fields = Record<string, unknown>

/** How one route is tried. */
export interface Case {
  /** What it is asked with; made in the world where it needs something there. */
  readonly asks?: Fields | ((world: HttpWorld) => Promise<Fields>)
  /** What the answer says, as far as it is the same every time. Its schema is checked besides. */
  readonly answers: Fields
  /** Fields that it does not take, and how it says so; a route without fields has none. */
  readonly refuses?: { readonly asks: Fields; readonly code: string }
  /** A memory in a folder says that it is no hub. */
  readonly isOfHub?: true
}

const anyText = expect.any(String)
const anyNumber = expect.any(Number)
const anyList = expect.any(Array)
const badLimit = (limit: unknown = 0) => ({ asks: { limit }, code: 'invalid_input' })
const nobody = { target: '1000000000000-zzzz' }
const noEntry = (more: Fields = {}) => ({ asks: { ...nobody, ...more }, code: 'entry_not_found' })

let made = 0
/** An entry of its own, so that no case sees what another did. */
async function entry({ ask }: HttpWorld, fields: Fields = {}): Promise<{ id: string; content: string }> {
  const content = `Statement ${++made} of case quixotic${made}x.`
  const { body } = await ask('remember', { content, agent: 'cases', ...fields })
  return body.entry as { id: string; content: string }
}

const target =
  (fields: Fields = {}) =>
  async (world: HttpWorld) => ({ target: (await entry(world)).id, ...fields })

async function session({ ask }: HttpWorld, ...texts: string[]): Promise<string> {
  const { body } = await ask('sessionStart', { agent: 'cases' })
  for (const text of texts) await ask('sessionAppend', { session: body.session, agent: 'cases', text })
  return body.session as string
}

async function candidate(world: HttpWorld): Promise<string> {
  return (await entry(world, { status: 'candidate' })).id
}

async function workspace({ root }: HttpWorld): Promise<Fields> {
  writePlan(root, 'devtools', 'slim-down')
  writeOverview(root, 'devtools', 'What every tool here has.')
  return { workspace: 'devtools' }
}
const noWorkspace = { asks: {}, code: 'scope_invalid' }

const talk = [
  { role: 'user', text: 'Why is the build slow?' },
  { role: 'agent', text: 'The cache is cold.' },
]

/** A graph of two tasks of its own, the second after the first; and, claimed, the lease of the first. */
async function twoTasks({ ask }: HttpWorld): Promise<string> {
  const graph = `case-${++made}`
  await ask('workAdd', {
    graph,
    tasks: [
      { name: 'a', title: 'Build' },
      { name: 'b', title: 'Test', after: ['a'] },
    ],
  })
  return graph
}
async function lease(world: HttpWorld): Promise<string> {
  const graph = await twoTasks(world)
  const { body } = await world.ask('workClaim', { graph, worker: 'cases' })
  return (body.claimed as { lease: string }).lease
}
const noTask = { asks: { task: 'nowhere.a' }, code: 'task_not_found' }
const noLease = (more: Fields = {}) => ({ asks: { lease: 'nowhere.a.1.x', ...more }, code: 'task_not_found' })

export const CASES: Record<RouteName, Case> = {
  work: { answers: { graphs: anyList } },
  workTasks: {
    asks: async world => ({ graph: await twoTasks(world), state: 'waiting' }),
    answers: { total: 1, tasks: [{ title: 'Test', state: 'waiting', blockedBy: [] }] },
    refuses: { asks: { state: 'asleep' }, code: 'invalid_input' },
  },
  workAdd: {
    asks: { graph: 'added', tasks: [{ title: 'Build' }, { title: 'Test', after: ['1'] }] },
    answers: { graph: 'added', added: ['added.1', 'added.2'], already: [] },
    refuses: { asks: { tasks: [{ name: 'a', title: 'A', after: ['a'] }] }, code: 'invalid_input' },
  },
  workShow: {
    asks: async world => ({ task: `${await twoTasks(world)}.b` }),
    answers: { title: 'Test', state: 'waiting', before: [{ title: 'Build', state: 'ready' }], next: [] },
    refuses: noTask,
  },
  workClaim: {
    asks: async world => ({ graph: await twoTasks(world) }),
    answers: {
      claimed: { lease: anyText, task: { title: 'Build', state: 'running' }, context: { results: [] } },
    },
    refuses: { asks: { seconds: 0 }, code: 'invalid_input' },
  },
  workBeat: {
    asks: async world => ({ lease: await lease(world), note: 'Half', share: 0.5 }),
    answers: { cancelled: false, leaseUntil: anyNumber },
    refuses: noLease(),
  },
  workDone: {
    asks: async world => ({ lease: await lease(world), result: 'Built' }),
    answers: { task: { state: 'done' }, repeated: false, entry: null },
    refuses: noLease(),
  },
  workFail: {
    asks: async world => ({ lease: await lease(world), error: 'No compiler', final: true }),
    answers: { task: { state: 'failed', failure: 'No compiler' }, repeated: false },
    refuses: noLease({ error: 'No' }),
  },
  workCancel: {
    asks: async world => ({ task: `${await twoTasks(world)}.a`, why: 'Not needed' }),
    answers: {
      cancelled: [
        { title: 'Build', state: 'cancelled' },
        { title: 'Test', state: 'cancelled' },
      ],
    },
    refuses: { asks: {}, code: 'invalid_input' },
  },
  workRetry: {
    asks: async world => {
      const graph = await twoTasks(world)
      await world.ask('workCancel', { graph })
      return { task: `${graph}.a` }
    },
    answers: { opened: [{ title: 'Build', state: 'ready' }] },
    refuses: noTask,
  },
  workWait: {
    asks: async world => ({ graph: await twoTasks(world) }),
    answers: { over: false, tasks: { ready: 1, waiting: 1 }, stopped: [] },
    refuses: { asks: { graph: 'nowhere' }, code: 'task_not_found' },
  },
  workPrune: {
    asks: { dryRun: true },
    answers: { removed: [], kept: [], dryRun: true },
    refuses: { asks: { days: -1 }, code: 'invalid_input' },
  },
  vault: {
    answers: { standing: 'trusted', isReadOnly: false, agents: anyList, waiting: { review: anyNumber } },
  },
  list: {
    asks: async world => {
      await entry(world, { agent: 'lister' })
      return { agent: 'lister', limit: 1 }
    },
    answers: { total: 1, entries: [{ agent: 'lister' }] },
    refuses: badLimit(),
  },
  remember: {
    asks: { content: 'We deploy on Fridays. #deploy', agent: 'dev', kind: 'decision' },
    answers: {
      duplicate: false,
      entry: { agent: 'dev', category: 'decisions', tags: ['deploy'], origin: 'person' },
    },
    refuses: { asks: { content: '  ' }, code: 'content_empty' },
  },
  save: {
    asks: {
      entries: [{ statement: 'The nightly job runs at 02:00 UTC.', why: 'The cron file says so.' }],
      handoff: 'Asked: move the job. Verified: it runs. Left: nothing.',
      session: 'saved-1',
      agent: 'cases',
    },
    answers: {
      stored: [{ origin: 'agent', status: 'candidate', session: 'saved-1' }],
      refused: [],
      handoff: { category: 'handoffs', origin: 'agent' },
    },
    refuses: { asks: { entries: [] }, code: 'content_empty' },
  },
  show: { asks: target(), answers: { entry: { agent: 'cases' } }, refuses: noEntry() },
  edit: {
    asks: async world => ({ target: (await entry(world)).id, content: 'It says something else now.' }),
    answers: { entry: { content: 'It says something else now.' } },
    refuses: noEntry({ content: 'x' }),
  },
  forget: { asks: target(), answers: { removed: true, record: anyText }, refuses: noEntry() },
  pin: { asks: target(), answers: { pinned: true, entry: { status: 'pinned' } }, refuses: noEntry() },
  confirm: { asks: target(), answers: { entry: { status: 'confirmed' } }, refuses: noEntry() },
  feedback: {
    asks: target({ saying: 'useful' }),
    answers: { useful: 1, wrong: 0 },
    refuses: { asks: { ...nobody, saying: 'nonsense' }, code: 'invalid_input' },
  },
  links: { asks: target(), answers: { links: [], backlinks: [] }, refuses: noEntry() },
  drift: {
    asks: async world => {
      const file = path.join(world.root, 'drift.ts')
      const lines = Array.from({ length: 30 }, (_, at) => `export const value${at} = compute${at}()`)
      writeFileSync(file, lines.join('\n'))
      world.git('init', '--quiet')
      world.git('add', 'drift.ts')
      world.git('commit', '--quiet', '-m', 'drift')
      const { id } = await entry(world, { files: ['drift.ts'] })
      writeFileSync(file, ['import nothing', ...lines.slice(0, 4).map(line => line.toUpperCase())].join('\n'))
      return { target: id }
    },
    answers: {
      freshness: { state: 'drifted' },
      commit: anyText,
      files: [{ file: 'drift.ts', what: 'changed', hunks: [{ oldStart: 1, newStart: 1 }] }],
    },
    refuses: noEntry(),
  },
  search: {
    asks: async world => ({ query: (await entry(world)).content, limit: 1 }),
    answers: { hits: [{ entry: { agent: 'cases' }, score: anyNumber, snippet: anyText }] },
    refuses: { asks: { query: ' ' }, code: 'query_empty' },
  },
  graph: { answers: { nodes: anyList, edges: anyList }, refuses: badLimit() },
  taskList: {
    asks: async ({ ask }) => {
      await ask('taskAdd', { text: 'Water the plants', agent: 'gardener' })
      return { agent: 'gardener' }
    },
    answers: { tasks: [{ text: 'Water the plants' }] },
    refuses: { asks: { all: 'perhaps' }, code: 'invalid_input' },
  },
  taskAdd: {
    asks: { text: 'Write the guide', agent: 'dev' },
    answers: { duplicate: false, entry: { category: 'tasks', content: '- [ ] Write the guide' } },
    refuses: { asks: { text: '' }, code: 'content_empty' },
  },
  taskDone: {
    asks: async ({ ask }) => {
      const { body } = await ask('taskAdd', { text: 'Tick this', agent: 'ticker' })
      return { target: (body.entry as { id: string }).id }
    },
    answers: { task: { text: 'Tick this', done: true } },
    refuses: noEntry(),
  },
  projectText: { answers: { text: anyText, words: anyNumber, hash: anyText } },
  projectTextSave: {
    asks: { text: 'What this project is.\n' },
    answers: { words: 4, record: anyText, redacted: [] },
    refuses: { asks: { text: 'Mine.', expect: 'another' }, code: 'text_changed' },
  },
  log: {
    asks: async world => ({ entry: (await entry(world)).id }),
    answers: { records: [{ action: 'add', undone: false, by: { host: 'web' } }] },
    refuses: badLimit(),
  },
  undo: {
    asks: async world => {
      const { id } = await entry(world)
      const { body } = await world.ask('forget', { target: id })
      return { record: body.record }
    },
    answers: { undone: { action: 'remove', undone: true }, record: anyText },
    refuses: { asks: { record: '1-x' }, code: 'record_not_found' },
  },
  compact: {
    asks: { dryRun: true },
    answers: { isDryRun: true, plan: anyList },
    refuses: { asks: { dryRun: 'perhaps' }, code: 'invalid_input' },
  },
  restore: {
    answers: { batches: anyList, restored: null },
    refuses: { asks: { target: 'evict-2000' }, code: 'batch_not_found' },
  },
  archive: {
    answers: { batches: anyList, entries: anyList, total: anyNumber },
    refuses: { asks: { batch: 'evict-2000' }, code: 'batch_not_found' },
  },
  review: {
    asks: async world => {
      await candidate(world)
      return { agent: 'cases' }
    },
    answers: { proposals: anyList, total: anyNumber },
    refuses: badLimit(501),
  },
  reviewAccept: {
    asks: async world => ({ ids: [await candidate(world)] }),
    answers: { reviewed: [{ entry: { status: 'confirmed' } }] },
    refuses: { asks: { ids: ['f0'] }, code: 'finding_not_found' },
  },
  reviewReject: {
    asks: async world => ({ ids: [await candidate(world)] }),
    answers: { reviewed: [{ id: anyText }] },
    refuses: { asks: {}, code: 'invalid_input' },
  },
  reviewEdit: {
    asks: async world => ({ id: await candidate(world), content: 'In better words.' }),
    answers: { reviewed: [{ entry: { content: 'In better words.', status: 'confirmed' } }] },
    refuses: { asks: { id: 'f0' }, code: 'invalid_input' },
  },
  reviewApply: {
    asks: { all: true, kind: 'archive', dryRun: true },
    answers: { applied: anyList, isDryRun: true },
    refuses: { asks: { all: true, kind: 'nonsense' }, code: 'invalid_input' },
  },
  reviewDismiss: { asks: { ids: [] }, answers: {}, refuses: { asks: { ids: 'one' }, code: 'invalid_input' } },
  conflicts: {
    answers: { conflicts: anyList, waiting: anyNumber },
    refuses: { asks: { all: 'perhaps' }, code: 'invalid_input' },
  },
  conflictsResolve: {
    asks: async world => {
      const [one, other] = [await entry(world), await entry(world)]
      return { pair: one.id, other: other.id, keep: one.id, dryRun: true }
    },
    answers: { record: null },
    refuses: { asks: { pair: 'zzzzzz', both: true }, code: 'conflict_not_found' },
  },
  fresh: { answers: { entries: anyList, checked: anyNumber, unanchored: anyNumber } },
  freshFix: {
    asks: { dryRun: true },
    answers: { written: false, record: null },
    refuses: { asks: { dryRun: 'perhaps' }, code: 'invalid_input' },
  },
  live: { answers: {} },
  briefPreview: {
    // Words that no other case has: without a vector they alone decide.
    asks: async world => {
      await entry(world, { content: 'The zeppelin hangar refuses xylophone crates.' })
      return { prompt: 'Which crates does the zeppelin hangar refuse?', host: 'codex' }
    },
    answers: {
      host: 'codex',
      budget: { total: anyNumber },
      items: expect.arrayContaining([expect.objectContaining({ tier: 'retrieval', isCut: false })]),
    },
    refuses: { asks: { prompt: 'x', host: 'nonsense' }, code: 'invalid_input' },
  },
  why: {
    asks: async world => ({ prompt: (await entry(world)).content }),
    answers: { candidates: anyList, general: false },
    refuses: { asks: { prompt: '' }, code: 'query_empty' },
  },
  briefs: { answers: { briefs: anyList }, refuses: badLimit(201) },
  sessions: {
    asks: async world => {
      await session(world, 'Hello')
      return { agent: 'cases', limit: 1 }
    },
    answers: { sessions: [{ agents: ['cases'], state: 'open', messages: anyNumber }] },
    refuses: { asks: { state: 'nonsense' }, code: 'invalid_input' },
  },
  sessionShow: {
    asks: async world => ({ session: await session(world, 'Why is it slow?') }),
    answers: { conversations: [{ total: 1, messages: [{ role: 'user', text: 'Why is it slow?' }] }] },
    refuses: { asks: { session: 'nobody-knows-it' }, code: 'session_not_found' },
  },
  sessionStart: {
    asks: { agent: 'dev', host: 'web', chat: 'chat_1' },
    answers: { agent: 'dev', host: 'web', chat: 'chat_1', isNew: true },
    refuses: { asks: { agent: '../x' }, code: 'agent_id_invalid' },
  },
  sessionAppend: {
    asks: async world => ({ session: await session(world), agent: 'cases', messages: talk }),
    answers: { added: 2, count: 2, skipped: 0 },
    refuses: { asks: { session: 'x' }, code: 'invalid_input' },
  },
  sessionCheckpoint: {
    asks: async world => ({ session: await session(world, 'Hello'), agent: 'cases' }),
    answers: { messages: 1, savedAt: expect.anything() },
    refuses: { asks: { session: 'nobody-knows-it' }, code: 'session_not_found' },
  },
  sessionClose: {
    asks: async world => ({ session: await session(world, 'We decided to use pnpm for everything.') }),
    answers: { wasClosed: false, agents: ['cases'] },
    refuses: { asks: { session: 'nobody-knows-it' }, code: 'session_not_found' },
  },
  timeline: {
    asks: async world => {
      await session(world, 'Hello')
      return { agent: 'cases', limit: 1 }
    },
    answers: { sessions: [{ agents: ['cases'], taught: anyList, findings: 0 }] },
    refuses: badLimit(201),
  },
  agents: {
    asks: async world => {
      await entry(world)
      return { agent: 'cases' }
    },
    answers: { agents: [{ agent: 'cases' }] },
    refuses: badLimit(),
  },
  agentHosts: { answers: { hosts: anyList } },
  agentChats: { answers: { chats: anyList }, refuses: badLimit() },
  agentCommand: {
    asks: { agentId: 'dev', command: 'Say hello', host: 'codex' },
    answers: { code: 'agent_host_off' },
    refuses: { asks: { agentId: 'dev' }, code: 'invalid_input' },
  },
  agentStop: {
    asks: { session: 'nothing-runs-in-it' },
    answers: { stopped: false },
    refuses: { asks: {}, code: 'invalid_input' },
  },
  events: { answers: { events: anyList }, refuses: badLimit() },
  server: { answers: { app: 'cairn', version: anyText } },
  status: { answers: { exists: true, health: { state: anyText } } },
  health: {
    asks: { days: 7 },
    answers: { growth: { length: 7 }, index: { mode: 'disk' }, slo: { state: anyText } },
    refuses: { asks: { days: 366 }, code: 'invalid_input' },
  },
  query: { answers: { answers: anyList }, refuses: badLimit() },
  recall: {
    asks: { dryRun: true },
    answers: { isDryRun: true },
    refuses: { asks: { policy: 'nonsense' }, code: 'invalid_input' },
  },
  checkpoints: {
    asks: async ({ ask }) => {
      await ask('recall')
      return {}
    },
    answers: { checkpoints: anyList, total: anyNumber },
    refuses: badLimit(),
  },
  checkpointShow: {
    asks: async ({ ask }) => {
      await ask('recall')
      const { body } = await ask('checkpoints')
      return { id: (body.checkpoints as { id: string }[])[0]?.id }
    },
    answers: { id: anyText, bundle: {} },
    refuses: { asks: { id: 'none' }, code: 'checkpoint_not_found' },
  },
  workspaces: { answers: { scopes: anyList, total: anyNumber }, refuses: badLimit() },
  plans: {
    asks: workspace,
    answers: { plans: [{ name: 'slim-down', status: 'new' }], total: 1 },
    refuses: noWorkspace,
  },
  overviews: { asks: workspace, answers: { total: 1 }, refuses: noWorkspace },
  learnings: { asks: workspace, answers: { decisions: anyList, lessons: anyList }, refuses: noWorkspace },
  hot: { answers: { files: anyList }, refuses: { asks: { rules: 'perhaps' }, code: 'invalid_input' } },
  hotLint: {
    answers: { passed: true },
    refuses: { asks: { strict: 'perhaps' }, code: 'invalid_input' },
  },
  configList: { answers: { settings: anyList } },
  budget: {
    asks: { tokens: '2000' },
    answers: { maxTokens: 2000, default: false, changed: true, record: anyText },
    refuses: { asks: { tokens: 'many' }, code: 'config_value_invalid' },
  },
  auto: {
    asks: { state: 'off' },
    answers: { auto: false, changed: true, record: anyText },
    refuses: { asks: { state: 'perhaps' }, code: 'invalid_input' },
  },
  preset: {
    asks: { preset: 'conservative' },
    answers: { preset: 'conservative', changed: true, record: anyText },
    refuses: { asks: { preset: 'bold' }, code: 'invalid_input' },
  },
  importDiscover: {
    answers: { found: anyList },
    refuses: { asks: { outside: 'perhaps' }, code: 'invalid_input' },
  },
  import: {
    asks: async world => {
      const line = JSON.stringify({ text: 'Imported over HTTP.' })
      writeFileSync(path.join(world.root, 'notes.jsonl'), `${line}\n`)
      return { file: 'notes.jsonl' }
    },
    answers: { from: 'jsonl', added: 1, duplicates: 0 },
    refuses: { asks: { file: '-' }, code: 'invalid_input' },
  },
  importSync: {
    asks: { dryRun: true },
    answers: { dryRun: true, synced: anyList },
    refuses: { asks: { most: 0 }, code: 'invalid_input' },
  },
  projects: { answers: { projects: anyList } },
  everywhere: {
    asks: async world => ({ query: (await entry(world)).content, limit: 1 }),
    answers: { hits: [{ from: [{ agent: 'cases', project: { isHere: true } }] }], searched: 1, closed: 0 },
    refuses: { asks: { query: ' ' }, code: 'query_empty' },
  },
  met: {
    asks: async world => {
      await entry(world, { content: 'EWIDGETJAM was fixed by oiling the widget.', kind: 'lesson' })
      return { text: 'Error: EWIDGETJAM at /srv/x.js:3:4' }
    },
    answers: { sort: 'error', names: ['EWIDGETJAM'], hits: [{ tells: 'solution' }] },
    refuses: { asks: { text: '' }, code: 'query_empty' },
  },
  entity: {
    asks: async world => {
      await entry(world, { content: 'Memcached keeps the sessions.' })
      return { name: 'memcached' }
    },
    answers: { entities: [{ type: 'service', name: 'memcached', in: [{ project: { isHere: true } }] }] },
    refuses: { asks: { name: ' ' }, code: 'query_empty' },
  },
  seedConversations: {
    asks: async ({ ask }) => {
      await ask('seedSave', { agentId: 'talker', messages: talk })
      return { agentId: 'talker' }
    },
    answers: { conversations: [{ agentId: 'talker', total: 2, messages: talk }] },
    refuses: badLimit(),
  },
  seedSave: {
    asks: { agentId: 'saver', messages: talk },
    answers: { saved: [{ agentId: 'saver', added: 2, total: 2 }] },
    refuses: { asks: { agentId: 'saver' }, code: 'invalid_input' },
  },
  seedVault: {
    asks: async world => {
      await entry(world, { agent: 'vaulter', category: 'lessons' })
      return { agentId: 'vaulter', category: 'lessons' }
    },
    answers: { counts: { lessons: 1 }, entries: [{ agentId: 'vaulter' }], total: 1 },
    refuses: { asks: { category: 'lessons' }, code: 'invalid_input' },
  },
  seedVaultAdd: {
    asks: { agentId: 'adder', category: 'lessons', content: 'A lesson of the adder.', tags: ['one'] },
    answers: { duplicate: false, entry: { agentId: 'adder', tags: ['one'] } },
    refuses: { asks: { agentId: 'adder', category: 'nonsense', content: 'x' }, code: 'invalid_input' },
  },
  seedVaultEdit: {
    asks: async world => ({
      agentId: 'cases',
      category: 'lessons',
      id: (await entry(world)).id,
      content: 'Changed by the seed’s route.',
    }),
    answers: { entry: { content: 'Changed by the seed’s route.' } },
    refuses: {
      asks: { agentId: 'cases', category: 'lessons', id: nobody.target, content: 'x' },
      code: 'entry_not_found',
    },
  },
  seedVaultDelete: {
    asks: async world => ({ agentId: 'cases', category: 'lessons', id: (await entry(world)).id }),
    answers: { deleted: true, record: anyText },
    refuses: {
      asks: { agentId: 'cases', category: 'lessons', id: nobody.target },
      code: 'entry_not_found',
    },
  },
  seedSearch: {
    asks: async world => ({ q: (await entry(world)).content, limit: 1 }),
    answers: { results: [{ entry: { agentId: 'cases' }, score: anyNumber, snippet: anyText }] },
    refuses: { asks: { q: 'x', limit: 101 }, code: 'invalid_input' },
  },
  seedRecover: {
    asks: { agentId: 'nobody' },
    answers: { checkpoint: null, fresh: true, reason: 'nobody has no checkpoint' },
    refuses: { asks: {}, code: 'invalid_input' },
  },
  seedCheckpoint: {
    asks: { agentId: 'checker', messages: talk, chatId: 'chat_1', modelId: 'model-1' },
    answers: { saved: true, messages: 2, added: 2 },
    refuses: { asks: { agentId: 'checker', messages: 'none' }, code: 'invalid_input' },
  },
  seedCompaction: { answers: {} },
  seedCompact: { answers: { lastCompaction: { timestamp: anyText } } },
  seedMigrate: { answers: { migrated: anyList, skipped: anyList } },
  obsidianStatus: { answers: { isTrusted: true, conflicts: [] } },
  obsidianSync: {
    asks: async world => {
      mkdirSync(path.join(world.root, '..', 'notes', '.obsidian'), { recursive: true })
      world.run('obsidian', 'link', path.join(world.root, '..', 'notes'))
      return { dryRun: true }
    },
    answers: { dryRun: true, conflicts: [], problems: [] },
    refuses: { asks: { dryRun: 'perhaps' }, code: 'invalid_input' },
  },
  syncHello: { isOfHub: true, answers: {} },
  syncPull: { isOfHub: true, answers: {}, refuses: badLimit() },
  syncVersions: {
    isOfHub: true,
    asks: { questions: [] },
    answers: {},
    refuses: { asks: { questions: 'all' }, code: 'invalid_input' },
  },
  syncPush: {
    isOfHub: true,
    asks: { id: 'push-0001', identity: 'elsewhere', batch: '0-x', entries: [], documents: [] },
    answers: {},
    refuses: { asks: { id: 'push-0001' }, code: 'invalid_input' },
  },
  syncGiveUp: {
    isOfHub: true,
    asks: { push: 'push-0001' },
    answers: {},
    refuses: { asks: { push: 1 }, code: 'invalid_input' },
  },
}
