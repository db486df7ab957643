import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type EntryAnswer, inWorld, type World } from './world.ts'

const FILE = '.memory/dev/decisions.md'
const BY_AGENT = 'Uploads go to S3: the disk of the web server is small.'
const BY_PERSON = 'Invoices are numbered per year.'

const typed = (content: string) => `## 2026-03-16T16:51\n\n${content}\n\n---\n\n`

/** A memory that this user trusts, with an entry in the file that the agent edits. */
async function trusted(world: World): Promise<void> {
  world.write(FILE, '<!-- id:1773593471839-k3f9 -->\n## 2026-03-15T16:51\n\nPrices have no cents.\n\n---\n')
  await world.ok('remember', 'Rounding is up.', '--kind', 'lesson')
  const at = '2026-01-01T00:00:00.000Z'
  const root = realpathSync(world.root)
  const project = { id: 'p', name: 'p', root, trustedAt: at, firstSeenAt: at, lastSeenAt: at }
  mkdirSync(path.join(world.home, '.cairn'), { recursive: true })
  writeFileSync(
    path.join(world.home, '.cairn', 'projects.json'),
    JSON.stringify({ version: 1, projects: [project] }),
  )
}

/** The file with `text` above what it has, as an edit tool or an editor leaves it. */
function insert(world: World, text: string): string {
  const whole = `${text}${world.read(FILE)}`
  world.write(FILE, whole)
  return whole
}

type Tool = (world: World, text: string) => { host: string; event: string; payload: object }

const claudeCode = (world: World) => ({
  session_id: '37cbacd5-4bd1-4e5d-9a3c-6f1f0a1f0b11',
  transcript_path: path.join(world.home, '37cbacd5.jsonl'),
  cwd: world.root,
  permission_mode: 'acceptEdits',
  hook_event_name: 'PostToolUse',
  tool_use_id: 'toolu_01',
})

/** What each host sends after its tool changed the file. */
const TOOLS: Readonly<Record<string, Tool>> = {
  'Write of Claude Code': (world, text) => {
    const filePath = path.join(world.root, FILE)
    const originalFile = world.read(FILE)
    const content = insert(world, text)
    return {
      host: 'claude-code',
      event: 'PostToolUse',
      payload: {
        ...claudeCode(world),
        tool_name: 'Write',
        tool_input: { file_path: filePath, content },
        tool_response: { type: 'update', filePath, content, structuredPatch: [], originalFile },
      },
    }
  },
  'Edit of Claude Code': (world, text) => {
    const filePath = path.join(world.root, FILE)
    const [oldString = ''] = world.read(FILE).split('\n')
    const newString = `${text}${oldString}`
    insert(world, text)
    return {
      host: 'claude-code',
      event: 'PostToolUse',
      payload: {
        ...claudeCode(world),
        tool_name: 'Edit',
        tool_input: {
          file_path: filePath,
          old_string: oldString,
          new_string: newString,
          replace_all: false,
        },
        tool_response: { filePath, oldString, newString, userModified: false, replaceAll: false },
      },
    }
  },
  'apply_patch of Codex': (world, text) => {
    const [context = ''] = world.read(FILE).split('\n')
    insert(world, text)
    const added = text
      .trimEnd()
      .split('\n')
      .map(line => `+${line}`)
    const patch = ['*** Begin Patch', `*** Update File: ${FILE}`, '@@', ...added, '+', ` ${context}`]
    return {
      host: 'codex',
      event: 'PostToolUse',
      payload: {
        session_id: '01a1b2c3',
        turn_id: 't1',
        transcript_path: null,
        cwd: world.root,
        hook_event_name: 'PostToolUse',
        model: 'gpt-5-codex',
        permission_mode: 'default',
        tool_name: 'apply_patch',
        tool_input: { command: [...patch, '*** End Patch'].join('\n') },
        tool_response: `Success. Updated the following files:\nM ${FILE}\n`,
        tool_use_id: 'call_1',
      },
    }
  },
}

/** The agent's tool writes, and its host calls the hook. */
async function agentWrites(world: World, tool: string, text: string): Promise<void> {
  const call = TOOLS[tool]?.(world, text)
  if (call === undefined) throw new Error(tool)
  const { host, event, payload } = call
  const run = await world.cairn(['hook', host, event], { input: JSON.stringify(payload) })
  expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' })
}

/** The hook started the worker, which nobody waits for. */
async function workerIsDone(world: World): Promise<void> {
  const spool = path.join(world.root, '.memory', '.vault', 'spool')
  for (let n = 0; n < 400; n++) {
    const names = existsSync(spool) ? readdirSync(spool) : []
    if (!names.some(name => /\.(jsonl|taken)$/.test(name) || name === 'worker')) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`still at work: ${readdirSync(spool).join(', ')}`)
}

