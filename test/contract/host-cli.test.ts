import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { openHostCli, readCliAnswer } from '../../src/providers/distiller/host-cli.ts'
import { recorded } from '../support/loopback-model.ts'
import { describeDistiller, KEY, QUESTION, type Situation } from './distiller.contract.ts'

const ANSWER = '{"keep":[1],"rewrite":[],"drop":[{"number":2,"reason":"a plan of the moment"}],"new":[]}'

/** A program that behaves like a host's command line: reads its input to the end, then does what the script says. */
function program(script: string): { file: string; folder: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-cli-'))
  const file = path.join(folder, 'claude')
  writeFileSync(
    file,
    `#!${process.execPath}
const fs = require('node:fs')
const input = fs.readFileSync(0, 'utf8')
${script}
`,
  )
  chmodSync(file, 0o755)
  return { file, folder }
}

const print = (name: string) => `process.stdout.write(${JSON.stringify(recorded(name))})`

const SCRIPTS: Readonly<Partial<Record<Situation, string>>> = {
  answers: print('claude.json'),
  'takes no key': `${print('claude-failed.json')}; process.exitCode = 1`,
  'has a fault': `process.stderr.write('TypeError: boom\\n'); process.exitCode = 1`,
  'is too slow': 'setTimeout(() => {}, 60_000)',
  'breaks off': `process.stdout.write('{"type":"result","res', () => process.kill(process.pid, 'SIGKILL'))`,
  'gives something else': `process.stdout.write('{"type":"result","subtype":"error_max_turns","is_error":true}')`,
  'gives far too much': `for (let n = 0; n < 100; n++) fs.writeSync(1, 'x'.repeat(100_000)); setTimeout(() => {}, 60_000)`,
}

describeDistiller(
  'the command line of a host',
  situation => {
    if (situation === 'is not there')
      return async () => ({
        distiller: openHostCli({ command: ['/nowhere/claude', '-p'], timeoutMs: 5_000 }),
        asked: () => 0,
        close: async () => undefined,
      })
    const script = SCRIPTS[situation]
    if (script === undefined) return 'a program deals with that itself'
    return async () => {
      const { file, folder } = program(`fs.appendFileSync(__filename + '.asked', '.')\n${script}`)
      return {
        distiller: openHostCli({
          command: [file, '-p'],
          timeoutMs: situation === 'is too slow' ? 400 : 20_000,
        }),
        asked: () => (existsSync(`${file}.asked`) ? readFileSync(`${file}.asked`, 'utf8').length : 0),
        close: async () => rmSync(folder, { recursive: true, force: true }),
      }
    }
  },
  { text: ANSWER, inputTokens: 14_334, outputTokens: 37 },
)

function scripted(script: string): string {
  const { file, folder } = program(script)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return file
}

test('it gets the question on its input, an empty folder, and a sign that it is Cairn that asks', async () => {
  const file = scripted(
    `process.stdout.write(JSON.stringify({ input, words: process.argv.slice(2), cwd: process.cwd(), here: fs.readdirSync('.'), internal: process.env.CAIRN_INTERNAL, root: process.env.CAIRN_ROOT, key: process.env.CAIRN_MODEL_KEY, path: !!process.env.PATH }))`,
  )
  process.env.CAIRN_ROOT = '/somewhere'
  process.env.CAIRN_MODEL_KEY = KEY
  onTestFinished(() => {
    delete process.env.CAIRN_ROOT
    delete process.env.CAIRN_MODEL_KEY
  })
  const answer = await openHostCli({ command: [file, '-p', 'a b; $(c)'], timeoutMs: 20_000 }).ask(QUESTION)
  const told = JSON.parse(answer.text) as Record<string, unknown>
  expect(told).toMatchObject({
    input: 'Be brief.\n\n{"notes":[]}\n',
    words: ['-p', 'a b; $(c)'],
    here: [],
    internal: '1',
    path: true,
  })
  expect([told.root, told.key]).toEqual([undefined, undefined])
  expect(existsSync(String(told.cwd))).toBe(false)
})

test('what it started is ended with it', async () => {
  const mark = path.join(mkdtempSync(path.join(tmpdir(), 'cairn-mark-')), 'child')
  onTestFinished(() => rmSync(path.dirname(mark), { recursive: true, force: true }))
  const file = scripted(
    `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'inherit' })
fs.writeFileSync(${JSON.stringify(mark)}, String(child.pid))
for (let n = 0; n < 100; n++) fs.writeSync(1, 'x'.repeat(100_000))
setTimeout(() => {}, 60_000)`,
  )
  await expect(openHostCli({ command: [file], timeoutMs: 30_000 }).ask(QUESTION)).rejects.toMatchObject({
    code: 'model_failed',
  })
  const pid = Number(readFileSync(mark, 'utf8'))
  // The system takes a moment to clear it away.
  await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false)
})

test('a child that holds the output open does not hold us', async () => {
  const file = scripted(
    `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'inherit' }).unref()
process.stdout.write('fine'); setTimeout(() => process.exit(0), 50)`,
  )
  expect((await openHostCli({ command: [file], timeoutMs: 20_000 }).ask(QUESTION)).text).toBe('fine')
})

test('a program that does not read its input may still answer', async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'cairn-cli-')), 'deaf')
  onTestFinished(() => rmSync(path.dirname(file), { recursive: true, force: true }))
  writeFileSync(file, '#!/bin/sh\nexec 0<&-\necho "{}"\n')
  chmodSync(file, 0o755)
  const content = 'x'.repeat(500_000)
  const answer = await openHostCli({ command: [file], timeoutMs: 20_000 }).ask({ ...QUESTION, content })
  expect(answer).toEqual({ text: '{}', inputTokens: undefined, outputTokens: undefined, isCut: false })
})

test('no command, or one that cannot be run, is said', async () => {
  const ask = (...command: string[]) => openHostCli({ command, timeoutMs: 5_000 }).ask(QUESTION)
  await expect(ask()).rejects.toMatchObject({ code: 'model_unavailable' })
  await expect(ask(tmpdir())).rejects.toMatchObject({ code: 'model_unavailable' })
  await expect(ask('with\0nothing')).rejects.toMatchObject({ code: 'model_unavailable' })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch (error) {
    if (['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

describe('what hosts print', () => {
  it.each([
    ['claude.json', { inputTokens: 14_334, outputTokens: 37, costMicroUsd: 12_346 }],
    ['gemini.json', { inputTokens: 9_120, outputTokens: 87 }],
    ['codex.jsonl', { inputTokens: 17_102, outputTokens: 37 }],
    ['opencode.jsonl', { inputTokens: 11_100, outputTokens: 37, costMicroUsd: 7_015 }],
  ])('%s', (name, used) => {
    expect(readCliAnswer(recorded(name))).toEqual({ kind: 'answer', text: ANSWER, isCut: false, ...used })
  })

  it('an answer without a frame is the answer', () => {
    for (const text of [ANSWER, `Here it is:\n${ANSWER}`, ''])
      expect(readCliAnswer(`${text}\n`)).toEqual({
        kind: 'answer',
        text,
        inputTokens: undefined,
        outputTokens: undefined,
        isCut: false,
      })
  })

  it('a failure is one', () => {
    expect(readCliAnswer(recorded('claude-failed.json'))).toEqual({
      kind: 'failed',
      reason: 'Invalid API key · Please run /login',
    })
    expect(readCliAnswer(recorded('codex-failed.jsonl'))).toEqual({
      kind: 'failed',
      reason: 'unexpected status 401 Unauthorized',
    })
  })
})
