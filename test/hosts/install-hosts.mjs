// Installs the published programs that the tests of the hosts run, each into a folder of its own, so that one that cannot be installed
// takes no other with it. What went wrong is kept beside them: the tests say it when they are skipped.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const HERE = path.dirname(fileURLToPath(import.meta.url))
const INSTALL_TIMEOUT_MS = 5 * 60_000

/** @typedef {{ name: string, package: string, version: string, program: string, native?: boolean, afterInstall?: string[], withoutDependencies?: boolean, host?: boolean }} Package */

/** @type {readonly Package[]} */
export const PACKAGES = JSON.parse(readFileSync(path.join(HERE, 'packages.json'), 'utf8'))

export const CACHE = path.resolve(
  process.env.CAIRN_HOSTS_CACHE || path.join(HERE, '../../node_modules/.cache/cairn-hosts'),
)

/** Where a package is when it is there: in its own folder, or in a `node_modules` that somebody filled before. */
export function installedAt(/** @type {Package} */ wanted) {
  const folders = [path.join(CACHE, `${wanted.name}-${wanted.version}`), CACHE]
  return folders
    .map(folder => path.join(folder, 'node_modules', wanted.package))
    .find(folder => {
      const manifest = path.join(folder, 'package.json')
      return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === wanted.version
    })
}

/**
 * @param {readonly Package[]} wanted
 * @param {(line: string) => void} say
 */
export async function installPackages(wanted, say) {
  mkdirSync(CACHE, { recursive: true })
  for (const each of wanted) {
    if (installedAt(each)) continue
    say(`installing ${each.package}@${each.version}`)
    const failure = path.join(CACHE, `${each.name}-${each.version}.failure`)
    try {
      await installOne(each)
      rmSync(failure, { force: true })
    } catch (error) {
      const why = reason(error)
      writeFileSync(failure, why)
      say(`SKIPPED ${each.name}: ${why}`)
    }
  }
}

async function installOne(/** @type {Package} */ wanted) {
  const folder = path.join(CACHE, `${wanted.name}-${wanted.version}`)
  // Made under another name: a folder that has its own name is whole.
  const unfinished = `${folder}.${process.pid}`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  try {
    const exact = `${wanted.package}@${wanted.version}`
    if (wanted.withoutDependencies) {
      const place = path.join(unfinished, 'node_modules', wanted.package)
      mkdirSync(place, { recursive: true })
      await npm(['pack', '--silent', exact, '--pack-destination', unfinished], unfinished)
      const archive = readdirSync(unfinished).find(name => name.endsWith('.tgz'))
      await ran(
        'tar',
        ['-xzf', path.join(unfinished, archive ?? ''), '-C', place, '--strip-components=1'],
        unfinished,
      )
    } else {
      writeFileSync(path.join(unfinished, 'package.json'), '{"private":true}\n')
      await npm(
        ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', exact],
        unfinished,
      )
    }
    for (const script of wanted.afterInstall ?? [])
      await ran(process.execPath, [script], path.join(unfinished, 'node_modules', wanted.package))
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function npm(/** @type {string[]} */ words, /** @type {string} */ cwd) {
  // `npm run` tells which npm it is; started by hand, the one on the path serves.
  const own = process.env.npm_execpath
  return own?.endsWith('.js') ? ran(process.execPath, [own, ...words], cwd) : ran('npm', words, cwd)
}

/** @returns {Promise<string>} */
function ran(/** @type {string} */ program, /** @type {string[]} */ words, /** @type {string} */ cwd) {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      words,
      { cwd, timeout: INSTALL_TIMEOUT_MS, maxBuffer: 32 << 20 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(stderr.trim() || error.message))
        else resolve(stdout)
      },
    )
  })
}

/** The line that tells most: npm says the cause first and then where its log is. */
function reason(/** @type {unknown} */ error) {
  const lines = String(error instanceof Error ? error.message : error).split('\n')
  const telling = lines.filter(
    line => line.trim() && !/npm warn|A complete log|^npm error (code|errno)/.test(line),
  )
  return (telling[0] ?? lines[0] ?? 'no reason given').replace(/^npm error /, '').slice(0, 300)
}

/** Packages by name; all of them without a name. */
export function packagesNamed(/** @type {readonly string[]} */ names) {
  const unknown = names.filter(name => !PACKAGES.some(each => each.name === name))
  if (unknown.length > 0)
    throw new Error(
      `No such program: ${unknown.join(', ')}. There are ${PACKAGES.map(each => each.name).join(', ')}.`,
    )
  return names.length === 0 ? PACKAGES : PACKAGES.filter(each => names.includes(each.name))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await installPackages(packagesNamed(process.argv.slice(2)), line => console.log(line))
