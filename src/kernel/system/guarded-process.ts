import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { endGroup } from './run-bounded.ts'

/** The time that a program has to end after it is told to. */
const GRACE_MS = 3_000
/** Longer, because the guard waits for the program first. */
const GUARD_MS = GRACE_MS + 2_000

/**
 * The guard: a Node process between us and a program that may run for an hour. It starts the program and reads a pipe from us. If we are
 * killed, no system notifies a child everywhere; but the pipe closes. Then, or on request, the guard ends the program with everything
 * that it started: its process group, and the children of its children that created a group of their own.
 *
 * It runs as text (`node -e`), so that it is the same from a bundle, from a test and from the library.
 */
const GUARD = `
const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const isWindows = process.platform === 'win32'
const [program, ...words] = process.argv.slice(1)
const child = spawn(program, words, { stdio: 'inherit', windowsHide: true })
let isEnding = false
let isOver = false

function parents() {
  if (fs.existsSync('/proc/self/stat'))
    return fs.readdirSync('/proc').filter(name => /^[0-9]+$/.test(name)).flatMap(name => {
      try {
        const stat = fs.readFileSync('/proc/' + name + '/stat', 'latin1')
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]]
      } catch (error) {
        if (error.code === 'ENOENT' || error.code === 'ESRCH') return []
        throw error
      }
    })
  const listed = spawnSync('ps', ['-Ao', 'pid=,ppid='], { encoding: 'utf8' }).stdout || ''
  return listed.split('\\n').map(line => line.trim().split(/\\s+/).map(Number)).filter(pair => pair.length === 2)
}

function below() {
  const pairs = parents()
  const found = []
  let above = [process.pid]
  while (above.length > 0) {
    above = pairs.filter(([pid, parent]) => above.includes(parent) && pid !== process.pid && !found.includes(pid)).map(([pid]) => pid)
    found.push(...above)
  }
  return found
}

function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error
  }
}

let known = []
function signalAll(signal) {
  if (isWindows) return void spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { windowsHide: true })
  known = [...new Set([...known, ...below()])]
  for (const pid of known) send(pid, signal)
  send(-process.pid, signal)
}

function end() {
  if (isEnding || isOver) return
  isEnding = true
  signalAll('SIGTERM')
  setTimeout(() => {
    signalAll('SIGKILL')
    process.exit(137)
  }, ${GRACE_MS})
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end)
// Not by fs: a read that waits in a thread of its own would keep this process from ending.
const line = new (require('node:net').Socket)({ fd: 3, readable: true, writable: false })
line.on('error', end)
line.on('end', end)
line.resume()
child.on('error', error => {
  fs.writeSync(2, 'cannot be run: ' + error.message + '\\n')
  process.exit(127)
})
child.on('exit', (code, signal) => {
  if (isEnding) {
    signalAll('SIGKILL')
    process.exit(137)
  }
  isOver = true
  process.exitCode = code === null ? 128 : code
  if (signal !== null) fs.writeSync(2, 'ended by ' + signal + '\\n')
  if (!isWindows) send(-process.pid, 'SIGTERM')
  process.exit()
})
`

interface GuardedProcess {
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** The exit code; null: it was killed. */
  readonly ended: Promise<number | null>
  /** Ends it. */
  end(): void
}

/** Starts a program that does not outlive this process. */
export function startGuarded(
  command: readonly string[],
  { cwd, environment }: { readonly cwd: string; readonly environment: NodeJS.ProcessEnv },
): GuardedProcess {
  const child = spawn(process.execPath, ['-e', GUARD, '--', ...command], {
    cwd,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
    // The leader of a process group, so that it can be ended together with its children.
    detached: process.platform !== 'win32',
  })
  const { stdin, stdout, stderr } = child
  const line = child.stdio[3] as Writable
  // A program may end without reading its input; its exit code is the result.
  stdin.on('error', () => undefined)
  line.on('error', () => undefined)
  let last: NodeJS.Timeout | undefined
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', code => {
      clearTimeout(last)
      // Processes that it left running in its group.
      endGroup(child.pid)
      resolve(code)
    })
  })
  return {
    pid: child.pid,
    stdin,
    stdout,
    stderr,
    ended,
    end() {
      line.end()
      last ??= setTimeout(() => endGroup(child.pid), GUARD_MS)
    },
  }
}
