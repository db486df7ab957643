import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Recalled } from '../../src/api.ts'
import { BINARY, inWorld, type World } from './world.ts'

const STATE = '.memory/state.json'

function event(id: number, signals: Readonly<Record<string, unknown>>, sourceId = 'session:a'): string {
  return `${JSON.stringify({
    id: `${1_773_655_200_000 + id}-aaaa`,
    kind: 'imported_session',
    sourceId,
    createdAt: new Date(Date.UTC(2026, 2, 16, 10, 0, id)).toISOString(),
    contentHash: createHash('sha256').update(`${id}`).digest('hex').slice(0, 16),
    summary: 'Look after the deploy',
    signals: {
      decisions: [],
      gotchas: [],
      nextStepHints: [],
      keyPaths: [],
      validationObservations: [],
      ...signals,
    },
    sourceRef: 'sessions/a.memory.json',
  })}\n`
}

const ran = (command: string) => ({ validationObservations: [{ command, outcome: 'passed' }] })
const EVENTS = '.memory/history/events.jsonl'
const TWO_SOURCES = {
  [EVENTS]: [
    event(1, ran('npm test')),
    event(2, ran('make check'), 'chats'),
    event(3, ran('npm run lint')),
  ].join(''),
}

async function recalled(world: World, ...words: string[]): Promise<Recalled> {
  return world.json<Recalled>('recall', ...words)
}

/** A session that changed a file and left something to do. */
async function close(world: World, session: string, left: string): Promise<void> {
  await world.ok('session', 'start', session)
  await world.ok('session', 'append', session, '--role', 'user', '--text', 'Please look after the deploy.')
  await world.ok('session', 'run', session, '--command', 'npm test', '--ok')
  await world.ok('session', 'append', session, '--role', 'agent', '--text', `## Next steps\n- ${left}`)
  await world.ok('session', 'close', session)
}

const task = (world: World, text: string) => world.ok('remember', `- [ ] ${text}`, '--category', 'tasks')
const texts = (items: readonly { readonly text: string }[]) => items.map(({ text }) => text)

describe.concurrent('recall and its settings', () => {
  it(
    'recall.defaultSection, recall.defaultSource and recall.policy say what is folded in when nobody does',
    inWorld(async world => {
      await world.ok('config', 'set', 'automation.autoRecall', 'false')
      await task(world, 'Rotate the signing keys')
      await world.ok('remember', 'The cache is cold after a deploy.', '--kind', 'warning')
      await world.ok('config', 'set', 'recall.defaultSection', 'nextSteps')
      const section = (await recalled(world)).bundle
      expect([texts(section.gotchas), texts(section.nextSteps)]).toEqual([[], ['Rotate the signing keys']])
      await world.ok('config', 'set', 'recall.defaultSection', 'all')
      await world.ok('config', 'set', 'recall.defaultSource', 'chats')
      const source = await recalled(world)
      expect([source.bundle.validationCommands.length, source.folded.events, source.backlog]).toEqual([
        1, 1, 2,
      ])
      expect(texts(source.bundle.gotchas)).toEqual([])
      await world.ok('config', 'set', 'recall.defaultSource', 'all')
      await world.ok('config', 'set', 'recall.policy', 'conservative')
      expect(texts((await recalled(world)).bundle.gotchas)).toEqual(['The cache is cold after a deploy.'])
    }, TWO_SOURCES),
  )

  it(
    'recall.preview.showDiffByDefault says whether a preview goes line by line, recall.backlogWarnThreshold when it warns',
    inWorld(async world => {
      await world.ok('config', 'set', 'automation.autoRecall', 'false')
      await task(world, 'Rotate the signing keys')
      expect(await world.ok('recall', '--dry-run')).toContain('+ Rotate the signing keys')
      await world.ok('config', 'set', 'recall.preview.showDiffByDefault', 'false')
      expect(await world.ok('recall', '--dry-run')).not.toContain('Rotate the signing keys')
      expect(await world.ok('recall', '--dry-run', '--diff')).toContain('Rotate the signing keys')
      await world.ok('config', 'set', 'recall.backlogWarnThreshold', '2')
      expect((await world.cairn(['recall', '--dry-run'])).stderr).toContain('3 events are not folded in yet')
      expect((await world.cairn(['status'])).stdout).toContain('3 events')
    }, TWO_SOURCES),
  )

  it(
    'automation.importSyncBeforeRecall takes in what is new in a source, and the bundle tells it',
    inWorld(async world => {
      const chats = path.join(world.temporary, 'chats')
      mkdirSync(chats)
      const lines = Array.from({ length: 6 }, (_, n) => [
        {
          role: 'user',
          content: `How should we keep the sessions of part ${n} in Redis?`,
          timestamp: `2026-03-01T1${n}:00:00Z`,
        },
        {
          role: 'assistant',
          content: `Part ${n} should keep them for one hour, under its own prefix.`,
          timestamp: `2026-03-01T1${n}:01:00Z`,
        },
      ])
      writeFileSync(
        path.join(chats, 'monday.jsonl'),
        lines
          .flat()
          .map(line => JSON.stringify(line))
          .join('\n'),
      )
      await world.ok('source', 'add', chats, '--from', 'transcript')
      expect(await recalled(world)).toMatchObject({ imported: 0, bundle: { currentFocus: [] } })
      await world.ok('config', 'set', 'automation.importSyncBeforeRecall', 'true')
      expect(await recalled(world, '--dry-run')).toMatchObject({ imported: 0 })
      const { imported, bundle, problems } = await recalled(world)
      expect([imported, problems]).toEqual([1, []])
      expect(texts(bundle.currentFocus).join('\n')).toContain('How should we keep the sessions')
      expect(await recalled(world)).toMatchObject({ imported: 0, isChanged: false })
    }),
  )

  it(
    'automation.autoRecall and automation.intervalMinutes say when it runs by itself',
    inWorld(async world => {
      await world.ok('config', 'set', 'automation.autoRecall', 'false')
      await close(world, 'a', 'Rotate the signing keys now')
      expect(existsSync(path.join(world.root, STATE))).toBe(false)
      await world.ok('config', 'set', 'automation.autoRecall', 'true')
      await close(world, 'b', 'Document the export endpoint')
      expect(world.read(STATE)).toContain('export endpoint')
      await close(world, 'c', 'Warm the cache after a deploy')
      expect(world.read(STATE)).not.toContain('Warm the cache')
      await world.ok('config', 'set', 'automation.intervalMinutes', '0')
      await close(world, 'd', 'Draw the new logo')
      expect(world.read(STATE)).toContain('new logo')
    }),
  )

  it(
    'projections.auto has what was written follow recall, in the folder that projections.folder names',
    inWorld(async world => {
      await world.ok('recall')
      await world.ok('config', 'set', 'projections.folder', 'notes/memory')
      await world.ok('projections', 'write')
      await world.ok('entry-block', 'write')
      const block = world.read('AGENTS.md')
      await task(world, 'Draw the new logo')
      await world.ok('recall')
      expect(world.read('notes/memory/next-steps.md')).not.toContain('new logo')
      await world.ok('config', 'set', 'projections.auto', 'true')
      await task(world, 'Buy the domain')
      await world.ok('recall')
      expect(world.read(STATE)).not.toContain('notes/memory')
      expect(world.read('notes/memory/next-steps.md')).toContain('new logo')
      expect(world.read('notes/memory/next-steps.md')).toContain('Buy the domain')
      expect(world.read('AGENTS.md')).toBe(block)
      // What Cairn wrote of the bundle is no news to it.
      expect(await recalled(world)).toMatchObject({ isChanged: false })
      const { records } = await world.json('log')
      await world.ok('undo', records[0]?.id ?? '')
      expect(world.read('notes/memory/next-steps.md')).not.toContain('new logo')
    }, TWO_SOURCES),
  )
})

