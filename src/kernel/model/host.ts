/** The programs that agents run in, each with an adapter in `hosts/`. Commands that hosts store contain these ids: they never change. */
export const HOST_TITLES = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'OpenCode',
  copilot: 'GitHub Copilot CLI',
  cursor: 'Cursor',
} as const satisfies Readonly<Record<string, string>>
export type HostId = keyof typeof HOST_TITLES
export const HOST_IDS = Object.keys(HOST_TITLES) as readonly HostId[]

/** Where an integration is installed: for every project of this user, or in one project. */
export const INSTALL_LEVELS = ['user', 'project'] as const
export type InstallLevel = (typeof INSTALL_LEVELS)[number]

export function isHostId(name: string): name is HostId {
  return Object.hasOwn(HOST_TITLES, name)
}
