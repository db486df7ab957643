import { describe, expect, it } from 'vitest'
import type { ToolRun } from '../../../kernel/model/message.ts'
import { eventOfRun, eventOfSession } from './session-events.ts'

const key = { session: 's1', agent: 'dev' }
const at = '2026-03-16T16:51:00.000Z'
const made = (run: ToolRun, more: { message?: number; earlier?: ToolRun[] } = {}) =>
  eventOfRun({ key, run, at, message: 4, newId: () => 'id', ...more })
const bash = (command: string, ok: boolean, output = ''): ToolRun => ({ tool: 'Bash', command, ok, output })
const REFUSED = 'at src/redis.ts:12\nError: connect ECONNREFUSED 127.0.0.1:6379'

describe('a tool run in the event stream', () => {
  it('reports a check, with its error if it failed', () => {
    expect(made(bash('cd /w && npm test 2>&1', true))).toEqual({
      id: 'id',
      kind: 'tool_run',
      sourceId: 'session:s1',
      createdAt: at,
      contentHash: expect.stringMatching(/^[0-9a-f]{16}$/),
      summary: '`npm test` passed',
      signals: {
        decisions: [],
        gotchas: [],
        nextStepHints: [],
        keyPaths: [],
        validationObservations: [{ command: 'npm test', outcome: 'passed' }],
      },
      sourceRef: 'conversations/dev/s1#4',
    })
    expect(made(bash('npm test', false, REFUSED))).toMatchObject({
      summary: '`npm test` failed: Error: connect ECONNREFUSED 127.0.0.1:6379',
      signals: {
        gotchas: ['`npm test`: Error: connect ECONNREFUSED 127.0.0.1:6379'],
        keyPaths: ['src/redis.ts'],
        validationObservations: [{ command: 'npm test', outcome: 'failed' }],
      },
    })
  })

  it('reports another command only if its error is informative', () => {
    expect(made(bash('docker compose up -d', false, 'Error: port 5432 is already allocated'))).toMatchObject({
      summary: '`docker compose up -d` failed: Error: port 5432 is already allocated',
      signals: {
        gotchas: ['`docker compose up -d`: Error: port 5432 is already allocated'],
        validationObservations: [],
      },
    })
    expect(made(bash('docker compose up -d', true))).toBeUndefined()
    expect(made(bash('docker compose up -d', false, ''))).toBeUndefined()
  })

  it.each([
    bash('ls', true),
    bash('cat a.ts', true),
    bash('grep x y', false, 'error: no'),
    bash('git status', true),
    { tool: 'Read', files: ['src/a.ts'], ok: true },
    { tool: 'Edit', isEdit: true, ok: false, files: ['a.ts'] },
    { tool: 'Grep' },
  ])('nothing of %j', run => {
    expect(made(run)).toBeUndefined()
  })

  it('reports the files of an edit once per session', () => {
    const edit: ToolRun = { tool: 'Edit', isEdit: true, ok: true, files: ['./src/a.ts', 'node_modules/x.js'] }
    const [first, later] = [made(edit), made(edit, { message: 9 })]
    expect(first).toMatchObject({ summary: 'Changed src/a.ts', signals: { keyPaths: ['src/a.ts'] } })
    expect(later?.contentHash).toBe(first?.contentHash)
  })

  it('reports a check only if its outcome changed', () => {
    const [pass, fail] = [bash('npm test', true), bash('npm test', false, REFUSED)]
    expect(made(pass, { earlier: [pass] })).toBeUndefined()
    expect(made(fail, { earlier: [fail, bash('ls', true)] })).toBeUndefined()
    expect(made(pass, { earlier: [pass, fail] })).toBeDefined()
    expect(made(fail, { earlier: [bash('npm test', false, 'Error: another')] })).toBeDefined()
    expect(made(pass, { earlier: [bash('npm run lint', true)] })).toBeDefined()
    expect(made(pass, { message: 5 })?.contentHash).not.toBe(made(pass)?.contentHash)
  })

  it('contains no secret', () => {
    const secret = ['ghp', 'x7Kq2mN9pL4vR8sT1wY6zB3cD5fG0hJaBcDe'].join('_')
    const event = made(bash(`npm test --token=${secret}`, false, `Error: bad credentials ${secret}`))
    expect(JSON.stringify(event)).not.toContain(secret)
    expect(event?.summary).toContain('[redacted:')
  })
})

describe('a session in the event stream', () => {
  it('has its findings as signals, and the last state of each check', () => {
    const event = eventOfSession({
      key,
      summary: 'Sessions moved\nto Redis.',
      findings: [
        { text: 'We keep sessions in Redis.', kind: 'decision', files: ['src/session.ts'] },
        { text: 'Small functions.', kind: 'preference', files: [] },
        { text: 'Redis drops idle sockets.', kind: 'warning', files: [] },
        { text: 'Rotate the key.', kind: 'task', files: [] },
        { text: 'Handed over.', kind: 'handoff', files: [] },
      ],
      runs: [
        bash('npm test', false, REFUSED),
        { tool: 'Edit', isEdit: true, files: ['src/redis.ts'] },
        bash('npm test', true),
      ],
      at,
      newId: () => 'id',
    })
    expect(event).toMatchObject({
      kind: 'imported_session',
      sourceId: 'session:s1',
      summary: 'Sessions moved to Redis.',
      signals: {
        decisions: ['We keep sessions in Redis.', 'Small functions.'],
        gotchas: ['Redis drops idle sockets.'],
        nextStepHints: ['Rotate the key.'],
        keyPaths: ['src/session.ts', 'src/redis.ts'],
        validationObservations: [{ command: 'npm test', outcome: 'passed' }],
      },
      sourceRef: 'sessions/s1.memory.json',
    })
  })
})
