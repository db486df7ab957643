// `npm run test:postgres [-- test/hub …]`: starts a scratch PostgreSQL server and runs on it the tests that `npm test` runs in process, and
// those that need a server: several processes, killed connections, a restart.
import { spawn } from 'node:child_process'
import * as path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { findServerPrograms, startScratchServer } from './scratch-server.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const say = (/** @type {string} */ line) => console.log(`test:postgres: ${line}`)

const programs = findServerPrograms()
if (programs === undefined) {
  say('no PostgreSQL server was found')
  say(
    'install one (Debian: apt-get install postgresql), or name the folder of its programs in CAIRN_POSTGRES_BIN',
  )
  process.exit(1)
}
const server = await startScratchServer(programs)
say(`a server of ${programs}`)
try {
  process.exitCode = await runTests(server.url)
} finally {
  await server.remove()
}

/**
 * @param {string} url
 * @returns {Promise<number>}
 */
function runTests(url) {
  const tests = spawn(
    process.execPath,
    [
      path.join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--project',
      'postgres',
      '--project',
      'postgres-server',
      ...process.argv.slice(2),
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, CAIRN_TEST_POSTGRES: url, CAIRN_POSTGRES_BIN: programs },
    },
  )
  // Whoever stops this run stops the tests, and the server after them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => tests.kill())
  return new Promise(resolve => {
    tests.once('exit', code => resolve(code ?? 1))
  })
}
