/** The programs that agents run in, each with an integration of its own. The names stand in commands that hosts keep: they never change. */
export const HOST_IDS = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot', 'cursor'] as const
export type HostId = (typeof HOST_IDS)[number]

export const HOST_TITLES: Readonly<Record<HostId, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'OpenCode',
  copilot: 'GitHub Copilot CLI',
  cursor: 'Cursor',
}

/** Where an integration is written: for every project of this user, or into one project. */
export const INSTALL_LEVELS = ['user', 'project'] as const
export type InstallLevel = (typeof INSTALL_LEVELS)[number]

export function isHostId(name: string): name is HostId {
  return (HOST_IDS as readonly string[]).includes(name)
}
