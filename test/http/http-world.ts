import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PATHS, type RouteName } from '../../src/surfaces/http/paths.generated.ts'

const CAIRN = fileURLToPath(new URL('../../dist/cairn.cjs', import.meta.url))

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

export interface HttpWorld {
  /** A scratch project, with a server over its memory. */
  readonly root: string
  readonly memory: string
  readonly address: string
  readonly token: string
  /** A verb of the command line over the same memory; gives what it prints. */
  run(...words: string[]): string
  /** Git in the project. */
  git(...words: string[]): void
  /** A route by its name; the fields go where its path, its query or its body has them. With the token, unless told otherwise. */
  ask(name: RouteName, fields?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>
  end(): Promise<void>
}

export interface WorldOptions {
  /** Fills the project before the server starts. */
  readonly before?: (world: Pick<HttpWorld, 'root' | 'run' | 'git'>) => void
}

/** Everything that is started is ended by its id. */
export async function httpWorld({ before }: WorldOptions = {}): Promise<HttpWorld> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'cairn-http-'))
  const root = path.join(scratch, 'project')
  mkdirSync(root)
  const env = { ...process.env, CAIRN_HOME: path.join(scratch, 'user'), HOME: scratch, NO_COLOR: '1' }
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [CAIRN, ...words], { cwd: root, env, encoding: 'utf8' })
  const git = (...words: string[]) => {
    execFileSync('git', ['-c', 'user.name=dev', '-c', 'user.email=dev@example.com', ...words], {
      cwd: root,
      env,
    })
  }
  let server: ChildProcess | undefined
  const end = async () => {
    await ended(server)
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    before?.({ root, run, git })
    server = spawn(process.execPath, [CAIRN, 'up', '--port', '0', '--no-open', '--rate', '5000'], {
      cwd: root,
      env,
    })
    const { address, token } = await addressOf(server)
    return {
      root,
      memory: path.join(root, '.memory'),
      address,
      token,
      run,
      git,
      ask: (name, fields = {}, headers = { authorization: `Bearer ${token}` }) =>
        ask(address, name, fields, headers),
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function addressOf(server: ChildProcess): Promise<{ address: string; token: string }> {
  if (server.stdout === null) throw new Error('the server has no output')
  for await (const line of createInterface({ input: server.stdout })) {
    const [, address, token] = /(http:\/\/127\.0\.0\.1:\d+)\/#token=([0-9a-f]+)/.exec(line) ?? []
    if (address !== undefined && token !== undefined) return { address, token }
  }
  throw new Error('the server ended before it said where it is')
}

async function ended(server: ChildProcess | undefined): Promise<void> {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
  const gone = new Promise(resolve => server.once('exit', resolve))
  server.kill('SIGTERM')
  await gone
}

/** As a program that knows only the table of paths would ask. */
export function requestOf(
  name: RouteName,
  fields: Readonly<Record<string, unknown>>,
): { readonly method: string; readonly target: string; readonly body: string | undefined } {
  const [method = '', pattern = ''] = PATHS[name].split(' ')
  const rest = { ...fields }
  const target = pattern.replace(/:(\w+)/g, (_, field: string) => {
    const value = rest[field]
    delete rest[field]
    return encodeURIComponent(String(value))
  })
  if (method !== 'GET' && method !== 'DELETE') return { method, target, body: JSON.stringify(rest) }
  const query = new URLSearchParams(
    Object.entries(rest).flatMap(([field, value]) =>
      (Array.isArray(value) ? value : [value]).map((each): [string, string] => [field, String(each)]),
    ),
  )
  return { method, target: `${target}${query.size === 0 ? '' : `?${query}`}`, body: undefined }
}

async function ask(
  address: string,
  name: RouteName,
  fields: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<Answer> {
  const { method, target, body } = requestOf(name, fields)
  const response = await fetch(`${address}${target}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
