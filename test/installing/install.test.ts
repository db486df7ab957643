import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HostUninstallRequest, InstallRequest } from '../../src/hosts/install/decide/install-plan.ts'
import { detectHosts } from '../../src/hosts/install/detect-hosts.ts'
import { inspectInstall } from '../../src/hosts/install/inspect-install.ts'
import type { InstallParts } from '../../src/hosts/install/install-parts.ts'
import {
  applyInstall,
  applyUninstall,
  planInstall,
  planUninstall,
} from '../../src/hosts/install/installer.ts'
import { HOST_IDS, type InstallLevel } from '../../src/kernel/model/host.ts'
import { installWorld } from '../support/install-world.ts'
import { readIn, writeIn } from '../support/scratch-project.ts'

const install = (parts: InstallParts, request: InstallRequest) =>
  applyInstall(parts, planInstall(parts, request))
const uninstall = (parts: InstallParts, request: HostUninstallRequest = {}) =>
  applyUninstall(parts, planUninstall(parts, request))

/** Every file and link of the home folder and of the project. */
function seen(at: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(at, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.startsWith('cairn')) continue
    const stat = lstatSync(path.join(at, name))
    if (stat.isSymbolicLink()) found[name] = `-> ${readlinkSync(path.join(at, name))}`
    else found[name] = stat.isFile() ? readIn(at, name) : 'folder'
  }
  return found
}

const SETTINGS = `{
  // my own
  "model": "opus",
  "hooks": {
    "SessionStart": [
      { "hooks": [{ "type": "command", "command": "echo hello" }] }, /* first */
    ],
  },
}
`
const OTHERS = {
  'home/.claude/settings.json': SETTINGS,
  'home/.claude.json': '{"numStartups":3,"mcpServers":{"other":{"command":"other","env":{"KEY":"value"}}}}',
  'home/.codex/config.toml': '\uFEFFmodel = "o" # mine\r\n\r\n[mcp_servers.other]\r\ncommand = "x"',
  'home/.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}',
  'home/.config/opencode/opencode.jsonc': '// mine\n{\n\t"theme": "x",\n}\n',
  'home/.copilot/mcp-config.json': '',
  'home/.cursor/hooks.json': '{ "version": 1, "hooks": { "stop": [ { "command": "./mine.sh" } ] } }',
  'project/.mcp.json': '{\r\n  "mcpServers": {}\r\n}',
  'project/.claude/settings.json': '{}',
}

describe.each<InstallLevel>(['user', 'project'])('for the %s', level => {
  it('installing twice is installing once, and uninstalling restores every byte', async () => {
    const { at, parts } = installWorld(OTHERS)
    const before = seen(at)
    const first = await install(parts, { hosts: HOST_IDS, level })
    expect(first.changed.length).toBeGreaterThan(30)
    const after = seen(at)
    expect((await install(parts, { hosts: HOST_IDS, level })).changed).toEqual([])
    expect(seen(at)).toEqual(after)
    for (const host of HOST_IDS) expect(inspectInstall(parts, host, level).state).toBe('current')
    await uninstall(parts)
    expect(seen(at)).toEqual(before)
    expect(readdirSync(parts.records)).toEqual([])
    expect(planUninstall(parts, {}).changes).toEqual([])
  })

  it('one host after the other, and out again in any order, leaves nothing', async () => {
    const { at, parts } = installWorld(OTHERS)
    const before = seen(at)
    for (const host of HOST_IDS) await install(parts, { hosts: [host], level })
    for (const host of ['claude-code', 'cursor', 'copilot', 'gemini', 'codex', 'opencode'] as const)
      await uninstall(parts, { hosts: [host], level })
    expect(seen(at)).toEqual(before)
  })

  it('into nothing and out again leaves nothing, not even a folder', async () => {
    const { at, parts } = installWorld()
    const before = seen(at)
    await install(parts, { hosts: HOST_IDS, level })
    await uninstall(parts)
    expect(seen(at)).toEqual(before)
  })
})

