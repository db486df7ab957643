import type { HostDriver } from '../host-driver.ts'

export const OPENCODE: HostDriver = {
  id: 'opencode',
  files: {
    '.config/opencode/opencode.json': `{
  // What this user set up before.
  "$schema": "https://opencode.ai/config.json",
  "share": "disabled",
}
`,
    // As OpenCode leaves its folder when it was once online. Without these it waits over a minute for a package that it cannot fetch.
    '.config/opencode/package.json': '{"dependencies":{"@opencode-ai/plugin":"1.18.33"}}\n',
    '.config/opencode/package-lock.json':
      '{"lockfileVersion":3,"packages":{"":{"dependencies":{"@opencode-ai/plugin":"1.18.33"}}}}\n',
    '.config/opencode/node_modules/.package-lock.json': '{"lockfileVersion":3,"packages":{}}\n',
  },
  start: (world, prompt) => ({
    words: ['run', '-m', 'fake/fake-model', prompt],
    environment: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${world.model.origin}/v1`, apiKey: 'x' },
            models: { 'fake-model': { tool_call: true, limit: { context: 200_000, output: 8000 } } },
          },
        },
      }),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
  }),
  startCommand: (world, name, text) => ({
    ...OPENCODE.start(world, text),
    words: ['run', '-m', 'fake/fake-model', '--command', name, text],
  }),
  shell: command => ({ call: 'bash', with: { command, description: 'Runs it' } }),
}
