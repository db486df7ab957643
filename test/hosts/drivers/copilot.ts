import type { HostDriver } from '../host-driver.ts'

export const COPILOT: HostDriver = {
  id: 'copilot',
  files: {
    '.copilot/mcp-config.json': '{\n  "mcpServers": {}\n}\n',
  },
  start: (world, prompt) => ({
    words: ['--allow-all-tools', '--no-color', '-p', prompt],
    environment: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_BASE_URL: `${world.model.origin}/v1`,
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'fake-model',
    },
  }),
  startCommand: () => 'it takes commands only from a person',
  shell: command => ({ call: 'bash', with: { command, description: 'Runs it' } }),
}