describe('what others wrote', () => {
  it('stays when a file was changed since: only ours is taken out', async () => {
    const { at, parts } = installWorld(OTHERS)
    await install(parts, { hosts: ['claude-code'], level: 'user' })
    const settings = readIn(at, 'home/.claude/settings.json')
    writeIn(at, 'home/.claude/settings.json', settings.replace('"opus"', '"haiku"'))
    const state = JSON.parse(readIn(at, 'home/.claude.json'))
    // As Claude Code itself writes it: anew, in its own manner.
    writeIn(at, 'home/.claude.json', JSON.stringify({ ...state, numStartups: 4 }, null, 2))
    await uninstall(parts)
    expect(readIn(at, 'home/.claude/settings.json')).toBe(SETTINGS.replace('"opus"', '"haiku"'))
    expect(JSON.parse(readIn(at, 'home/.claude.json'))).toEqual({
      numStartups: 4,
      mcpServers: { other: { command: 'other', env: { KEY: 'value' } } },
    })
  })

  it('a change between two installs is kept by uninstall', async () => {
    const { at, parts } = installWorld(OTHERS)
    await install(parts, { hosts: ['codex'], level: 'user' })
    const config = readIn(at, 'home/.codex/config.toml')
    writeIn(at, 'home/.codex/config.toml', `${config}\r\n[projects.a]\r\ntrust_level = "trusted"\r\n`)
    await install(
      { ...parts, command: { kind: 'script', node: '/n/node', script: '/x/cairn.cjs' } },
      { hosts: ['codex'], level: 'user' },
    )
    expect(readIn(at, 'home/.codex/config.toml')).toContain('command = "/n/node"')
    await uninstall(parts)
    expect(readIn(at, 'home/.codex/config.toml')).toBe(
      '\uFEFFmodel = "o" # mine\r\n\r\n[mcp_servers.other]\r\ncommand = "x"\r\n\r\n[projects.a]\r\ntrust_level = "trusted"\r\n',
    )
  })

  it('a server called cairn that is not ours is told and stays, and prompts go to the command alone', async () => {
    const theirs = '{"mcpServers":{"cairn":{"command":"rocks","args":["serve"]}}}'
    const { at, parts } = installWorld({ 'home/.claude.json': theirs })
    const { remarks } = await install(parts, { hosts: ['claude-code'], level: 'user' })
    expect(readIn(at, 'home/.claude.json')).toBe(theirs)
    expect(remarks).toEqual([
      {
        host: 'claude-code',
        kind: 'left',
        message: `MCP server cairn: ${at}/home/.claude.json has something of that name that is not ours. It remains unchanged.`,
        hint: 'Rename or remove it and run the command again, if ours is wanted there.',
      },
    ])
    expect(JSON.parse(readIn(at, 'home/.claude/settings.json')).hooks.UserPromptSubmit).toEqual([
      { hooks: [{ type: 'command', command: 'cairn hook claude-code UserPromptSubmit', timeout: 5 }] },
    ])
    expect(inspectInstall(parts, 'claude-code', 'user').state).toBe('broken')
    await uninstall(parts)
    expect(readIn(at, 'home/.claude.json')).toBe(theirs)
  })

  it('a file of a name of ours that is not ours stays, and one that was changed by hand too', async () => {
    const { at, parts } = installWorld({ 'home/.claude/commands/pin.md': 'My own pin.\n' })
    await install(parts, { hosts: ['claude-code'], level: 'user' })
    expect(readIn(at, 'home/.claude/commands/pin.md')).toBe('My own pin.\n')
    const mine = `${readIn(at, 'home/.claude/commands/forget.md')}\nAnd be polite.\n`
    writeIn(at, 'home/.claude/commands/forget.md', mine)
    const again = await install(parts, { hosts: ['claude-code'], level: 'user' })
    expect(again.remarks.map(({ kind, message }) => [kind, message.slice(0, 14)])).toEqual([
      ['left', 'command forget'],
      ['left', 'command pin: /'],
    ])
    const { remarks } = await uninstall(parts)
    expect(remarks.map(({ kind }) => kind)).toEqual(['left'])
    expect(readdirSync(path.join(at, 'home/.claude/commands'))).toEqual(['forget.md', 'pin.md'])
    expect(readIn(at, 'home/.claude/commands/forget.md')).toBe(mine)
  })

  it('old forms of ours are renewed in their places, among the hooks of others', async () => {
    const hook = (command: string) => ({ hooks: [{ type: 'command', command, timeout: 9 }] })
    const old = {
      hooks: {
        Stop: [
          hook("'/old/node' '/old/dist/cairn.cjs' hook claude-code Stop"),
          hook('lint'),
          hook('cairn hook claude-code Stop'),
        ],
        Notification: [hook('cairn hook claude-code Notification')],
      },
    }
    const { at, parts } = installWorld({ 'home/.claude/settings.json': JSON.stringify(old, null, 2) })
    expect(inspectInstall(parts, 'claude-code', 'user').state).toBe('partly')
    await install(parts, { hosts: ['claude-code'], level: 'user' })
    const { hooks } = JSON.parse(readIn(at, 'home/.claude/settings.json'))
    expect(hooks.Stop).toEqual([
      { hooks: [{ type: 'command', command: 'cairn hook claude-code Stop', timeout: 5 }] },
      hook('lint'),
    ])
    expect(Object.keys(hooks)).not.toContain('Notification')
  })

  it('a command of theirs that calls ours among other things is theirs', async () => {
    const theirs =
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"cairn hook claude-code Stop && say done"}]}]}}'
    const { at, parts } = installWorld({ 'home/.claude/settings.json': theirs })
    await install(parts, { hosts: ['claude-code'], level: 'user' })
    expect(JSON.parse(readIn(at, 'home/.claude/settings.json')).hooks.Stop).toHaveLength(2)
    await uninstall(parts)
    expect(readIn(at, 'home/.claude/settings.json')).toBe(theirs)
  })

  it("Claude Code's own memory is told of, switched off only when that was asked for, and on again afterwards", async () => {
    const { at, parts } = installWorld({
      'home/.claude/settings.json': '{\n  "autoMemoryEnabled": true\n}\n',
    })
    expect(detectHosts(parts)[0]?.ownMemory?.isOn).toBe(true)
    await install(parts, { hosts: ['claude-code'], level: 'user' })
    expect(detectHosts(parts)[0]?.ownMemory?.isOn).toBe(true)
    await install(parts, { hosts: ['claude-code'], level: 'user', switchOffAutoMemory: true })
    expect(detectHosts(parts)[0]?.ownMemory?.isOn).toBe(false)
    writeIn(
      at,
      'home/.claude/settings.json',
      readIn(at, 'home/.claude/settings.json').replace('{\n', '{\n  "model": "opus",\n'),
    )
    await uninstall(parts)
    expect(readIn(at, 'home/.claude/settings.json')).toBe(
      '{\n  "model": "opus",\n  "autoMemoryEnabled": true\n}\n',
    )
  })

  it('a permission that was there before stays', async () => {
    const theirs = '{"permissions":{"allow":["mcp__cairn"]}}'
    const { at, parts } = installWorld({ 'home/.claude/settings.json': theirs })
    await install(parts, { hosts: ['claude-code'], level: 'user' })
    writeIn(at, 'home/.claude/settings.json', `${readIn(at, 'home/.claude/settings.json')}\n`)
    await uninstall(parts)
    expect(readIn(at, 'home/.claude/settings.json')).toBe(`${theirs}\n`)
  })

  it('no value of a host file is in a record, and nobody else can read them', async () => {
    const key = `sk-${'ant-abcdefghij'}`
    const { parts } = installWorld({
      'home/.claude/settings.json': `{"env":{"API_KEY":"${key}"},"permissions":{"allow":["Bash(${key})"]}}`,
      'home/.codex/config.toml': `[mcp_servers.other.env]\nKEY = "${key}"`,
    })
    await install(parts, { hosts: ['claude-code', 'codex'], level: 'user' })
    const files = readdirSync(parts.records).map(name => path.join(parts.records, name))
    expect(files.length).toBeGreaterThan(5)
    for (const file of files) {
      expect(readFileSync(file, 'utf8')).not.toContain(key)
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }
    expect(statSync(parts.records).mode & 0o777).toBe(0o700)
  })
})

