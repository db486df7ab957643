// A hub from the installed package, as a team starts one: `node .ci/packed-hub.mjs <folder with node_modules>`. Ends only what it started.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { findServerPrograms, startScratchServer } from '../test/postgres-server/scratch-server.mjs'

const END_MS = 30_000
const app = path.resolve(process.argv[2] ?? '.')
const cairn = path.join(app, 'node_modules/cairn-memory/dist/cairn.cjs')
const home = mkdtempSync(path.join(tmpdir(), 'cairn-packed-'))
const programs = findServerPrograms()
if (programs === undefined) throw new Error('no PostgreSQL server was found: .ci/run installs one')
const database = await startScratchServer(programs)
const env = { ...process.env, CAIRN_HOME: home, CAIRN_STORE: database.url, NO_COLOR: '1' }
const run = (...words) => spawnSync(process.execPath, [cairn, ...words], { cwd: app, env, encoding: 'utf8' })

let hub
try {
  hub = spawn(process.execPath, [cairn, 'up', '--json', '--no-open', '--port', '0'], {
    cwd: app,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise(resolve => hub.once('exit', resolve))
  const { port } = await firstLine(hub)
  check(run('hub', 'add-project', 'shop').status === 0, 'the command line adds a project')
  const made = run('hub', 'token', 'add', 'ci-bot', '--project', 'shop', '--scope', 'write', '--json')
  const { token } = JSON.parse(made.stdout)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const address = `http://127.0.0.1:${port}/p/shop/api`
  const kept = await fetch(`${address}/entries`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ content: 'The packed hub works on its own.' }),
  })
  check(kept.status === 200, 'a token writes')
  const found = await (await fetch(`${address}/search?query=packed+hub`, { headers })).json()
  check(found.hits?.[0]?.snippet === 'The packed hub works on its own.', 'and finds it')
  hub.kill('SIGTERM')
  const late = new Promise(resolve => setTimeout(resolve, END_MS, 'late').unref())
  check((await Promise.race([ended, late])) === 0, 'and it ends when it is told to')
  hub = undefined

  rmSync(path.join(app, 'node_modules/pg'), { recursive: true })
  const without = run('hub', 'projects')
  check(
    without.status === 6 && without.stderr.includes('npm install pg'),
    'without the driver it says what to install',
  )
} finally {
  hub?.kill('SIGKILL')
  await database.remove()
  rmSync(home, { recursive: true, force: true })
}

async function firstLine({ stdout }) {
  for await (const line of createInterface({ input: stdout })) return JSON.parse(line)
  throw new Error('the hub ended without a word')
}

function check(isSo, what) {
  if (!isSo) throw new Error(`packed hub: not so: ${what}`)
  console.log(`packed hub: ${what}`)
}