async function stored(world: World, content: string): Promise<EntryAnswer | undefined> {
  return (await world.json('list')).entries.find(entry => entry.content === content)
}

const AGENTS = { origin: 'agent', status: 'candidate' }
const PERSONS = { origin: 'person', status: 'confirmed' }

describe('text in a vault file', () => {
  for (const tool of Object.keys(TOOLS)) {
    it(
      `is the agent's candidate when an agent's tool wrote it: ${tool}`,
      inWorld(async world => {
        await trusted(world)
        await agentWrites(world, tool, typed(BY_AGENT))
        await workerIsDone(world)
        const entry = await stored(world, BY_AGENT)
        expect(entry).toMatchObject(AGENTS)
        expect(entry?.session).toMatch(/^37cbacd5|^01a1b2c3$/)
        expect(await stored(world, 'Prices have no cents.')).toMatchObject(PERSONS)
      }),
    )

    it(
      `is the agent's when the file was read before the hook ran, and undo gives it back: ${tool}`,
      inWorld(async world => {
        await trusted(world)
        const call = TOOLS[tool]?.(world, typed(BY_AGENT))
        expect(await stored(world, BY_AGENT)).toMatchObject(PERSONS)
        await world.cairn(['hook', call?.host ?? '', call?.event ?? ''], {
          input: JSON.stringify(call?.payload),
        })
        await workerIsDone(world)
        expect(await stored(world, BY_AGENT)).toMatchObject(AGENTS)
        expect((await world.json('undo')).undone).toMatchObject({ action: 'update', changes: 1 })
        expect(await stored(world, BY_AGENT)).toMatchObject(PERSONS)
        const { records } = await world.json('log')
        await world.ok('undo', records.find(({ action }) => action === 'observe')?.id ?? '')
        expect(await stored(world, BY_AGENT)).toBeUndefined()
      }),
    )
  }

  it(
    'is told apart in one file: what a person typed stays confirmed',
    inWorld(async world => {
      await trusted(world)
      insert(world, typed('Read before the agent came.'))
      expect(await stored(world, 'Read before the agent came.')).toMatchObject(PERSONS)
      await new Promise(resolve => setTimeout(resolve, 2_100))
      // Nobody has read this one when the agent edits the file.
      insert(world, typed(BY_PERSON))
      await agentWrites(world, 'Edit of Claude Code', typed(BY_AGENT))
      insert(world, typed('Typed after the agent had gone.'))
      await workerIsDone(world)
      expect(await stored(world, BY_AGENT)).toMatchObject(AGENTS)
      for (const content of [
        BY_PERSON,
        'Read before the agent came.',
        'Typed after the agent had gone.',
        'Prices have no cents.',
      ])
        expect(await stored(world, content), content).toMatchObject(PERSONS)
      // A Write repeats the whole file: what was known before is not the agent's.
      await new Promise(resolve => setTimeout(resolve, 2_100))
      await agentWrites(world, 'Write of Claude Code', typed('Second of the agent.'))
      await workerIsDone(world)
      expect(await stored(world, 'Second of the agent.')).toMatchObject(AGENTS)
      expect(await stored(world, BY_PERSON)).toMatchObject(PERSONS)
    }),
  )

  it(
    "is the agent's where the memory was empty, whatever the agent wrote into the comment",
    inWorld(async world => {
      await trusted(world)
      await world.ok('undo')
      world.write(FILE, '')
      const claim = `<!-- id:1773679860000-hand status:pinned origin:person -->\n${typed(BY_AGENT)}`
      await agentWrites(world, 'Write of Claude Code', claim)
      await workerIsDone(world)
      expect(await stored(world, BY_AGENT)).toMatchObject({ id: '1773679860000-hand', ...AGENTS })
      expect(world.read('.memory/local/dev/decisions.md')).toContain('origin:agent')
    }),
  )

  it(
    "is the agent's where tool runs are not kept, and no conversation is",
    inWorld(async world => {
      await trusted(world)
      await world.ok('config', 'set', 'hooks.toolRuns', 'false')
      await agentWrites(world, 'Edit of Claude Code', typed(BY_AGENT))
      await workerIsDone(world)
      expect(await stored(world, BY_AGENT)).toMatchObject(AGENTS)
      expect(Object.keys(world.bytes()).filter(name => name.includes('conversations'))).toEqual([])
    }),
  )
})