describe('a file that cannot be edited', () => {
  it.each([
    ['home/.claude/settings.json', '{\n  "hooks": {,}\n}', 'line 2 cannot be edited: value expected'],
    ['home/.claude/settings.json', '[]', 'line 1 cannot be edited: it does not contain an object'],
    ['home/.claude/settings.json', '{\n"hooks": []}', 'line 2 cannot be edited: "hooks" is no object'],
    [
      'home/.claude/settings.json',
      '{"hooks": {"Stop": 1}}',
      'line 1 cannot be edited: "hooks.Stop" is no list',
    ],
    [
      'home/.claude/settings.json',
      new Uint8Array([0x7b, 0xff, 0x7d]),
      ' cannot be edited: it is not written in UTF-8',
    ],
  ])('%s is told with its line, and stays', (name, content, message) => {
    const { at, parts } = installWorld({ [name]: content })
    const before = readFileSync(path.join(at, name))
    expect(() => planInstall(parts, { hosts: ['claude-code'], level: 'user' })).toThrow(message)
    expect(inspectInstall(parts, 'claude-code', 'user').state).toBe('broken')
    expect(readFileSync(path.join(at, name))).toEqual(before)
  })

  it.each([
    ['a = \n', 'config.toml, line 1 cannot be edited'],
    [
      'x = 1\nmcp_servers = { other = { command = "x" } }\n',
      'config.toml, line 2 cannot be edited: "mcp_servers" is written in a form',
    ],
  ])('TOML %j is told with its line', (content, message) => {
    const { parts } = installWorld({ 'home/.codex/config.toml': content })
    expect(() => planInstall(parts, { hosts: ['codex'], level: 'user' })).toThrow(message)
  })

  it('keeps its own host out, and no other', async () => {
    const { at, parts } = installWorld({ 'home/.claude/settings.json': '{' })
    const { changed, remarks } = await install(parts, { hosts: ['claude-code', 'gemini'], level: 'user' })
    expect(new Set(changed.map(({ host }) => host))).toEqual(new Set(['gemini']))
    expect(remarks[0]).toMatchObject({ host: 'claude-code', kind: 'refused' })
    expect(existsSync(path.join(at, 'home/.claude.json'))).toBe(false)
  })

  it('that is a link to nowhere or in a circle is told', () => {
    const { at, parts } = installWorld({ 'home/.claude/x': '' })
    symlinkSync('settings.json', path.join(at, 'home/.claude/settings.json'))
    expect(() => planInstall(parts, { hosts: ['claude-code'], level: 'user' })).toThrow(
      'a link that leads nowhere',
    )
  })
})

