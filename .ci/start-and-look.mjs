// The README's first command, as somebody runs it: it builds, serves, answers, and ends when it is told to. Ends only what it started.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const BUILD_AND_START_MS = 300_000
const END_MS = 20_000

const home = mkdtempSync(path.join(tmpdir(), 'cairn-start-'))
const npm = spawn('npm', ['start'], {
  env: { ...process.env, CI: 'true', CAIRN_HOME: home },
  stdio: ['ignore', 'inherit', 'inherit'],
})
let isOver = false
npm.on('exit', () => {
  isOver = true
})
let pid
try {
  const server = await until(BUILD_AND_START_MS, 'the server says where it is', findMark)
  pid = server.pid
  const address = `http://127.0.0.1:${server.port}`
  const status = await (await fetch(`${address}/api/status`)).json()
  check(status.root === process.cwd(), `it serves this project, and not ${status.root}`)
  const page = await fetch(address)
  const html = await page.text()
  check(page.status === 200 && /<title>[^<]*Memory Vault/.test(html), 'the page answers')
  check(/script-src 'self'/.test(page.headers.get('content-security-policy') ?? ''), 'with its policy')
  const [script] = /\/assets\/[^"]+\.js/.exec(html) ?? []
  check(script !== undefined && (await fetch(`${address}${script}`)).ok, 'and its script')
  const refused = await fetch(`${address}/api/undo`, { method: 'POST' })
  check(refused.status === 401, 'what changes something needs the token')
  process.kill(pid, 'SIGTERM')
  await until(END_MS, 'it is gone', () => !isAlive(pid) && isOver)
  check(readMark() === undefined, 'its mark too')
  pid = undefined
} finally {
  if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL')
  if (!isOver) npm.kill('SIGTERM')
  rmSync(home, { recursive: true, force: true })
}

function findMark() {
  if (isOver) throw new Error('npm start ended by itself')
  return readMark()
}

function readMark() {
  try {
    const [name] = readdirSync(path.join(home, 'run')).filter(each => /^up-\w+\.json$/.test(each))
    return name && JSON.parse(readFileSync(path.join(home, 'run', name), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function isAlive(id) {
  try {
    return process.kill(id, 0)
  } catch (error) {
    if (error.code === 'ESRCH') return false
    throw error
  }
}

async function until(patienceMs, what, look) {
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(100)) {
    const seen = look()
    if (seen) return seen
  }
  throw new Error(`in ${patienceMs} ms it did not happen that ${what}`)
}

function check(isSo, what) {
  if (!isSo) throw new Error(`it is not so: ${what}`)
  process.stdout.write(`  ${what}\n`)
}
