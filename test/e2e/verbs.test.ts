import { mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { renderHelp } from '../../src/surfaces/cli/help.ts'
import { OWN_COMMANDS } from '../../src/surfaces/cli/own-commands.ts'
import { flagsOf } from '../../src/surfaces/cli/schema-flags.ts'
import { OPERATIONS } from '../../src/verbs/all.ts'
import { SHOP, stateText } from '../support/project-state.ts'
import { fileSaying, headFile, vaultFiles } from '../support/vault-files.ts'
import { inWorld, runProcess, steady, type World } from './world.ts'

const ESCAPE = '\u001b'

/** Three entries of three kinds, and a task. */
async function furnish(world: World): Promise<string> {
  world.write(
    'notes.jsonl',
    [
      {
        text: 'Sessions live in Redis for one hour. #redis',
        metadata: { kind: 'decision', files: ['src/session.ts'] },
      },
      {
        text: 'Never edit the auth middleware; extend it by hooks.',
        metadata: { kind: 'warning', importance: 0.8 },
      },
      { text: '- [ ] Rotate the signing key', metadata: { category: 'tasks' } },
    ]
      .map(line => JSON.stringify(line))
      .join('\n'),
  )
  await world.json('import', 'notes.jsonl')
  return (await world.json('show', 'Redis sessions')).entry.id
}

/** Two agents in one session: a question, a test that failed, an answer. */
async function furnishSession(world: World): Promise<void> {
  const lines = [
    { role: 'user', text: 'Why is the build slow?' },
    { role: 'agent', text: 'It compiles everything twice.' },
  ]
  const input = lines.map(line => JSON.stringify(line)).join('\n')
  await world.ok('session', 'start', 's1', '--agent', 'dev', '--host', 'codex', '--chat', 'chat_1')
  await world.cairn(['session', 'append', 's1', '--agent', 'dev'], { input })
  await world.ok('session', 'run', 's1', '--agent', 'dev', '--command', 'npm test', '--no-ok')
  await world.ok('session', 'checkpoint', 's1', '--agent', 'dev')
}
const NEEDS_A_STATE = /^(?:query|projections|entry-block)\b/
/** One rule, one skill, and a host to link them for. */
async function furnishHot(world: World): Promise<void> {
  world.write('agent/rules/common/user-profile.md', '<!-- budget: 50 lines -->\n- Answer in German.\n')
  world.write('.claude/settings.json', '{}\n')
  await world.ok('skill', 'save', 'deploy', '--description', 'Deploy it.', 'Run the script.', '--no-link')
}
/** A host on the PATH, outside of the project. */
async function furnishHost(name: string, world: World): Promise<void> {
  const bin = path.join(world.home, 'bin')
  mkdirSync(bin)
  symlinkSync(fileURLToPath(new URL('../support/fake-host.mjs', import.meta.url)), path.join(bin, 'claude'))
  Object.assign(world.environment, { PATH: `${bin}${path.delimiter}${world.environment.PATH}` })
  if (/run|disable/.test(name)) await world.ok('agent', 'enable', 'claude-code', '--yes')
}
/** Verbs whose answer has nothing of what is remembered: two processes less for each. */
const NEEDS_NO_ENTRIES =
  /^(?:config|budget|auto|preset|model|embedder|token|skill|workspace|retrieve|cold|work|checkpoints|events)\b/
const NEEDS_A_SESSION = /^(?:sessions?|agents|agent chats)\b/

const NEEDS_A_WORKSPACE = /^(?:workspaces?|retrieve)\b/

/** A workspace with a domain, a plan and a decision. */
function furnishWorkspace(world: World): void {
  const resources = 'resources/workspaces/devtools'
  const about = (name: string) =>
    `---\nname: ${name}\ndescription: About ${name}\ntags: []\n---\n\n# ${name}\n`
  world.write(`${resources}/OVERVIEW.md`, about('DevTools'))
  world.write(`${resources}/common/OVERVIEW.md`, about('Common'))
  world.write(
    `${resources}/common/_plans/260208-engine.md`,
    '---\nname: Engine\ndescription: Run graphs\nstatus: new\ncreated: 2026-02-08\ntags: [graphs]\n---\n',
  )
  world.write(
    'user/memory/workspaces/devtools/decisions.md',
    '### [2026-02-08] Chose xstate\n\n**Category:** architecture\n**Tags:** graphs\n\nTyped.\n\n---\n',
  )
}

/** A vault, and for what settles a conflict a note that was changed on both sides. */
async function furnishObsidian(name: string, world: World, id: string): Promise<string> {
  world.write('vault/.obsidian/app.json', '{}')
  if (name === 'obsidian link') return id
  await world.ok('obsidian', 'link', 'vault', '--folder', 'Memory')
  if (name !== 'obsidian resolve') return id
  await world.ok('obsidian', 'sync')
  const note = `vault/Memory/shared/decisions/Sessions live in Redis for one hour redis ${id.slice(-4)}.md`
  world.write(
    note,
    world.read(note).replace('\nSessions live in Redis for one', '\nSessions live in Redis for three'),
  )
  await world.ok('edit', id, '--content', 'Sessions live in Redis for two hours. #redis')
  await world.ok('obsidian', 'sync')
  return id
}

/** Two tasks of which the first is claimed, and one that is ready; the lease of the first. */
async function furnishWork(name: string, world: World): Promise<string> {
  const tasks = [
    { name: 'build', title: 'Build it', brief: 'Why, and how.' },
    { name: 'tests', title: 'Test it', after: ['build'] },
    { name: 'docs', title: 'Describe it', kind: 'write' },
  ]
  world.write('plan.json', JSON.stringify({ graph: 'release', tasks }))
  await world.ok('work', 'plan', 'plan.json')
  const { claimed } = await world.json<{ claimed: { lease: string } }>('work', 'claim', 'release.build')
  if (name === 'work retry') await world.ok('work', 'cancel', 'release.build')
  return claimed.lease
}

/** What a verb needs to have something to say; the id that it is called with. */
async function furnishFor(name: string, world: World): Promise<string> {
  if (name === 'save')
    world.write(
      'learned.json',
      JSON.stringify({
        entries: [
          { statement: 'Staging runs PostgreSQL 15.', why: 'psql said so.' },
          { statement: 'It is fine.' },
        ],
      }),
    )
  const id = NEEDS_NO_ENTRIES.test(name) ? '' : await furnish(world)
  if (/^work\b/.test(name) && !name.startsWith('workspace')) return furnishWork(name, world)
  if (NEEDS_A_SESSION.test(name)) await furnishSession(world)
  if (name.startsWith('agent ')) await furnishHost(name, world)
  if (name.startsWith('merge-driver'))
    await runProcess('git', ['init', '-q'], { cwd: world.root, env: world.environment })
  if (NEEDS_A_WORKSPACE.test(name)) furnishWorkspace(world)
  if (/^source (?:list|remove|sync)$/.test(name)) await world.ok('source', 'add', 'notes.jsonl')
  if (NEEDS_A_STATE.test(name)) world.write('.memory/state.json', stateText(SHOP))
  if (/^(?:hot|skill)\b/.test(name)) await furnishHot(world)
  if (/^(?:import sync|cold)\b/.test(name))
    world.write('agent-transcripts/talk.jsonl', '{"role":"user","content":"Ship it."}\n')
  if (name === 'checkpoint show') await world.ok('recall')
  if (/^backup (?:check|restore)$/.test(name)) await world.ok('backup', 'shop.cairn')
  if (name.startsWith('obsidian')) return furnishObsidian(name, world, id)
  if (!name.startsWith('review')) return id
  if (name === 'review dismiss') {
    const rules = Array.from({ length: 52 }, (_, n) => ({
      content: `Rule of ${'abcdefghijklmnopqrstuvwxyz'[n % 26]}${n}.`,
      date: '2020-01-01T10:00',
    }))
    world.write('.memory/dev/decisions.md', headFile(rules))
    return (
      (await world.json<{ stale: { proposals: { id: string }[] } }>('review', '--stale')).stale.proposals[0]
        ?.id ?? ''
    )
  }
  const metadata = { kind: 'decision', status: 'candidate', origin: 'machine', session: 's0' }
  world.write('captured.jsonl', JSON.stringify({ text: 'Deploys wait for the smoke tests.', metadata }))
  await world.json('import', 'captured.jsonl')
  return (await world.json('review')).proposals[0]?.id ?? ''
}

/** How each verb is called in a furnished project. */
const CALLS: Readonly<Record<string, (id: string) => readonly string[]>> = {
  init: () => ['init', '--dry-run', '--host', 'codex', '--no-commands'],
  uninstall: () => ['uninstall', '--dry-run'],
  trust: () => ['trust'],
  untrust: () => ['untrust'],
  projects: () => ['projects'],
  'projects forget': () => ['projects', 'forget', 'project', '--dry-run'],
  save: () => ['save', 'learned.json', '--session', 's1'],
  remember: () => [
    'remember',
    'We stream by SSE. #sse',
    '--kind',
    'decision',
    '--session',
    's1',
    '--files',
    'a.ts,b.ts',
  ],
  search: () => ['search', 'where do sessions live?'],
  everywhere: () => ['everywhere', 'where do sessions live?'],
  met: () => ['met', 'Sessions live in Redis for how long?'],
  entity: () => ['entity', 'redis'],
  list: () => ['list'],
  show: id => ['show', id],
  brief: () => ['brief', '--prompt', 'where do sessions live?'],
  why: () => ['why', 'where do sessions live?'],
  briefs: () => ['briefs'],
  feedback: id => ['feedback', id, 'useful'],
  confirm: id => ['confirm', id],
  fresh: () => ['fresh'],
  embed: () => ['embed'],
  'embedder status': () => ['embedder', 'status'],
  'embedder allow': () => ['embedder', 'allow'],
  'embedder forbid': () => ['embedder', 'forbid'],
  'model status': () => ['model', 'status'],
  'model allow': () => ['model', 'allow'],
  'model forbid': () => ['model', 'forbid'],
  'model try': () => ['model', 'try', '--dry-run'],
  'agent hosts': () => ['agent', 'hosts'],
  'agent enable': () => ['agent', 'enable', 'claude-code', '--yes'],
  'agent disable': () => ['agent', 'disable', 'claude-code'],
  'agent run': () => ['agent', 'run', 'claude-code', 'hello'],
  'agent chats': () => ['agent', 'chats'],
  links: id => ['links', id],
  conflicts: () => ['conflicts'],
  'conflicts resolve': id => ['conflicts', 'resolve', id, 'auth middleware', '--both'],
  graph: () => ['graph'],
  edit: id => ['edit', id, '--content', 'Sessions live in Redis for two hours. #redis'],
  forget: id => ['forget', id],
  pin: id => ['pin', id],
  sessions: () => ['sessions'],
  'session start': () => ['session', 'start', 's2', '--agent', 'ana', '--parent', 's1'],
  'session append': () => ['session', 'append', 's1', '--role', 'user', '--text', 'And the tests?'],
  'session run': () => ['session', 'run', 's1', '--command', 'npm test', '--exit-code', '0'],
  'session checkpoint': () => ['session', 'checkpoint', 's1'],
  'session recover': () => ['session', 'recover', '--agent', 'dev'],
  'session sleep': () => ['session', 'sleep', 's1'],
  'session end': () => ['session', 'end', 's1'],
  'session close': () => ['session', 'close', 's1'],
  'session pick-up': () => ['session', 'pick-up'],
  'session refine': () => ['session', 'refine', 's1'],
  review: () => ['review'],
  'review accept': id => ['review', 'accept', id],
  'review reject': id => ['review', 'reject', id],
  'review edit': id => ['review', 'edit', id, 'Deploys wait for smoke tests and a person.'],
  'review apply': () => ['review', 'apply', '--all', '--kind', 'archive', '--dry-run'],
  'review dismiss': id => ['review', 'dismiss', id],
  'session fork': () => ['session', 'fork', 's1', '--as', 's1-again'],
  'session resume': () => ['session', 'resume', 's1'],
  'session show': () => ['session', 'show', 's1'],
  agents: () => ['agents', 'dev'],
  'task add': () => ['task', 'add', 'Write the changelog'],
  'task done': () => ['task', 'done', 'signing key'],
  'task list': () => ['task', 'list', '--all'],
  work: () => ['work'],
  'work add': () => ['work', 'add', 'Ship it', '--graph', 'ship', '--after', 'release.tests'],
  'work plan': () => ['work', 'plan', 'plan.json', '--graph', 'again'],
  'work list': () => ['work', 'list', '--graph', 'release'],
  'work show': () => ['work', 'show', 'release.tests'],
  'work claim': () => ['work', 'claim', '--worker', 'w2', '--kind', 'write'],
  'work beat': id => ['work', 'beat', id, 'half', '--share', '0.5'],
  'work done': id => ['work', 'done', id, 'Built.', '--files', 'dist/a.js'],
  'work fail': id => ['work', 'fail', id, 'No compiler', '--final'],
  'work cancel': () => ['work', 'cancel', 'release.build', '--why', 'Not needed'],
  'work retry': () => ['work', 'retry', 'release.build'],
  'work wait': () => ['work', 'wait', 'release'],
  'work prune': () => ['work', 'prune', '--dry-run'],
  'alias add': () => ['alias', 'add', 'ledger', 'accounting', 'bookkeeping'],
  'alias list': () => ['alias', 'list'],
  'alias remove': () => ['alias', 'remove', 'ws'],
  hot: () => ['hot', '--rules'],
  'hot init': () => ['hot', 'init'],
  'hot lint': () => ['hot', 'lint'],
  'hot promote': id => ['hot', 'promote', id],
  'hot demote': () => ['hot', 'demote', 'german'],
  'hot link': () => ['hot', 'link'],
  'hot unlink': () => ['hot', 'unlink'],
  'skill save': () => ['skill', 'save', 'release', '--description', 'Release it.', 'Tag', 'it.'],
  'skill list': () => ['skill', 'list'],
  'skill show': () => ['skill', 'show', 'deploy'],
  'skill remove': () => ['skill', 'remove', 'deploy'],
  'skill link': () => ['skill', 'link'],
  'skill unlink': () => ['skill', 'unlink'],
  import: () => ['import', 'notes.jsonl'],
  'import sync': () => ['import', 'sync'],
  cold: () => ['cold'],
  'cold show': () => ['cold', 'show', 'agent-transcripts/agent-transcripts-talk:1'],
  'cold remove': () => ['cold', 'remove', '--all'],
  'import discover': () => ['import', 'discover'],
  'source add': () => ['source', 'add', 'notes.jsonl'],
  'source list': () => ['source', 'list'],
  'source remove': () => ['source', 'remove', 'notes'],
  'source sync': () => ['source', 'sync'],
  'source allow': () => ['source', 'allow'],
  link: () => ['link'],
  'obsidian link': () => ['obsidian', 'link', 'vault', '--agents', 'shared'],
  'obsidian sync': () => ['obsidian', 'sync', '--dry-run'],
  'obsidian status': () => ['obsidian', 'status'],
  'obsidian resolve': id => ['obsidian', 'resolve', id, '--keep', 'note'],
  'obsidian watch': () => ['obsidian', 'watch', '--seconds', '1'],
  'obsidian unlink': () => ['obsidian', 'unlink', '--remove-notes', '--dry-run'],
  migrate: () => ['migrate'],
  'merge-driver status': () => ['merge-driver', 'status'],
  'merge-driver install': () => ['merge-driver', 'install'],
  'merge-driver uninstall': () => ['merge-driver', 'uninstall'],
  export: () => ['export'],
  workspaces: () => ['workspaces'],
  'retrieve plans': () => ['retrieve', 'plans', 'devtools'],
  'retrieve overview': () => ['retrieve', 'overview', '--workspace', 'devtools'],
  'retrieve learnings': () => ['retrieve', 'learnings', 'devtools/common'],
  'workspace plan add': () => [
    ...['workspace', 'plan', 'add', 'New engine', '--scope', 'devtools/common'],
    ...['--description', 'Faster', '--created', '2026-02-09'],
  ],
  'workspace plan set': () => ['workspace', 'plan', 'set', '260208-engine', '--status', 'done'],
  'workspace overview set': () => [
    ...['workspace', 'overview', 'set', 'devtools/common/metan', '--description', 'A tool'],
  ],
  'workspace learn': () => [
    ...['workspace', 'learn', 'lesson', 'Mind the gap', '--workspace', 'devtools', '--category', 'debugging'],
  ],
  'workspace migrate': () => ['workspace', 'migrate'],
  recall: () => ['recall', '--dry-run', '--section', 'nextSteps'],
  checkpoints: () => ['checkpoints'],
  'checkpoint show': () => ['checkpoint', 'show', 'latest'],
  compact: () => ['compact', '--dry-run'],
  backup: () => ['backup', 'new.cairn'],
  'backup check': () => ['backup', 'check', 'shop.cairn'],
  'backup restore': () => ['backup', 'restore', 'shop.cairn', '--yes'],
  restore: () => ['restore'],
  query: () => ['query', 'what is left to do?'],
  'query templates': () => ['query', 'templates'],
  projections: () => ['projections'],
  'projections write': () => ['projections', 'write'],
  'projections remove': () => ['projections', 'remove', '--dry-run'],
  'entry-block': () => ['entry-block'],
  'entry-block write': () => ['entry-block', 'write', '--file', 'CLAUDE.md'],
  'entry-block remove': () => ['entry-block', 'remove', '--dry-run'],
  log: () => ['log'],
  events: () => ['events'],
  undo: () => ['undo'],
  status: () => ['status'],
  validate: () => ['validate'],
  doctor: () => ['doctor'],
  budget: () => ['budget', '2000'],
  auto: () => ['auto', 'off'],
  preset: () => ['preset', 'conservative'],
  'config list': () => ['config', 'list'],
  'config get': () => ['config', 'get', 'search.limit'],
  'config set': () => ['config', 'set', 'search.limit', '3'],
  'config unset': () => ['config', 'unset', 'search.limit'],
}

/** What a person reads: ids, moments and days are made equal, the rest is as printed. */
const SCREENS: Readonly<Record<string, string | RegExp>> = {
  init: `cairn init will change ROOT

  Memory     .memory/, 3 entries
             not a git repository, so there is no merge driver and no history
  Hosts      Codex (for all projects that you initialise or trust)

Changes
  + ~/.codex/hooks.json   8 hooks
  + ~/.codex/config.toml  MCP server cairn, its tools approved
  + AGENTS.md             a block of a few lines: how agents search the memory and save to it

To do
  Codex runs no hook that its user has not trusted, and says nothing about it.
    → Start \`codex\` once and choose "Trust all and continue" when it shows the hooks.
`,
  uninstall: `cairn uninstall will remove in ROOT

Agents would no longer be able to read this project.
The memory stays: 3 entries in ROOT/.memory.
`,
  trust:
    /^3 entries in ROOT\/\.memory\n {2}By {9}shared 3\n {2}Newest {5}DAY shared task {2}- \[ \] Rotate[\s\S]*Already trusted: agents can read it\.\n$/,
  untrust: 'Agents can no longer read ROOT. The memory was not changed.\n',
  projects: '  project  trusted    DAY  ROOT\n',
  'projects forget':
    'Would remove from the list; the memory is not changed:\n  project  trusted    DAY  ROOT\n',
  save: /^Stored: ID {2}lesson in shared\/lessons\n {6}Staging runs PostgreSQL 15\..*\nRefused: It is fine\.\n {6}Too short/s,
  remember: 'Remembered: ID  decision in shared/decisions\n      We stream by SSE. #sse\n',
  search:
    /^0\.\d\d {2}ID {2}decision · shared · DAY {2}#redis\n {6}Sessions live in Redis for one hour\. #redis\n/,
  everywhere:
    /^0\.\d\d {2}project \(here\) ID {2}decision · shared · DAY[\s\S]*Sessions live in Redis for one hour\./,
  met: /^Looked for: Sessions live in Redis for how long\?\n0\.\d\d {2}project \(here\) ID {2}decision · shared · DAY/,
  entity: /^service:redis {2}1 entry in 1 project\n {6}project \(here\) {2}1 entry\n/,
  list: `ID  task · shared · DAY
      - [ ] Rotate the signing key
ID  warning · shared · DAY
      Never edit the auth middleware; extend it by hooks.
ID  decision · shared · DAY  #redis
      Sessions live in Redis for one hour. #redis
`,
  brief:
    /^## MEMORY CONTEXT\nRecorded project memory .*\n### Relevant to this prompt\n- \[decision · DAY · shared · #ID\] Sessions live in Redis for one hour\. #redis\n## END OF MEMORY CONTEXT\n$/,
  why: /^floor 0\.13, profile default\nin {3}0\.\d\d {2}ID {2}decision · DAY\n {12}relevance 0\.\d\d \(words 0\.\d\d, meaning 0\.\d\d\).*\n {12}Sessions live/,
  briefs: 'No brief was sent yet.\n',
  feedback: '1 useful, 0 wrong: Sessions live in Redis for one hour. #redis\n',
  confirm: 'Confirmed: ID\n      Sessions live in Redis for one hour. #redis\n',
  fresh:
    '0 anchored entries, 0 drifted or orphaned.\n1 names files and has no anchor; `cairn confirm` takes one of files that are there.\n',
  embed: '0 vectors made, 0 waiting.\n',
  'embedder status': 'Embedder built-in: nothing leaves this machine.\n',
  'embedder allow':
    'Nothing is sent to an embedder here (`embedder.use` is not http), so there is nothing to allow.\n',
  'embedder forbid': 'Nothing was allowed here.\n',
  'model status':
    'Model off\nFindings come from rules only. `cairn config set model.use …` chooses a model.\n',
  'model allow': 'No model is configured (`model.use` is off), so there is nothing to allow.\n',
  'agent hosts': /^claude-code {2}Claude Code {14}not enabled\n {13}\S+claude -p --output-format stream-json/,
  'agent enable': /^Enabled: Claude Code, in this project on this machine\. This is run/,
  'agent disable': 'Nothing is run with claude-code here any more.\n',
  'agent run': 'You said: hello\n',
  'agent chats': /^\S+ dev codex chat_1\n {2}s1: Why is the build slow\?\n$/,
  'model forbid': 'No model was allowed here.\n',
  'model try':
    'Would send:\n  Answer with one JSON object and nothing else.\n  Say that you can be reached: {"keep":[]}\nNo model is configured (`model.use` is off).\n',
  links: `About
  service  Redis  only here
  file     src/session.ts  only here
`,
  conflicts: 'No open conflicts.\n',
  'conflicts resolve': /^Resolved [0-9a-f]{6}: both are valid\.\n`cairn undo` opens it again\.\n$/,
  graph: `3 entries, 2 entities, 0 links
Entries with the most connections
     2  ID  Sessions live in Redis for one hour. #redis
What they are about
     1  file     src/session.ts
     1  service  Redis
`,
  show: `ID  decision in shared/decisions · confirmed · importance 0.5 · MOMENT
#redis
src/session.ts

Sessions live in Redis for one hour. #redis

fetched 1 time, last MOMENT; effective importance 0.275
`,
  edit: 'Changed: ID  decision in shared/decisions\n      Sessions live in Redis for two hours. #redis\n',
  forget:
    'Forgotten: ID  decision in shared/decisions\n      Sessions live in Redis for one hour. #redis\n`cairn undo` brings it back.\n',
  pin: 'Pinned: ID  decision in shared/decisions\n      Sessions live in Redis for one hour. #redis\n',
  sessions: `s1  open · dev · codex · MOMENT · 3 messages
      Why is the build slow?
      chat of dev: chat_1
`,
  'session start': 'Started: s2  ana · cli · since MOMENT · from s1\n',
  'session append': '1 message added to s1, 4 in all.\n',
  'session run': '1 tool run added to s1, 4 messages in all.\n  ID  `npm test` passed\n',
  'session checkpoint': 'Saved: the last 3 messages of s1, MOMENT\n',
  'session recover': `s1  dev · MOMENT · 3 messages · chat chat_1
      user: Why is the build slow?
      agent: It compiles everything twice.
      tool: npm test (failed)
`,
  'session sleep': `Asleep: s1, with its last 3 messages
      handoff ID
      Asked: Why is the build slow?
      Left: The session ended during: It compiles everything twice. \`npm test\` failed.
`,
  'session end': 'Ending: s1  the next process closes it.\n',
  'session close': 'Session s1, 3 messages: 0 entries added, 0 strengthened, 0 for review, handoff stored.\n',
  'session pick-up': 'No open sessions to close.\n',
  'session refine': 'Session s1 was not changed.\n',
  review: `Suggestions (1): never injected unless you accept them
ID  decision · found by a rule · shared · DAY
      Deploys wait for the smoke tests.
cairn review accept|reject|edit <id>
`,
  'review accept': 'Accepted: ID  Deploys wait for the smoke tests.\n',
  'review edit': 'Accepted: ID  Deploys wait for smoke tests and a person.\n',
  'review reject':
    'Rejected: ID  Deploys wait for the smoke tests.\nIt will not be proposed again. `cairn undo` undoes it.\n',
  'review apply': 'Nothing to do.\n',
  'review dismiss':
    'Dismissed: split dev/decisions.md\nNot proposed again until it changes. `cairn undo` undoes this.\n',
  'import sync': 'agent-transcripts  1 transcript, 1 read: 1 taken in\n',
  cold: /^agent-transcripts\/ {2}1 transcript, 1 KB, .*\nNo copies are stored; cold\.keep is off\. .*\n$/,
  'cold show': /^agent-transcripts\/agent-transcripts-talk\n.*talk\.jsonl\n▸ 1 {2}user\n {6}Ship it\.\n$/,
  'cold remove': '0 copies (0 KB) deleted.\n',
  'import discover':
    'Nothing was found here that Cairn knows how to import. `cairn import <file or folder>` takes any.\n',
  'source add': /^Added: notes {2}jsonl {2}.*notes\.jsonl\ncairn source sync notes imports it\.\n$/,
  'source list': /^notes {2}jsonl {2}.*notes\.jsonl\n {6}never synced\n$/,
  'source remove': /^Removed: notes {2}jsonl .*\nWhat it gave stays in the memory\.\n$/,
  'source sync': 'notes  1 of 1 file read, 0 added, 3 known already, 0 not taken\n',
  'source allow': 'Every import source was added or allowed on this machine.\n',
  work: 'release               1 waiting, 1 ready, 1 running\n',
  'work add': 'Added: ship.1\n',
  'work plan': 'Added: again.build\nAdded: again.tests\nAdded: again.docs\n',
  'work list':
    'release.build             running        Build it  (cli, 10 min left)\nrelease.tests             waiting        Test it  (for release.build)\nrelease.docs              ready          Describe it\n',
  'work show': 'release.tests  waiting\nTest it\nAfter release.build (running)\n',
  'work claim':
    /^release\.docs {2}running\nDescribe it\n\nLease release\.docs\.1\.[0-9a-f]{18}\ncairn work beat <lease> .*\n$/,
  'work beat': 'release.build is still yours.\n',
  'work done': 'Done: release.build  Build it\nReady now: release.tests\n',
  'work fail': 'Failed: release.build. It is not retried; `cairn work retry release.build` opens it.\n',
  'work cancel': 'Cancelled: release.build  Build it\nCancelled: release.tests  Test it\n',
  'work retry': 'Open again: release.build is ready\nOpen again: release.tests is waiting\n',
  'work wait':
    'release               1 waiting, 1 ready, 1 running\nThe graph is still running; wait again.\n',
  'work prune': 'No graph ended that long ago.\n',
  link: 'This project is not linked to a hub. `cairn link <hub-url>` links it.\n',
  'obsidian link':
    'Linked: ROOT/vault/Cairn/project (only shared)\n3 entries, 0 notes there. cairn obsidian sync carries them over.\n',
  'obsidian sync':
    /^(?:would be written {2}shared\/.*\n){3}3 would be written: 3 entries, 0 notes in Memory\.\n$/,
  'obsidian status': /^ROOT\/vault\/Memory {2}since .*\n3 entries, 0 notes: 3 would be written\n$/,
  'obsidian resolve': /^Kept the note of ID\.\nTo the trash of the vault: .* \(conflict DAY\)\.md\n$/,
  'obsidian watch': '1 sync: 3 written.\n',
  'obsidian unlink': 'Would unlink: ROOT/vault/Memory\n',
  'session fork': 'Forked: s1-again  from s1 · dev 3 messages\n',
  'session resume': `Open: s1  was open · dev · codex · since MOMENT · chat chat_1
      user: Why is the build slow?
      agent: It compiles everything twice.
      tool: npm test (failed)
`,
  'session show': `s1  open · dev · codex · since MOMENT · chat chat_1 · active MOMENT · 3 messages
      user: Why is the build slow?
      agent: It compiles everything twice.
      tool: npm test (failed)
`,
  agents: `dev
  now   s1  codex · since MOMENT · 3 messages
        Why is the build slow?
        ran npm test (failed)
  done  1 session, 3 messages, 0 entries, last active MOMENT
`,
  'task add': 'Added: ID  task in shared/tasks\n      - [ ] Write the changelog\n',
  'task done': '[x] Rotate the signing key  shared ID\n',
  'task list': '[ ] Rotate the signing key  shared ID\n',
  'alias add': 'ledger now also means accounting, bookkeeping.\n',
  'alias list': /^\S+ +\S.*\n(?:.*\n)*ws +websocket\n/,
  'alias remove': 'ws means only itself now.\n',
  hot: /^agent\/rules\/common\/user-profile\.md {2}2 of 50 lines {5}\d+ tokens\n {4}user-profile\.md#[0-9a-f]{6} {2}Answer in German\.\nIn all 2 of 300 lines, \d+ of 3000 tokens\.\n$/,
  'hot init': `Kept: agent/rules/common/user-profile.md
Written: agent/rules/common/global-conventions.md
Written: agent/rules/common/workspace-workflow.md
Word them as you like, then \`cairn hot link\`; \`cairn undo\` takes them back.
`,
  'hot lint':
    /^In all 2 of 300 lines, \d+ of 3000 tokens\.\nAdvice appears after 15 closed sessions \(0 so far\)\.\nPassed\.\n$/,
  'hot promote':
    'Now a rule in agent/rules/common/user-profile.md\n      Sessions live in Redis for one hour. #redis\n',
  'hot demote':
    /^Moved: user-profile\.md#[0-9a-f]{6} → \.memory\/shared\/lessons\.md {2}ID\n {6}Answer in German\.\n$/,
  'hot link': 'linked  .claude/rules/user-profile.md\n',
  'hot unlink': 'Nothing to do.\n',
  'skill save': 'Skill release added: agent/skills/release/SKILL.md\n  linked  .claude/skills/release\n',
  'skill list': /^deploy · \d+ tokens · not linked\n {6}Deploy it\.\n$/,
  'skill show': '---\nname: deploy\ndescription: "Deploy it."\n---\n\nRun the script.\n',
  'skill remove': 'Removed: agent/skills/deploy/SKILL.md\n',
  'skill link': 'linked  .claude/skills/deploy\n',
  'skill unlink': 'Nothing to do.\n',
  import: 'Read 3 lines: 0 added, 3 known already, 0 not taken.\n',
  migrate: 'Nothing to migrate: this memory is up to date.\n',
  'merge-driver status': `git merges memory files as text here: \`cairn merge-driver install\` changes that.
  .memory/.gitattributes  missing  committed: every clone has it
  git config merge.cairn  missing  of this clone only
`,
  'merge-driver install': `Changed: .memory/.gitattributes, git config merge.cairn
Commit .memory/.gitattributes. In every other clone, run \`cairn merge-driver install\` once.
`,
  'merge-driver uninstall': 'There was nothing to remove.\n',
  export: /^\{"text":"Sessions live in Redis for one hour\. #redis","metadata":\{.*\}\}\n\{.*\}\n\{.*\}\n$/,
  workspaces:
    'devtools  1 decision\n    About DevTools\n  devtools/common  1 plan (1 open)\n      About Common\n',
  'retrieve plans': `plans:
  - name: "Engine"
    description: "Run graphs"
    status: new
    created: "DAY"
    tags: [graphs]
    _meta:
      document_path: "resources/workspaces/devtools/common/_plans/260208-engine.md"
      document_id: "260208-engine"
`,
  'retrieve overview': `overviews:
  - scope: "devtools"
    tier: T1
    content: |
      ---
      name: DevTools
      description: About DevTools
      tags: []
      ---

      # DevTools
    _meta:
      document_path: "resources/workspaces/devtools/OVERVIEW.md"
      document_id: "overview:devtools"

  - scope: "devtools/common"
    tier: T0
    abstract: "About Common"
    _meta:
      document_path: "resources/workspaces/devtools/common/OVERVIEW.md"
      document_id: "overview:devtools/common"
`,
  'retrieve learnings': `decisions:
  - content: "Chose xstate — Typed."
    date: "DAY"
    category: architecture
    tags: [graphs]
    scope: "devtools"
    _meta:
      document_path: "user/memory/workspaces/devtools/decisions.md"
      document_id: "decision:devtools/DAY-chose-xstate"

lessons: []
`,
  'workspace plan add':
    'Planned: 260209-new-engine in devtools/common\n      resources/workspaces/devtools/common/_plans/260209-new-engine.md\n',
  'workspace plan set':
    'Changed status: 260208-engine is done\n      resources/workspaces/devtools/common/_plans/260208-engine.md\n',
  'workspace overview set':
    'Begun: devtools/common/metan\n      resources/workspaces/devtools/common/metan/OVERVIEW.md\n',
  'workspace learn':
    'Learned: lesson in devtools: Mind the gap\n      user/memory/workspaces/devtools/lessons.md\n',
  'workspace migrate': 'Nothing to migrate, 3 files looked at.\n',
  recall:
    /^Would fold in 0 events of 0 sources and 2 entries: 2 added\.\n\nProject\n {2}\+ .+\n\nNext steps\n {2}\+ Rotate the signing key\n\nRun without --dry-run to apply it\.\n$/,
  checkpoints: 'No checkpoints yet. `cairn recall` makes the first.\n',
  'checkpoint show':
    /\n\nproject\n\nGotchas\n {2}Never edit the auth middleware; extend it by hooks\.\n\nNext steps\n {2}Rotate the signing key\n\nThe bundle is the same now\.\n$/,
  compact: 'Nothing to do.\n',
  backup: /^\d+ files in ROOT\/new\.cairn \(\d+ K?B\)\.\n$/,
  'backup check':
    /^ROOT\/shop\.cairn is complete\.\nThe memory of project, DAY \d\d:\d\d UTC, by Cairn .*: \d+ files, \d+ K?B\n$/,
  'backup restore':
    /^The memory of project, DAY \d\d:\d\d UTC, by Cairn .*: \d+ files, \d+ K?B\nIt is now the memory of ROOT\.\nWhat was here is in .*backups\/project-before-.*\.cairn: restore that file to undo this\.\n$/,
  restore: 'The archive is empty.\n',
  query:
    /^0\.\d\d {2}next step · since DAY\n {6}Rotate the signing key\n0\.\d\d {2}next step · since DAY\n {6}Write the migration of old sessions\n$/,
  'query templates':
    /^handoff\n {4}You take over .*\nonboarding\n(?:.*\n)*standup\n {4}Write a short status .*\n$/,
  projections: `docs/agent-memory/README.md           not there
docs/agent-memory/project-map.md      not there
docs/agent-memory/current-focus.md    not there
docs/agent-memory/gotchas.md          not there
docs/agent-memory/next-steps.md       not there
\`cairn projections write\` makes them.
`,
  'projections write': `Written: docs/agent-memory/README.md
Written: docs/agent-memory/project-map.md
Written: docs/agent-memory/current-focus.md
Written: docs/agent-memory/gotchas.md
Written: docs/agent-memory/next-steps.md
\`cairn undo\` reverts it.
`,
  'projections remove': 'Nothing to remove.\n',
  'entry-block': `AGENTS.md                             not there
\`cairn entry-block write\` writes it.
`,
  'entry-block write': `Written into: AGENTS.md
Written into: CLAUDE.md
\`cairn undo\` reverts it.
`,
  'entry-block remove': 'Nothing to remove.\n',
  log: 'ID  MOMENT  import  cli  3 entries\n',
  events: 'No events yet.\n',
  undo: 'Undone: ID  MOMENT  import  cli  3 entries  (undone)\n',
  status:
    /^No problems\.\n3 entries in .*\.memory, 0 pinned, 1 open task\nTrusted: agents can read this memory\n {2}shared {11}1 decision, 1 lesson, 1 task\nIndex \d+ KB \(disk\), journal \d+ K?B, last: import MOMENT\nVectors 3\nModel off\nGrowth 3 entries in 7 days, 3 in 30; 0 events in 7 days\n$/,
  validate: /^Valid: \d+ files, \d+ checks, nothing found\.\n$/,
  doctor:
    /^ok {2}runtime: Cairn .*, Node .*\nok {2}config\.json: readable\nok {2}curation\.json: readable\nok {2}index: 3 entries, equal to the files\nok {2}sessions: 0 readable, checkpoints: 0\nok {2}waiting: 0 to review, 0 open conflicts, 0 sessions left open\nok {2}vectors: 3 made, 0 waiting\nok {2}secrets: none found in 3 entries\nok {2}hosts: Cairn is not installed in any host\n {4}→ .*\nok {2}projects: 1 known, 1 trusted\nNo problems found\.\n$/,
  'config list':
    /^vault\.defaultAgent = "shared" \(default\) {2}.*\n(?:.*\n)*search\.limit = 10 \(default\) {2}The default number of hits/,
  budget: 'A brief takes at most 2,000 tokens.\nNo host has received a brief yet.\n',
  auto: 'Automatic memory is off: a session stores only texts marked #remember.\n',
  preset: 'The preset is conservative: suggestions with 4 points or more come first in `cairn review`.\n',
  'config get': 'search.limit = 10 (default)\n',
  'config set': 'search.limit = 3\n',
  'config unset': 'search.limit = 10 (default)\n',
}

describe.concurrent('every verb', () => {
  it('has a call and a screen in this file', () => {
    // Those over a hub need its database (test/hub/administration.test.ts has them all), and those two a hub that is there (test/hub/link-*).
    const verbs = Object.keys(OPERATIONS).filter(
      name => !name.startsWith('hub ') && name !== 'sync' && name !== 'unlink',
    )
    expect(Object.keys(CALLS).sort()).toEqual(verbs.sort())
    expect(Object.keys(SCREENS).sort()).toEqual(verbs.sort())
  })

  for (const [name, call] of Object.entries(CALLS)) {
    it(
      `${name} answers a person on standard output, without colours on a pipe`,
      inWorld(async world => {
        const id = await furnishFor(name, world)
        const run = await world.cairn(call(id))
        expect(run).toMatchObject({ code: 0, stderr: '' })
        expect(run.stdout).not.toContain(ESCAPE)
        const screen = steady(run.stdout).replaceAll(realpathSync(world.root), 'ROOT')
        const expected = SCREENS[name] as string | RegExp
        if (typeof expected === 'string') expect(screen).toBe(expected)
        else expect(screen).toMatch(expected)
      }),
    )

    it(
      `${name} --json says exactly what its schema promises, and --help names every flag`,
      inWorld(async world => {
        const id = await furnishFor(name, world)
        const operation = await (OPERATIONS[name] as () => ReturnType<(typeof OPERATIONS)[string]>)()
        const answer = JSON.parse(await world.ok(...call(id), '--json'))
        // Parsing drops what the schema does not know and fails on what is missing: equal means neither.
        expect(v.parse(operation.output, answer)).toEqual(answer)
        // What `--help` prints; that it does is tried below, for one verb.
        const help = await renderHelp(name, OWN_COMMANDS)
        for (const flag of flagsOf(operation)) expect(help).toContain(`--${flag.name}`)
        for (const flag of ['--json', '--root', '--help', '--color']) expect(help).toContain(flag)
        expect(help).toContain(`cairn ${name}`)
        expect(help).toContain('Examples\n')
      }),
    )
  }
})

describe.concurrent('what a verb does', () => {
  it(
    'remember takes a text from standard input, and free words without quotes',
    inWorld(async world => {
      const run = await world.cairn(['remember', '-', '--json'], {
        input: 'From a pipe.\n\nTwo paragraphs.\n',
      })
      expect(JSON.parse(run.stdout).entry.content).toBe('From a pipe.\n\nTwo paragraphs.')
      expect((await world.json('remember', 'free', 'words', 'here')).entry.content).toBe('free words here')
      expect((await world.json('remember', '--', '--json', 'is a flag')).entry.content).toBe(
        '--json is a flag',
      )
    }),
  )

  it(
    'remember says that a text is known, and strengthens it',
    inWorld(async world => {
      const first = await world.json('remember', 'The proxy drops idle sockets.')
      const again = await world.json('remember', 'the PROXY  drops\nidle sockets.')
      expect(again.duplicate).toBe(true)
      expect(again.entry.id).toBe(first.entry.id)
      expect([first.entry.importance, again.entry.importance]).toEqual([0.5, 0.6])
      expect((await world.json('list')).total).toBe(1)
    }),
  )

  it(
    'remember --private keeps the entry where git ignores it',
    inWorld(async world => {
      expect((await world.json('remember', '--private', 'My own note.')).entry.agent).toBe('private')
      expect(fileSaying(world.root, 'My own note.')).toMatch(/^\.memory\/private\/lessons\/[^/]+\.md$/)
      expect(world.read('.memory/.gitignore')).toContain('private/\n')
    }),
  )

  it(
    'the environment says who is asking, and flags win over it',
    inWorld(async world => {
      const env = { CAIRN_AGENT: 'dev', CAIRN_SESSION: 's7', CAIRN_HOST: 'claude-code' }
      const run = await world.cairn(['remember', 'From an agent.', '--json'], { env })
      expect(JSON.parse(run.stdout).entry).toMatchObject({ agent: 'dev', session: 's7' })
      const other = await world.cairn(['remember', 'For another.', '--agent', 'qa', '--json'], { env })
      expect(JSON.parse(other.stdout).entry.agent).toBe('qa')
      const [record] = (await world.json('log')).records
      expect(record?.by).toEqual({ host: 'claude-code', agent: 'dev', session: 's7', isAgent: true })
      expect(other.stdout).toContain('"origin":"agent"')
    }),
  )

  it(
    'filters narrow list and search alike',
    inWorld(async world => {
      await furnish(world)
      const totals = async (...flags: string[]) => [
        (await world.json('list', ...flags)).total,
        (await world.json('search', 'sessions middleware key', ...flags)).hits.length,
      ]
      expect(await totals()).toEqual([3, 3])
      expect(await totals('--kind', 'warning')).toEqual([1, 1])
      expect(await totals('--category', 'decisions')).toEqual([1, 1])
      expect(await totals('--tags', 'Redis,none')).toEqual([1, 1])
      expect(await totals('--file', 'session.ts')).toEqual([1, 1])
      expect(await totals('--file', 'src/')).toEqual([1, 1])
      expect(await totals('--since', '2999')).toEqual([0, 0])
      expect(await totals('--until', '1999-12-31')).toEqual([0, 0])
      expect(await totals('--agent', 'nobody')).toEqual([0, 0])
      expect(await totals('--reader', 'nobody')).toEqual([3, 3])
      expect(await totals('--status', 'pinned')).toEqual([0, 0])
      expect((await world.json('list', '--limit', '1', '--offset', '1')).entries[0]?.kind).toBe('warning')
    }),
  )

  it(
    'pin turns round, --no-off and --off do not',
    inWorld(async world => {
      const { entry } = await world.json('remember', 'Pin me.')
      const pinned = async (...flags: string[]) =>
        (await world.json<{ pinned: boolean }>('pin', entry.id, ...flags)).pinned
      expect([
        await pinned(),
        await pinned(),
        await pinned('--no-off'),
        await pinned('--no-off'),
        await pinned('--off'),
      ]).toEqual([true, false, true, true, false])
    }),
  )

  it(
    'edit moves an entry between vaults and files, and leaves the rest of it',
    inWorld(async world => {
      const { entry } = await world.json('remember', 'Movable. #tag', '--files', 'a.ts')
      const { entry: moved } = await world.json(
        'edit',
        entry.id,
        '--agent',
        'dev',
        '--kind',
        'decision',
        '--importance',
        '0.9',
      )
      expect(moved).toEqual({
        ...entry,
        agent: 'dev',
        kind: 'decision',
        category: 'decisions',
        importance: 0.9,
        updated: moved.updated,
      })
      expect(fileSaying(world.root, entry.id)).toMatch(/^\.memory\/dev\/decisions\/[^/]+-movable-\w{4}\.md$/)
      expect(Object.keys(vaultFiles(world.root))).toHaveLength(1)
    }),
  )

  it(
    'edit --expect refuses to write over what somebody else changed',
    inWorld(async world => {
      const { entry } = await world.json('remember', 'Version one.')
      await world.ok('edit', entry.id, '--content', 'Version two.')
      const failure = await world.failure(
        'edit',
        entry.id,
        '--content',
        'Version three.',
        '--expect',
        'Version one.',
      )
      expect(failure).toMatchObject({ exit: 4, code: 'entry_changed' })
      expect((await world.json('show', entry.id)).entry.content).toBe('Version two.')
    }),
  )

  it(
    'an entry of several checkboxes has a task for each',
    inWorld(async world => {
      const { entry } = await world.json(
        'remember',
        '- [ ] one\n- [x] two\n- [ ] three',
        '--category',
        'tasks',
      )
      expect((await world.json('task', 'list')).tasks.map(task => task.id)).toEqual([
        entry.id,
        `${entry.id}:3`,
      ])
      await world.ok('task', 'done', `${entry.id}:3`)
      await world.ok('task', 'done', '--reopen', `${entry.id}:2`)
      expect((await world.json('show', entry.id)).entry.content).toBe('- [ ] one\n- [ ] two\n- [x] three')
      expect(await world.failure('task', 'done', `${entry.id}:4`)).toMatchObject({
        exit: 3,
        code: 'entry_not_found',
      })
    }),
  )

  it(
    'an alias makes search find the other word, and is gone when it is removed',
    inWorld(async world => {
      await world.ok('remember', 'The accounting export runs at night.')
      const hits = async () => (await world.json('search', 'ledger')).hits.length
      expect(await hits()).toBe(0)
      await world.ok('alias', 'add', 'ledger', 'accounting')
      expect(await hits()).toBe(1)
      await world.ok('alias', 'remove', 'ledger')
      expect(await hits()).toBe(0)
    }),
  )

  it(
    'a setting takes effect, and undo takes it back',
    inWorld(async world => {
      await furnish(world)
      await world.ok('config', 'set', 'search.limit', '1')
      expect((await world.json('search', 'sessions middleware')).hits).toHaveLength(1)
      await world.ok('undo')
      expect((await world.json('search', 'sessions middleware')).hits).toHaveLength(2)
    }),
  )

  it(
    'the project is found from a folder inside it, and --root names another',
    inWorld(async world => {
      await world.ok('remember', 'In the root.')
      world.write('src/deep/file.ts', '')
      const inside = await world.cairn(['list', '--json'], { cwd: `${world.root}/src/deep` })
      expect(JSON.parse(inside.stdout).total).toBe(1)
      expect((await world.json('list', '--root', 'src')).total).toBe(0)
    }),
  )

  it(
    'looking at a project without a memory writes nothing, at home neither',
    inWorld(async world => {
      for (const verb of ['list', 'status', 'log', 'doctor', 'export', 'help']) await world.ok(verb)
      await world.ok('search', 'anything')
      await world.ok('task', 'list')
      expect(Object.keys(world.bytes())).toEqual([])
      expect(readdirSync(world.home)).toEqual([])
      await world.ok('remember', 'Now there is one.')
      expect([...new Set(Object.keys(world.bytes()).map(name => name.split('/')[0]))]).toEqual(['.memory'])
      // The list of projects that this user knows, which says that agents may be told of this one.
      expect([readdirSync(world.home), readdirSync(world.temporary)]).toEqual([['.cairn'], []])
    }),
  )
})

describe.concurrent('the command line itself', () => {
  it(
    'prints the help of a verb, of one word or of several',
    inWorld(async world => {
      for (const name of ['remember', 'config set', 'workspace plan add'])
        expect(await world.ok(...name.split(' '), '--help')).toBe(await renderHelp(name, OWN_COMMANDS))
    }),
  )

  it(
    'help lists every verb, and is what no words and --help give',
    inWorld(async world => {
      const help = await world.ok('help')
      const rows = help.split('\n')
      // What most people begin with comes first, and once.
      expect(rows[rows.indexOf('Set up') + 1]).toMatch(/^ {2}up +Open the Memory Vault/)
      expect(rows.filter(row => row.startsWith('  up ')).length).toBe(1)
      for (const name of [...Object.keys(OPERATIONS), 'up', 'demo', 'completion', 'help']) {
        const [first = '', member] = name.split(' ')
        const row = rows.find(line => line.startsWith(`  ${first} `)) ?? ''
        expect(row, name).toMatch(new RegExp(`[ :,]${member ?? first}(,|\\)|\\s|$)`))
      }
      expect(rows.length).toBeLessThan(120)
      expect(help).toContain(
        'Exit codes: 0 done, 2 usage, 3 not found, 4 conflict, 5 refused, 6 storage, 7 invalid, 1 internal; `doctor`, `hot lint` and syncing end with 1 when something is wrong.',
      )
      expect([await world.ok(), await world.ok('--help'), await world.ok('-h')]).toEqual([help, help, help])
      expect(await world.ok('help', 'task')).toContain('task done  Tick a task off, or open it again')
      expect(await world.ok('task', '--help')).toBe(await world.ok('help', 'task'))
      expect(await world.ok('help', 'task', 'done')).toContain('cairn task done <target…>')
      expect(await world.ok('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
      expect(await world.json('-V')).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    }),
  )

  it(
    'demo shows the path and leaves nothing behind',
    inWorld(async world => {
      const run = await world.cairn(['demo'])
      expect(run).toMatchObject({ code: 0, stderr: '' })
      for (const line of [
        'Removed connection_string',
        'Known already, strengthened',
        '$ cairn search "why did we not use web sockets for streaming?"',
        'Forgotten: ',
        'Undone: ',
        'Begin your own',
      ]) {
        expect(run.stdout).toContain(line)
      }
      expect([world.bytes(), readdirSync(world.temporary), readdirSync(world.home)]).toEqual([{}, [], []])
    }),
  )

  it(
    'colours come with --color, and NO_COLOR or --color=never keep them away',
    inWorld(async world => {
      await world.ok('remember', 'Colourful.')
      expect(await world.ok('list', '--color')).toContain(`${ESCAPE}[36m`)
      expect(await world.ok('list', '--color=never')).not.toContain(ESCAPE)
      expect(await world.ok('list', '--no-color')).not.toContain(ESCAPE)
    }),
  )
})
