import { describe, expect, it } from 'vitest'
import type { ToolRun } from '../../model/message.ts'
import { readRun } from './read-run.ts'

const bash = (command: string, more: Partial<ToolRun> = {}) => readRun({ tool: 'Bash', command, ...more })
const outcomes = (command: string, more: Partial<ToolRun> = {}) =>
  bash(command, more).checks.map(check => `${check.command} ${check.outcome}`)

describe('how a run went', () => {
  it('is what the exit code says', () => {
    expect(outcomes('npm test', { exitCode: 0 })).toEqual(['npm test passed'])
    expect(outcomes('npm test', { exitCode: 1 })).toEqual(['npm test failed'])
    expect(outcomes('npm test', { ok: true })).toEqual(['npm test passed'])
    expect(outcomes('npm test', {})).toEqual([])
  })

  it('is what the output says where a pipe or a list hides the exit code', () => {
    expect(outcomes('npm test 2>&1 | tail -5', { ok: true, output: ' Tests  2 failed | 4 passed' })).toEqual([
      'npm test failed',
    ])
    expect(outcomes('npm test | tail -5', { ok: true, output: ' Tests  6 passed (6)' })).toEqual([
      'npm test passed',
    ])
    expect(outcomes('npm test | tail -5', { ok: true, output: 'Done in 2 s' })).toEqual([])
    expect(outcomes('npm test || true', { ok: true, output: '3 failing' })).toEqual(['npm test failed'])
    expect(outcomes('npm test; echo $?', { ok: true, output: '1' })).toEqual([])
    expect(outcomes('set -o pipefail; npm test | tail -5', { ok: true, output: 'Done' })).toEqual([
      'npm test passed',
    ])
    expect(outcomes('cd web; npm test', { ok: true })).toEqual(['npm test passed'])
  })

  it('in a chain that passed, all passed; in one that failed, the one that the output speaks of', () => {
    expect(outcomes('npm run lint && npm test', { ok: true })).toEqual([
      'npm run lint passed',
      'npm test passed',
    ])
    expect(
      outcomes('npx tsc --noEmit && npx vitest run', { ok: false, output: 'FAIL src/a.test.ts' }),
    ).toEqual(['npx vitest run failed'])
    expect(
      outcomes('npx tsc --noEmit && npx vitest run', {
        ok: false,
        output: 'src/a.ts(1,2): error TS2322: no',
      }),
    ).toEqual(['npx tsc --noEmit failed'])
    expect(outcomes('npm ci && npm test', { ok: false, output: 'npm error ERESOLVE' })).toEqual([])
  })

  it('knows what acted from what only looked', () => {
    const acts = (command: string) => bash(command, { ok: true }).acts.map(act => act.name)
    expect(acts('npm install zod && npm test')).toEqual(['npm install'])
    expect(acts('cd web && docker compose up -d db')).toEqual(['docker compose up'])
    expect(acts("sed -i 's/a/b/' x.ts")).toEqual(['sed'])
    expect(acts('git status; git diff | head; ls; cat a; grep x y; sed -n 1,5p a; echo hi')).toEqual([])
    expect(acts('git checkout main')).toEqual(['git checkout'])
  })
})

describe('the most significant line of an error', () => {
  const error = (output: string) => bash('npm test', { ok: false, output }).error

  it.each([
    [
      'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: "x"\nModuleNotFoundError: No module named \'redis\'',
      "ModuleNotFoundError: No module named 'redis'",
      'environment',
    ],
    [
      '\u001b[31msrc/a.ts(3,7): error TS2322: Type string is not assignable\u001b[0m\nsrc/b.ts(1,1): error TS2304: x\nFound 2 errors.',
      'src/a.ts(3,7): error TS2322: Type string is not assignable',
      'code',
    ],
    [
      'running\nError: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle (node:net:1)\n',
      'Error: listen EADDRINUSE: address already in use :::3000',
      'environment',
    ],
    [
      'FAIL src/a.test.ts\nAssertionError: expected 1 to be 2\n Tests  1 failed',
      'AssertionError: expected 1 to be 2',
      'assertion',
    ],
    [
      'npm error code ERESOLVE\nnpm error ERESOLVE could not resolve\nnpm error A complete log of this run can be found',
      'npm error code ERESOLVE',
      'environment',
    ],
    [
      "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds",
      "thread 'main' panicked at src/main.rs:4:5:",
      'other',
    ],
    ['bash: jq: command not found', 'bash: jq: command not found', 'environment'],
  ])('%j', (output, line, kind) => {
    expect(error(output)).toEqual({ line, kind })
  })

  it('is none where the output tells nothing, and short where it is long', () => {
    expect(error('Done.\n0 errors')).toBeUndefined()
    expect(error(`Error: ${'x'.repeat(900)}`)?.line).toHaveLength(200)
  })
})

it('takes no time on any text', () => {
  const start = performance.now()
  for (const text of ['\n', ' ', '(', '"', '<<A ', '- ', 'error ', '1', 'E  '].map(part =>
    part.repeat(16_000),
  ))
    for (const command of [text, `npm test ${text}`]) bash(command, { ok: false, output: text })
  expect(performance.now() - start).toBeLessThan(10_000)
})
