import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FakeModel, startFakeModel } from './fake-model.ts'
import type { HostDriver, HostStart } from './host-driver.ts'

/** The command line as `npm run build` left it. */
const CAIRN = fileURLToPath(new URL('../../dist/cairn.cjs', import.meta.url))

export interface HostRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly wallMs: number
}

/** A home, a repository in it and a model, for one of the real programs. Nothing of this machine's user is in its environment. */
export interface HostWorld {
  readonly base: string
  readonly home: string
  readonly root: string
  readonly model: FakeModel
  readonly environment: Readonly<Record<string, string>>
  /** Runs the host with one prompt, to its end. */
  run(prompt: string, options?: { readonly cwd?: string }): Promise<HostRun>
  /** Runs a command of ours in the host, or says why not. */
  runCommand(name: string, text: string): Promise<HostRun> | string
  /** A file below the home. */
  write(name: string, content: string): void
  cairn(...words: string[]): Promise<HostRun>
  command(words: readonly string[], cwd: string): Promise<HostRun>
  /** What a run leaves to finish may take a moment, and ends by itself: looks until it has, and returns who is left, by id. */
  leftRunning(): Promise<readonly string[]>
  close(): Promise<void>
}

const RUN_TIMEOUT_MS = 120_000
const LEFT_TIMEOUT_MS = 30_000

export async function openHostWorld(driver: HostDriver, program: readonly string[]): Promise<HostWorld> {
  // Its name must not be one that is looked for in what a host sends.
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'hosts-test-')))
  const at = (name: string) => {
    const folder = path.join(base, name)
    mkdirSync(folder, { recursive: true })
    return folder
  }
  const [home, root, temporary, bin] = [at('home'), at('home/project'), at('tmp'), at('bin')]
  // `cairn` is found on the path, as after a global install.
  symlinkSync(CAIRN, path.join(bin, 'cairn'))
  const model = await startFakeModel()
  const environment = {
    PATH: [bin, path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    // Whatever a program wants from elsewhere is refused at once: nothing listens there.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
  }
  const runHost = (start: HostStart, cwd = root) =>
    runBounded([...program, ...start.words], cwd, { ...environment, ...start.environment })
  const world: HostWorld = {
    base,
    home,
    root,
    model,
    environment,
    write(name, content) {
      mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
      writeFileSync(path.join(home, name), content)
    },
    run: (prompt, options = {}) => runHost(driver.start(world, prompt), options.cwd),
    runCommand(name, text) {
      const start = driver.startCommand(world, name, text)
      return typeof start === 'string' ? start : runHost(start)
    },
    cairn: (...words) => runBounded([process.execPath, CAIRN, ...words], root, environment),
    command: (words, cwd) => runBounded(words, cwd, environment),
    async leftRunning() {
      const until = Date.now() + LEFT_TIMEOUT_MS
      while (processesIn(home).length > 0 && Date.now() < until)
        await new Promise(resolve => setTimeout(resolve, 100))
      return processesIn(home).map(({ pid, command }) => `${pid} ${command}`)
    },
    async close() {
      for (const { pid } of processesIn(home)) kill(pid)
      await model.close()
      rmSync(base, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  for (const [name, content] of Object.entries(driver.files)) world.write(name, content)
  await world.command(['git', 'init', '--quiet'], root)
  return world
}

/** Ends by itself: at the limit the whole group of processes is killed, and what is returned has no exit code. */
export function runBounded(
  [program = '', ...words]: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<HostRun> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(program, words, {
      cwd,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    const limit = setTimeout(() => child.pid !== undefined && kill(-child.pid), RUN_TIMEOUT_MS)
    child.once('error', reject)
    child.once('exit', code => {
      clearTimeout(limit)
      // A child of the program may hold the pipes open: what is there by now is what it said.
      setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
        resolve({ code, stdout, stderr, wallMs: performance.now() - started })
      }, 50)
    })
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** On Linux every process tells its environment: those with this home are of this world. */
function processesIn(home: string): { pid: number; command: string }[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      const environment = readProcess(name, 'environ')
      if (!environment.split('\0').includes(`HOME=${home}`)) return []
      return [{ pid: Number(name), command: readProcess(name, 'cmdline').replaceAll('\0', ' ').trim() }]
    })
}

function readProcess(pid: string, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch (error) {
    // It has ended meanwhile, or belongs to somebody else.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return ''
    throw error
  }
}