/** Ends it without warning; true: it was still at work. */
function killed(world: World, afterMs: number): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [BINARY, 'recall'], {
      cwd: world.root,
      env: world.environment,
      stdio: 'ignore',
    })
    const alarm = setTimeout(() => child.kill('SIGKILL'), afterMs)
    child.on('close', (_code, signal) => {
      clearTimeout(alarm)
      resolve(signal === 'SIGKILL')
    })
  })
}

const KILLS = 16
const KILL_STEP_MS = 20
const FIRST_KILL_MS = 40

describe('recalls that are killed, or run at once', () => {
  it(
    'leave the old state or the new one, and the next folds in all of it',
    inWorld(async world => {
      let kills = 0
      for (let round = 0; round < KILLS; round++) {
        const step = event(10 + round, ran(`npm run check-${round}`))
        world.write(EVENTS, `${existsSync(path.join(world.root, EVENTS)) ? world.read(EVENTS) : ''}${step}`)
        if (await killed(world, FIRST_KILL_MS + round * KILL_STEP_MS)) kills++
        if (!existsSync(path.join(world.root, STATE))) continue
        const { maintenance, bundleHash } = JSON.parse(world.read(STATE))
        const named = `.memory/history/checkpoints/${maintenance.latestCheckpointId}.json`
        expect(JSON.parse(world.read(named)).bundleHash).toBe(bundleHash)
      }
      expect(kills).toBeGreaterThan(0)
      expect(await recalled(world)).toMatchObject({ backlog: 0, problems: [] })
      expect((await recalled(world)).isChanged).toBe(false)
      expect(world.read(STATE)).toContain(`npm run check-${KILLS - 1}`)
      const states = readdirSync(path.join(world.root, '.memory')).filter(name => name.includes('.damaged-'))
      expect(states).toEqual([])
    }, TWO_SOURCES),
  )

  it(
    'as four processes make one checkpoint, and none fails',
    inWorld(async world => {
      const runs = await Promise.all([1, 2, 3, 4].map(() => recalled(world)))
      expect(runs.filter(({ isChanged }) => isChanged)).toHaveLength(1)
      expect(readdirSync(path.join(world.root, '.memory/history/checkpoints'))).toHaveLength(1)
    }, TWO_SOURCES),
  )
})
