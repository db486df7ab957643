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
  shell: command => ({ call: 'bash', with: { command, description: 'Runs it' } }),
}
