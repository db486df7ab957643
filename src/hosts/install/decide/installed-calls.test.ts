import { describe, expect, it } from 'vitest'
import { programWords, readInstalledCalls } from './installed-calls.ts'

const CLAUDE = `{
  // mine
  "hooks": {
    "SessionStart": [{ "hooks": [{ "type": "command", "command": "cairn hook claude-code SessionStart", "timeout": 5 }] }],
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] },],
  },
  "mcpServers": { "other": { "command": "x" }, "cairn": { "command": "node", "args": ["/opt/cairn.cjs", "mcp"] } },
}`

describe('the calls of ours in a file of a host', () => {
  it('are found in JSON with comments and trailing commas, and nobody else’s are', () => {
    expect(readInstalledCalls('/h/.claude/settings.json', CLAUDE)).toEqual({
      hooks: [{ event: 'SessionStart', command: 'cairn hook claude-code SessionStart' }],
      servers: [{ command: 'node', args: ['/opt/cairn.cjs', 'mcp'] }],
    })
  })

  it('are found behind a byte order mark and Windows line ends', () => {
    const text = `\ufeff${CLAUDE.replaceAll('\n', '\r\n')}`
    expect(readInstalledCalls('/h/settings.json', text).hooks).toHaveLength(1)
  })

  it('are found in OpenCode’s form, in TOML and in our plugin', () => {
    expect(
      readInstalledCalls('opencode.jsonc', '{"mcp":{"cairn":{"command":["cairn","mcp"]}}}').servers,
    ).toEqual([{ command: 'cairn', args: ['mcp'] }])
    expect(
      readInstalledCalls('config.toml', '[mcp_servers.cairn]\ncommand = "cairn"\nargs = ["mcp"]\n').servers,
    ).toEqual([{ command: 'cairn', args: ['mcp'] }])
    expect(readInstalledCalls('cairn.js', `x\nconst COMMAND = ["/a b/node","/c.cjs"]\ny`).hooks).toEqual([
      { event: 'chat.message', command: "'/a b/node' '/c.cjs' hook opencode chat.message" },
    ])
  })

  it('are what Copilot runs here, not what it runs on Windows', () => {
    const text =
      '{"hooks":{"sessionStart":[{"bash":"cairn hook copilot sessionStart","powershell":"cairn hook copilot sessionStart"}]}}'
    expect(readInstalledCalls('cairn.json', text).hooks).toHaveLength(1)
  })

  it('names the line where the host stops reading', () => {
    expect(readInstalledCalls('a.json', '{\n  "a": 1\n  "b": 2\n}').damage).toEqual({
      line: 3,
      message: 'comma expected',
    })
    expect(readInstalledCalls('a.toml', 'a = 1\nb = \n').damage?.line).toBe(2)
    expect(readInstalledCalls('a.json', '')).toEqual({ hooks: [], servers: [] })
  })
})

describe('the program in a line for a shell', () => {
  it.each([
    ['cairn hook codex Stop', ['cairn']],
    [
      "'/opt/my node/node' '/opt/cairn/dist/cairn.cjs' hook codex Stop",
      ['/opt/my node/node', '/opt/cairn/dist/cairn.cjs'],
    ],
    [
      `exec sh -c '{ p=; read -r p <"x"; } || exec "$@"' sh cairn hook claude-code UserPromptSubmit`,
      ['cairn'],
    ],
    ["'/it'\\''s/node' 'c.cjs' hook codex Stop", ["/it's/node", 'c.cjs']],
  ])('%s', (line, words) => {
    expect(programWords(line)).toEqual(words)
  })
})
