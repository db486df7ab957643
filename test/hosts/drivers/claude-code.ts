import type { HostDriver } from '../host-driver.ts'

export const CLAUDE_CODE: HostDriver = {
  id: 'claude-code',
  files: {
    '.claude/settings.json': `{
  "permissions": { "allow": ["Bash"] },
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }]
  }
}
`,
    '.claude.json': '{\n  "hasCompletedOnboarding": true,\n  "mcpServers": {}\n}\n',
  },
  start: (world, prompt) => ({
    words: ['-p', prompt],
    environment: {
      ANTHROPIC_BASE_URL: world.model.origin,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
  }),
  doesCommandsItself: true,
  startCommand: (world, name, text) => CLAUDE_CODE.start(world, `/${name} ${text}`),
  shell: command => ({ call: 'Bash', with: { command, description: 'Runs it' } }),
}
