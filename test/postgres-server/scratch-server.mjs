// A PostgreSQL server that belongs to one run of tests: in a scratch folder, on a free port of the loopback address, with a password of its
// own. A cluster that the package made, or that somebody runs here, is left alone.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import process from 'node:process'

const isRoot = process.getuid?.() === 0
/** Debian's package makes it. PostgreSQL does not run as root. */
const USER = 'postgres'
const DEBIAN = '/usr/lib/postgresql'
const START_TRIES = 5

/**
 * @typedef {object} ScratchServer
 * @property {string} url
 * @property {(mode?: 'smart' | 'fast' | 'immediate') => Promise<void>} halt Stops the server; what it keeps stays.
 * @property {() => Promise<void>} start Starts it again, on the same port.
 * @property {() => Promise<void>} remove Stops it if it runs, and takes its folder away.
 */

/** @returns {string | undefined} the folder with `initdb` and `pg_ctl`, the newest where there are several */
export function findServerPrograms() {
  const known = [process.env.CAIRN_POSTGRES_BIN]
  if (existsSync(DEBIAN))
    known.push(
      ...readdirSync(DEBIAN)
        .sort((a, b) => Number(b) - Number(a))
        .map(version => path.join(DEBIAN, version, 'bin')),
    )
  const config = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  if (config.status === 0) known.push(config.stdout.trim())
  return known.find(folder => folder !== undefined && existsSync(path.join(folder, 'initdb')))
}

/**
 * @param {string} programs
 * @returns {Promise<ScratchServer>}
 */
export async function startScratchServer(programs) {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-postgres-'))
  const password = randomBytes(12).toString('hex')
  const passwordFile = path.join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (isRoot) {
    const ids = ['-u', '-g'].map(which => Number(execFileSync('id', [which, USER], { encoding: 'utf8' })))
    for (const each of [folder, passwordFile]) chownSync(each, ids[0] ?? 0, ids[1] ?? 0)
  }
  chmodSync(folder, 0o700)
  const data = path.join(folder, 'data')
  /** @param {string} program @param {string[]} words @returns {Promise<void>} */
  const run = (program, words) => {
    const line = [path.join(programs, program), ...words]
    const [first = '', ...rest] = isRoot ? ['runuser', '-u', USER, '--', ...line] : line
    return new Promise((resolve, reject) => {
      // No pipe for its output: a server that was started would hold it open.
      const child = spawn(first, rest, { stdio: 'ignore', cwd: folder })
      child.once('error', reject)
      child.once('exit', code => {
        if (code === 0) resolve()
        else reject(new Error(`${program} ended with ${code}`))
      })
    })
  }
  const log = path.join(folder, 'log')
  let port = 0
  const start = async () => {
    // An immediate stop is no power cut: what was written is in the kernel, so that nothing waits for the disk here.
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 200,
      fsync: 'off',
      shared_buffers: '64MB',
    }
    const words = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)
    await run('pg_ctl', ['-D', data, '-w', '-t', '60', '-l', log, '-o', words.join(' '), 'start'])
  }
  /** @param {'smart' | 'fast' | 'immediate'} mode */
  const halt = (mode = 'fast') => run('pg_ctl', ['-D', data, '-w', '-t', '60', '-m', mode, 'stop'])
  const remove = async () => {
    try {
      if (existsSync(path.join(data, 'postmaster.pid'))) await halt('immediate')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  try {
    await run('initdb', [
      '-D',
      data,
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-U',
      USER,
      '-E',
      'UTF8',
      '--no-sync',
      ...unlikeBytes(programs),
    ])
    for (let tried = 1; ; tried++) {
      port = await freePort()
      try {
        await start()
        break
      } catch (error) {
        // Somebody may have taken the port.
        if (tried === START_TRIES)
          throw new Error(
            `the server did not start: ${existsSync(log) ? readFileSync(log, 'utf8') : error.message}`,
          )
      }
    }
  } catch (error) {
    await remove()
    throw error
  }
  return { url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`, halt, start, remove }
}

/**
 * A collation that is not the order of bytes, where the server has one: what relies on the collation of the database shows.
 * @param {string} programs
 */
function unlikeBytes(programs) {
  const version = execFileSync(path.join(programs, 'postgres'), ['--version'], { encoding: 'utf8' })
  const major = Number(/\d+/.exec(version)?.[0] ?? 0)
  return major >= 15
    ? ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
    : ['--locale=C.UTF-8']
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
