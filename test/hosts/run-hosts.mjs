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

const tests = spawnSync(
  process.execPath,
  [path.join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'vitest.hosts.config.ts'],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, CAIRN_TEST_HOSTS: names.join(',') } },
)

for (const each of wanted) {
  if (installedAt(each)) say(`ran with ${each.name} ${each.version}`)
  else {
    const failure = path.join(CACHE, `${each.name}-${each.version}.failure`)
    say(`SKIPPED ${each.name}: ${existsSync(failure) ? readFileSync(failure, 'utf8') : 'not installed'}`)
  }
}
process.exitCode = tests.status ?? 1
