import type { HostDriver } from '../host-driver.ts'

export const CODEX: HostDriver = {
  id: 'codex',
  files: {
    '.codex/config.toml': `# What this user set up before.
model = "gpt-5-codex"   # kept

[tui]
theme = "plain"
`,
    '.codex/hooks.json': `{
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }]
  }
}
`,
  },
  start: (world, prompt) => ({
    words: [
      'exec',
      '--skip-git-repo-check',
      // Trusting a hook is a person's choice in the program's own dialogue; this run has nobody to ask.
      '--dangerously-bypass-hook-trust',
      '--dangerously-bypass-approvals-and-sandbox',
      '-c',
      'model_provider="fake"',
      '-c',
      `model_providers.fake={name="fake",base_url="${world.model.origin}/v1",wire_api="responses",env_key="FAKE_KEY"}`,
      prompt,
    ],
    environment: { FAKE_KEY: 'dummy' },
  }),
  doesCommandsItself: true,
  startCommand: (world, name, text) => CODEX.start(world, `$${name} ${text}`),
  shell: command => ({ call: 'exec_command', with: { cmd: command } }),
}
