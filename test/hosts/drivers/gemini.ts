import type { HostDriver } from '../host-driver.ts'

export const GEMINI_CLI: HostDriver = {
  id: 'gemini',
  files: {
    '.gemini/settings.json': `{
  // How this user signs in.
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "ui": { "hideBanner": true }
}
`,
  },
  start: (world, prompt) => ({
    words: ['--approval-mode=yolo', '-m', 'gemini-2.5-pro', '-p', prompt],
    environment: {
      GEMINI_API_KEY: 'dummy',
      GOOGLE_GEMINI_BASE_URL: world.model.origin,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
    },
  }),
  // It puts what a hook says at the start before a prompt that is given with -p, and then no longer sees a command in it.
  startCommand: () => 'in a run without a person it takes no command after a brief at the start',
  shell: command => ({ call: 'run_shell_command', with: { command, description: 'Runs it' } }),
}
