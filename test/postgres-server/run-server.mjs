// `npm run test:postgres [-- test/hub …]`: starts a PostgreSQL server, which it installs where there is none and that can be done, and runs on
// it the tests that the default run has in process, and those that need a server: several processes, killed connections, a restart.
import { spawn } from 'node:child_process'
import * as path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { installServer, startScratchServer } from './scratch-server.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const say = (/** @type {string} */ line) => console.log(`test:postgres: ${line}`)

const programs = await installServer(say)
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
      '--config',
      'vitest.postgres.config.ts',
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
