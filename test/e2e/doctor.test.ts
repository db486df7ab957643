import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeInstall } from '../../src/compose/compose-install.ts'
import type { CairnCommand } from '../../src/hosts/install/decide/install-plan.ts'
import { applyInstall, planInstall } from '../../src/hosts/install/installer.ts'
import type { HostId } from '../../src/kernel/model/host.ts'
import { BINARY, inWorld, type World } from './world.ts'

interface Check {
  readonly name: string
  readonly result: string
  readonly message: string
  readonly hint?: string
}

const THIS: CairnCommand = { kind: 'script', node: process.execPath, script: BINARY }

/** As `cairn init` leaves a machine: installed for the user, and the project trusted. */
async function install(world: World, host: HostId, command: CairnCommand = THIS): Promise<void> {
  const parts = {
    ...(await composeInstall({ project: world.root })),
    home: world.home,
    environment: () => undefined,
    records: `${world.home}/.cairn/installs`,
    command,
  }
  await applyInstall(parts, planInstall(parts, { hosts: [host], level: 'user' }))
}

function trust(world: World): void {
  const at = '2026-01-01T00:00:00Z'
  const project = {
    id: 'p1',
    name: 'p',
    root: realpathSync(world.root),
    trustedAt: at,
    firstSeenAt: at,
    lastSeenAt: at,
  }
  mkdirSync(`${world.home}/.cairn`, { recursive: true })
  writeFileSync(`${world.home}/.cairn/projects.json`, JSON.stringify({ version: 1, projects: [project] }))
}

async function doctor(
  world: World,
  ...words: string[]
): Promise<{ healthy: boolean; checks: readonly Check[] }> {
  let told = JSON.parse((await world.cairn(['doctor', ...words, '--json'])).stdout)
  // A hook that misses its deadline five times says that the machine is busy, not that anything is wrong with the hook.
  for (let again = 0; again < 3 && told.checks.some(isBusy) && words.length === 0; again++)
    told = JSON.parse((await world.cairn(['doctor', '--json'])).stdout)
  return told
}

const isBusy = ({ result, message }: Check) => result === 'warning' && message.includes('Timed out after')

const wrong = (checks: readonly Check[]) =>
  checks
    .filter(({ result }) => result !== 'ok')
    .map(({ name, result, message }) => `${result} ${name}: ${message}`)
/** What is still wrong after `--fix`, which is not run again on a busy machine. */
const notFixed = (checks: readonly Check[]) =>
  wrong(checks.filter(check => check.result !== 'fixed' && !isBusy(check)))
const named = (checks: readonly Check[], name: string) => checks.filter(check => check.name === name)

/** Everything but the index, which remembers that it was looked at. */
const ofPeople = (world: World) =>
  Object.entries(world.bytes()).filter(([name]) => !name.endsWith('index.db'))

async function furnished(world: World, host: HostId = 'claude-code'): Promise<void> {
  await world.ok('remember', 'Sessions live in Redis.')
  await install(world, host)
  trust(world)
}