describe('links', () => {
  it('of a dotfiles manager stay, and what they lead to is written and restored', async () => {
    const { at, parts } = installWorld({
      'dotfiles/claude.json': '{ "model": "opus" }',
      'home/.claude/x': '',
    })
    symlinkSync('../../dotfiles/claude.json', path.join(at, 'home/.claude/settings.json'))
    const before = seen(at)
    await install(parts, { hosts: ['claude-code'], level: 'user' })
    expect(readlinkSync(path.join(at, 'home/.claude/settings.json'))).toBe('../../dotfiles/claude.json')
    expect(JSON.parse(readIn(at, 'dotfiles/claude.json')).hooks.Stop).toHaveLength(1)
    await uninstall(parts)
    expect(seen(at)).toEqual(before)
  })

  it.each(['.claude', '.claude/settings.json', '.mcp.json'])(
    'in a project that lead out by %s are not written through',
    link => {
      const { at, parts } = installWorld({ 'outside/settings.json': '{}' })
      mkdirSync(path.join(at, 'project', path.dirname(link)), { recursive: true })
      symlinkSync(
        path.join(at, link === '.claude' ? 'outside' : 'outside/settings.json'),
        path.join(at, 'project', link),
      )
      expect(() => planInstall(parts, { hosts: ['claude-code'], level: 'project' })).toThrow(
        'leads out of the project by a link',
      )
      expect(readdirSync(path.join(at, 'outside'))).toEqual(['settings.json'])
    },
  )
})

