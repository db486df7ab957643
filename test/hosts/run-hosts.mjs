// `npm run test:hosts [-- claude-code codex …]`: installs what is missing, runs the tests against the real programs, and says at the end
// which were skipped and why. Without names all hosts are run, and the published tools that other tests here compare with.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { CACHE, installedAt, installPackages, packagesNamed } from './install-hosts.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const say = (/** @type {string} */ line) => console.log(`test:hosts: ${line}`)

const names = process.argv.slice(2)
const wanted = packagesNamed(names)
await installPackages(wanted, say)

const vitest = [
  process.execPath,
  path.join(ROOT, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'hosts',
  '--reporter',
  'verbose',
]
const [runner = '', ...words] = [...withoutNetwork(), ...vitest]
const tests = spawnSync(runner, words, {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, CAIRN_TEST_HOSTS: names.join(',') },
})

for (const each of wanted) {
  if (installedAt(each)) say(`ran with ${each.name} ${each.version}`)
  else {
    const failure = path.join(CACHE, `${each.name}-${each.version}.failure`)
    say(`SKIPPED ${each.name}: ${existsSync(failure) ? readFileSync(failure, 'utf8') : 'not installed'}`)
  }
}
/**
 * Where the system allows it, the tests and everything they start see a network of their own that has only the loopback address. Elsewhere
 * the programs are pointed at a proxy that is not there (host-world.ts).
 */
function withoutNetwork() {
  const alone = [
    'unshare',
    '--user',
    '--map-root-user',
    '--net',
    'sh',
    '-c',
    'ip link set lo up && exec "$@"',
    'sh',
  ]
  const [program = '', ...before] = alone
  const works = spawnSync(program, [...before, 'true']).status === 0
  say(
    works
      ? 'in a network with nothing but the loopback address'
      : 'with a proxy that refuses: no network of its own here',
  )
  return works ? alone : []
}

process.exitCode = tests.status ?? 1