describe('doctor, where Cairn is installed into a host', () => {
  for (const host of ['claude-code', 'gemini', 'opencode', 'copilot', 'cursor'] as const)
    it(
      `tries the hooks and the server of ${host}, and captures nothing`,
      inWorld(async world => {
        await furnished(world, host)
        const before = ofPeople(world)
        const { checks } = await doctor(world)
        expect(wrong(checks)).toEqual([])
        expect(named(checks, `${host} hooks`)[0]?.message).toContain('answer as ')
        expect(named(checks, `${host} server`)[0]?.message).toMatch(
          /^answers after \d+ ms with \d+ tools, \d+ bytes/,
        )
        expect(named(checks, `${host} program`)[0]?.message).toContain(BINARY)
        expect(ofPeople(world)).toEqual(before)
        expect(readdirSync(`${world.home}/.cairn`).sort()).toEqual([
          'installs',
          'projects.json',
          'projects.json.lock',
        ])
        expect(readdirSync(world.temporary).filter(name => name.startsWith('cairn-doctor'))).toEqual([])
      }),
    )

  it(
    'names the line of a file that the host cannot read, and leaves it as it is',
    inWorld(async world => {
      await furnished(world)
      const file = `${world.home}/.claude/settings.json`
      const text = `${readFileSync(file, 'utf8').trimEnd().slice(0, -1)}  "theirs" true\n}\n`
      writeFileSync(file, text)
      const { healthy, checks } = await doctor(world, '--fix')
      expect(healthy).toBe(false)
      const [found] = named(checks, 'claude-code config')
      expect(found?.result).toBe('failure')
      expect(found?.message).toMatch(/settings\.json, line \d+ cannot be edited/)
      expect(readFileSync(file, 'utf8')).toBe(text)
      writeFileSync(
        file,
        text.replace('"theirs" true', '"theirs": true').replace(/(\s+)"theirs"/, ',$1"theirs"'),
      )
      expect(wrong((await doctor(world)).checks)).toEqual([])
    }),
  )

  it(
    'sees that the program is gone, and with --fix has the host call this one',
    inWorld(async world => {
      await world.ok('remember', 'Sessions live in Redis.')
      trust(world)
      await install(world, 'gemini', {
        kind: 'script',
        node: process.execPath,
        script: '/gone/dist/cairn.cjs',
      })
      const { checks } = await doctor(world)
      expect(wrong(checks)).toContain('failure gemini program: /gone/dist/cairn.cjs does not exist')
      const mended = await doctor(world, '--fix')
      expect(named(mended.checks, 'gemini config')[0]?.result).toBe('fixed')
      expect(notFixed(mended.checks)).toEqual([])
      expect(wrong((await doctor(world)).checks)).toEqual([])
    }),
  )

  it(
    'sees another version',
    inWorld(async world => {
      await world.ok('remember', 'Sessions live in Redis.')
      trust(world)
      const other = path.join(world.root, 'old', 'cairn.cjs')
      world.write('old/cairn.cjs', 'console.log("0.0.9")\n')
      await install(world, 'gemini', { kind: 'script', node: process.execPath, script: other })
      expect(wrong((await doctor(world)).checks).join('\n')).toMatch(
        /warning gemini program: .* is Cairn 0\.0\.9, and this is /,
      )
    }),
  )

  it(
    'does not wait for a hook that hangs or a server that is silent longer than their host would',
    inWorld(async world => {
      await world.ok('remember', 'Sessions live in Redis.')
      trust(world)
      const silent = path.join(world.root, 'silent', 'cairn.cjs')
      const version = (await world.ok('--version')).trim()
      world.write(
        'silent/cairn.cjs',
        `if (process.argv.includes('--version')) console.log(${JSON.stringify(version)}); else setTimeout(() => {}, 600000)\n`,
      )
      await install(world, 'gemini', { kind: 'script', node: process.execPath, script: silent })
      const { healthy, checks } = await doctor(world)
      expect(healthy).toBe(false)
      expect(named(checks, 'gemini hooks').map(({ message }) => message)).toEqual([
        'SessionStart gave no answer within 5 s; the host waits that long at each prompt',
        'BeforeAgent gave no answer within 5 s; the host waits that long at each prompt',
      ])
      expect(named(checks, 'gemini server')[0]?.message).toContain(
        'does not answer as an MCP server: no answer within 10 s',
      )
      expect(notFixed((await doctor(world, '--fix')).checks)).toEqual([])
      expect((await doctor(world)).healthy).toBe(true)
    }),
  )

  it(
    'says that a project is not trusted, and that nothing is told of it',
    inWorld(async world => {
      await world.ok('remember', 'Sessions live in Redis.')
      await install(world, 'gemini')
      writeFileSync(`${world.home}/.cairn/projects.json`, '{"version":1,"projects":[]}')
      const { checks } = await doctor(world, '--fix')
      expect(named(checks, 'trust')).toMatchObject([
        { result: 'warning', hint: expect.stringContaining('cairn trust') },
      ])
    }),
  )

  it(
    'puts a damaged list of projects aside, removes marks of dead servers, and tells what hooks could not do',
    inWorld(async world => {
      await furnished(world, 'gemini')
      const own = `${world.home}/.cairn`
      writeFileSync(`${own}/projects.json`, '{"version":1,"projects":[{"id"')
      mkdirSync(`${own}/run`)
      writeFileSync(`${own}/run/claude-code-77.pid`, '999999999\n')
      writeFileSync(`${own}/run/codex-78.pid`, `${process.pid}\n`)
      const failure = {
        at: new Date().toISOString(),
        host: 'codex',
        event: 'Stop',
        code: 'disk_full',
        message: 'No room.',
      }
      writeFileSync(`${own}/hook-failures.jsonl`, `${JSON.stringify(failure)}\n`)
      const { checks } = await doctor(world)
      expect(named(checks, 'projects')[0]?.result).toBe('failure')
      expect(named(checks, 'server marks')[0]?.message).toBe('1 of stopped servers: claude-code-77.pid')
      expect(named(checks, 'hook failures')[0]?.message).toContain('codex Stop: No room. (disk_full)')
      const mended = await doctor(world, '--fix')
      expect(named(mended.checks, 'projects')[0]?.result).toBe('fixed')
      expect(readdirSync(`${own}/run`)).toEqual(['codex-78.pid'])
      expect(readdirSync(own).some(name => name.startsWith('projects.json.damaged-'))).toBe(true)
      expect(named((await doctor(world)).checks, 'projects')).toEqual([])
    }),
  )

  it(
    'writes a file of ours again that somebody removed, and forgets records of what is gone for good',
    inWorld(async world => {
      await furnished(world, 'gemini')
      rmSync(`${world.home}/.gemini/commands/pin.toml`)
      expect(wrong((await doctor(world)).checks).join('\n')).toContain('command pin is missing')
      await doctor(world, '--fix')
      expect(wrong((await doctor(world)).checks)).toEqual([])
      rmSync(`${world.home}/.gemini`, { recursive: true })
      expect(named((await doctor(world, '--fix')).checks, 'install records')[0]?.result).toBe('fixed')
      expect(named((await doctor(world)).checks, 'hosts')[0]?.message).toBe(
        'Cairn is not installed in any host',
      )
    }),
  )

  it(
    'takes in what hooks left behind when nobody came for it',
    inWorld(async world => {
      await furnished(world, 'gemini')
      const payload = { session_id: 's9', cwd: world.root, prompt: 'Why is the build slow?' }
      await world.cairn(['hook', 'gemini', 'BeforeAgent'], { input: JSON.stringify(payload) })
      const folder = path.join(world.root, '.memory/.vault/spool')
      const old = new Date(Date.now() - 7_200_000)
      for (const name of readdirSync(folder)) utimesSync(path.join(folder, name), old, old)
      expect(named((await doctor(world)).checks, 'hook spool')[0]?.result).toBe('warning')
      expect(named((await doctor(world, '--fix')).checks, 'hook spool')[0]?.result).toBe('fixed')
      expect(await world.ok('session', 'show', 's9')).toContain('Why is the build slow?')
    }),
  )

  it(
    'leaves a command of the user’s own alone',
    inWorld(async world => {
      await world.ok('remember', 'Sessions live in Redis.')
      mkdirSync(`${world.home}/.gemini/commands`, { recursive: true })
      writeFileSync(`${world.home}/.gemini/commands/pin.toml`, 'prompt = "mine"\n')
      chmodSync(`${world.home}/.gemini/commands/pin.toml`, 0o444)
      await install(world, 'gemini')
      trust(world)
      const { checks } = await doctor(world, '--fix')
      expect(wrong(checks.filter(check => !isBusy(check)))).toEqual([])
      expect((await doctor(world)).healthy).toBe(true)
      expect(readFileSync(`${world.home}/.gemini/commands/pin.toml`, 'utf8')).toBe('prompt = "mine"\n')
    }),
  )
})
