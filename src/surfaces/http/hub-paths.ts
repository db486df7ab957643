/** Where the routes of a hub are that are about no one project; data alone, as paths.ts is. */
export const HUB_PATHS = {
  hubMe: 'GET /api/hub/me',
  hubEverywhere: 'POST /api/hub/everywhere',
  hubMet: 'POST /api/hub/met',
  hubEntity: 'POST /api/hub/entity',
  hubProjects: 'GET /api/hub/projects',
  hubAddProject: 'POST /api/hub/projects',
  hubRename: 'POST /api/hub/projects/:project/rename',
  hubArchive: 'POST /api/hub/projects/:project/archive',
  hubRestore: 'POST /api/hub/projects/:project/restore',
  hubRemove: 'DELETE /api/hub/projects/:project',
  hubPrincipals: 'GET /api/hub/principals',
  hubDisable: 'POST /api/hub/principals/:name/disable',
  hubEnable: 'POST /api/hub/principals/:name/enable',
  hubTokens: 'GET /api/hub/tokens',
  hubTokenAdd: 'POST /api/hub/tokens',
  hubTokenSet: 'PATCH /api/hub/tokens/:id',
  hubTokenRevoke: 'POST /api/hub/tokens/:id/revoke',
  hubAudit: 'GET /api/hub/audit',
} as const

export type HubRouteName = keyof typeof HUB_PATHS