describe('how files are written', () => {
  it('keeps the rights of a file, and makes new ones in the home folder for nobody else', async () => {
    const { at, parts } = installWorld({ 'home/.claude/settings.json': '{}' })
    chmodSync(path.join(at, 'home/.claude/settings.json'), 0o640)
    await install(parts, { hosts: ['claude-code'], level: 'user' })
    expect(statSync(path.join(at, 'home/.claude/settings.json')).mode & 0o777).toBe(0o640)
    expect(statSync(path.join(at, 'home/.claude.json')).mode & 0o777).toBe(0o600)
  })

  it('what others changed between the plan and the yes is kept; what changes the plan is told', async () => {
    const { at, parts } = installWorld({ 'home/.claude.json': '{"numStartups":1}' })
    const plan = planInstall(parts, { hosts: ['claude-code'], level: 'user' })
    writeIn(at, 'home/.claude.json', '{"numStartups":2}')
    await applyInstall(parts, plan)
    expect(JSON.parse(readIn(at, 'home/.claude.json')).numStartups).toBe(2)
    await uninstall(parts)
    expect(readIn(at, 'home/.claude.json')).toBe('{"numStartups":2}')

    writeIn(at, 'home/.claude.json', '{"mcpServers":{"cairn":{"command":"cairn","args":["mcp"]}}}')
    await expect(applyInstall(parts, plan)).rejects.toMatchObject({ code: 'host_config_changed' })
    expect(existsSync(path.join(at, 'home/.claude/settings.json'))).toBe(false)
  })

  it('follows the variables that hosts know', async () => {
    const at = (name: string) => `/elsewhere/${name}`
    const { parts } = installWorld(
      {},
      {
        environment: {
          CLAUDE_CONFIG_DIR: at('claude'),
          CODEX_HOME: at('codex'),
          GEMINI_CLI_HOME: at('gemini'),
          XDG_CONFIG_HOME: at('config'),
          COPILOT_HOME: at('copilot'),
        },
      },
    )
    const { changes } = planInstall(parts, {
      hosts: ['claude-code', 'codex', 'gemini', 'opencode', 'copilot'],
      level: 'user',
    })
    const configs = changes
      .map(({ path: file }) => file)
      .filter(file => /\.(?:jsonc?|toml)$/.test(file) && !file.includes('/commands/'))
    expect(configs).toEqual([
      '/elsewhere/claude/settings.json',
      '/elsewhere/claude/.claude.json',
      '/elsewhere/codex/hooks.json',
      '/elsewhere/codex/config.toml',
      '/elsewhere/gemini/.gemini/settings.json',
      '/elsewhere/config/opencode/opencode.json',
      '/elsewhere/copilot/hooks/cairn.json',
      '/elsewhere/copilot/mcp-config.json',
    ])
  })

  it('a host is found by its folder or by its program, and says by what', () => {
    const { at, parts } = installWorld({ 'home/.gemini/x': '', 'bin/codex': '' }, {})
    const found = detectHosts({
      ...parts,
      environment: name => (name === 'PATH' ? `/nowhere:${at}/bin` : undefined),
    })
    expect(found.map(({ host, evidence }) => [host, evidence])).toEqual([
      ['claude-code', []],
      ['codex', [`codex is on the path (${at}/bin/codex)`]],
      ['gemini', ['~/.gemini is there']],
      ['opencode', []],
      ['copilot', []],
      ['cursor', []],
    ])
  })

  it('without its records takes out all that is certainly ours', async () => {
    const { at, parts } = installWorld(OTHERS)
    await install(parts, { hosts: HOST_IDS, level: 'user' })
    rmSync(parts.records, { recursive: true })
    await uninstall(parts)
    const left = Object.entries(seen(at)).filter(([, text]) => text.includes('cairn'))
    expect(left).toEqual([])
    expect(JSON.parse(readIn(at, 'home/.claude.json')).mcpServers).toEqual({
      other: { command: 'other', env: { KEY: 'value' } },
    })
  })

  it('a record that is damaged counts as none', async () => {
    const { at, parts } = installWorld({ 'home/.gemini/settings.json': '{\n  "theme": "x"\n}\n' })
    await install(parts, { hosts: ['gemini'], level: 'user' })
    for (const name of readdirSync(parts.records)) writeFileSync(path.join(parts.records, name), '{')
    await uninstall(parts)
    expect(readIn(at, 'home/.gemini/settings.json')).toBe('{\n  "theme": "x"\n}\n')
  })
})
