import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

/** The real thing, as `npm run build` left it. */
export const BINARY = fileURLToPath(new URL('../../dist/cairn.cjs', import.meta.url))

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A project folder, a home and a folder for temporary files of its own, and the binary to run there. */
export interface World {
  readonly root: string
  readonly home: string
  readonly temporary: string
  readonly environment: Readonly<Record<string, string>>
  cairn(words: readonly string[], options?: RunOptions): Promise<Run>
  /** The same, and it must end well. Returns standard output. */
  ok(...words: string[]): Promise<string>
  /** With --json, parsed; it must end well. */
  json<T = Answer>(...words: string[]): Promise<T>
  /** With --json; it must fail. Returns the error and the exit code. */
  failure(...words: string[]): Promise<Failure>
  write(name: string, content: string | Uint8Array): void
  read(name: string): string
  /** Every file below the project with a digest of its bytes. */
  bytes(): Record<string, string>
  remove(): void
}

export interface Failure {
  readonly exit: number | null
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly details?: {
    readonly candidates?: readonly { readonly id: string }[]
    readonly suggestion?: string
  }
}

export interface EntryAnswer {
  readonly id: string
  readonly agent: string
  readonly category: string
  readonly kind: string
  readonly status: string
  readonly origin: string
  readonly date: string
  readonly updated?: string
  readonly content: string
  readonly tags: readonly string[]
  readonly files: readonly string[]
  readonly importance: number
  readonly session?: string
}

/** What answers are made of; a test names the parts it looks at. */
export interface Answer {
  agentSaves: { mode: string; asked: number; answered: number; tokens: number }
  readonly entry: EntryAnswer
  readonly entries: readonly EntryAnswer[]
  readonly total: number
  readonly proposals: readonly { readonly id: string; readonly stage: string; readonly content: string }[]
  readonly changes: number
  readonly duplicate: boolean
  readonly redacted: readonly { readonly type: string; readonly field: string }[]
  readonly hits: readonly {
    readonly id: string
    readonly score: number
    readonly snippet: string
    readonly entry: EntryAnswer
    readonly marks?: {
      readonly supersededBy?: string
      readonly conflictsWith?: { readonly id: string; readonly content: string }
    }
  }[]
  readonly degraded: readonly { readonly code: string; readonly message: string }[]
  readonly problems: readonly { readonly code: string; readonly path: string; readonly line?: number }[]
  readonly records: readonly LogAnswer[]
  readonly undone: LogAnswer
  readonly record: string | null
  readonly setting: { readonly value: unknown; readonly default: boolean }
  readonly tasks: readonly { readonly id: string; readonly text: string; readonly done: boolean }[]
  readonly checks: readonly { readonly name: string; readonly result: string; readonly message: string }[]
  readonly healthy: boolean
  readonly readOnly: { readonly code: string } | null
  readonly upkeep: unknown
  readonly result: unknown
  readonly restored: unknown
  readonly batches: readonly { readonly id: string }[]
}

export interface LogAnswer {
  readonly id: string
  readonly action: string
  readonly by: { readonly host: string; readonly agent?: string; readonly session?: string }
  readonly undone: boolean
  readonly undoes?: string
  readonly changes: number
  readonly entries: readonly { readonly id: string; readonly change: string; readonly preview: string }[]
}

export function makeWorld(files: Readonly<Record<string, string | Uint8Array>> = {}): World {
  const base = mkdtempSync(path.join(tmpdir(), 'cairn-e2e-'))
  const [root = '', home = '', temporary = ''] = ['project', 'home', 'tmp'].map(name => {
    const folder = path.join(base, name)
    mkdirSync(folder)
    return folder
  })
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    TEMP: temporary,
  }
  const world: World = {
    root,
    home,
    temporary,
    environment,
    cairn: (words, options = {}) =>
      runProcess(process.execPath, [BINARY, ...words], {
        cwd: options.cwd ?? root,
        env: { ...environment, ...options.env },
        ...(options.input !== undefined && { input: options.input }),
      }),
    async ok(...words) {
      const run = await world.cairn(words)
      expect(run, `cairn ${words.join(' ').slice(0, 200)}`).toMatchObject({ code: 0 })
      return run.stdout
    },
    async json<T>(...words: string[]) {
      return JSON.parse(await world.ok('--json', ...words)) as T
    },
    async failure(...words) {
      const run = await world.cairn(['--json', ...words])
      expect(run.stderr, `cairn ${words.join(' ').slice(0, 200)}`).toBe('')
      const { error } = JSON.parse(run.stdout) as { error: Omit<Failure, 'exit'> }
      return { exit: run.code, ...error }
    },
    write(name, content) {
      const file = path.join(root, name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, content)
    },
    read: name => readFileSync(path.join(root, name), 'utf8'),
    bytes: () => digests(root),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
  for (const [name, content] of Object.entries(files)) world.write(name, content)
  return world
}

/** Builds a world, hands it to the test, and clears it away. */
export function inWorld(
  test: (world: World) => Promise<void>,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): () => Promise<void> {
  return async () => {
    const world = makeWorld(files)
    try {
      await test(world)
    } finally {
      world.remove()
    }
  }
}

export function runProcess(
  command: string,
  words: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; input?: string | Uint8Array },
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd: options.cwd, env: options.env, stdio: 'pipe' })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', chunk => out.push(chunk))
    child.stderr.on('data', chunk => err.push(chunk))
    child.on('error', reject)
    child.on('close', code =>
      resolve({
        code,
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8'),
      }),
    )
    child.stdin.on('error', ignoreClosedPipe)
    child.stdin.end(options.input ?? '')
  })
}

/** A command that does not read its input closes it; that is its right. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error
}

function digests(root: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.join(root, name)
    found[name] = statSync(file).isDirectory()
      ? 'folder'
      : createHash('sha256').update(readFileSync(file)).digest('hex')
  }
  return found
}

/** The contents of some entries, sorted. */
export function contentsOf(entries: readonly { readonly content: string }[]): string[] {
  return entries.map(entry => entry.content).sort()
}

/** A text with its ids and moments made equal, so that it can be compared with a literal. */
export function steady(text: string): string {
  return text
    .replace(/\d{13}-[0-9a-z]{4}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?/g, 'MOMENT')
    .replace(/\d{4}-\d\d-\d\d/g, 'DAY')
}
