import type * as v from 'valibot'
import type { HubOperation } from '../../addons/hub/verbs/hub-operation.ts'
import type { TokenScope } from '../../kernel/model/hub.ts'
import type { HubRouteName } from './hub-paths.ts'

/**
 * A route of the hub itself. `read` is what every token may; the others need their scope for every project, or for one where it is about the
 * tokens of that one.
 */
export interface HubRoute<Verb = HubOperation> {
  readonly scope: TokenScope
  readonly isOfAnyProject: boolean
  load(): Promise<Verb>
}

function hubRoute<Verb>(scope: TokenScope, load: () => Promise<Verb>): HubRoute<Verb> {
  return { scope, isOfAnyProject: false, load }
}

/** For whoever administers a project: they get no more than the desk of their projects (project-desk.ts). */
function tokenRoute<Verb>(load: () => Promise<Verb>): HubRoute<Verb> {
  return { scope: 'admin', isOfAnyProject: true, load }
}

const projects = () => import('../../addons/hub/verbs/hub-projects.ts')
const across = () => import('../../addons/hub/verbs/hub-across.ts')
const tokens = () => import('../../addons/hub/verbs/hub-tokens.ts')

export const HUB_CONTRACT = {
  hubMe: hubRoute('read', async () => (await import('../../addons/hub/verbs/hub-me.ts')).hubMeOperation),
  hubEverywhere: hubRoute('read', async () => (await across()).hubEverywhereOperation),
  hubMet: hubRoute('read', async () => (await across()).hubMetOperation),
  hubEntity: hubRoute('read', async () => (await across()).hubEntityOperation),
  hubProjects: hubRoute('admin', async () => (await projects()).hubProjectsOperation),
  hubAddProject: hubRoute('admin', async () => (await projects()).hubAddProjectOperation),
  hubRename: hubRoute('admin', async () => (await projects()).hubRenameOperation),
  hubArchive: hubRoute('admin', async () => (await projects()).hubArchiveOperation),
  hubRestore: hubRoute('admin', async () => (await projects()).hubRestoreOperation),
  hubRemove: hubRoute('admin', async () => (await projects()).hubRemoveOperation),
  hubPrincipals: hubRoute('admin', async () => (await tokens()).hubPrincipalsOperation),
  hubDisable: hubRoute('admin', async () => (await tokens()).hubDisableOperation),
  hubEnable: hubRoute('admin', async () => (await tokens()).hubEnableOperation),
  hubTokens: tokenRoute(async () => (await tokens()).hubTokensOperation),
  hubTokenAdd: tokenRoute(async () => (await tokens()).hubTokenAddOperation),
  hubTokenSet: tokenRoute(async () => (await tokens()).hubTokenSetOperation),
  hubTokenRevoke: tokenRoute(async () => (await tokens()).hubTokenRevokeOperation),
  hubAudit: hubRoute(
    'admin',
    async () => (await import('../../addons/hub/verbs/hub-audit.ts')).hubAuditOperation,
  ),
} as const satisfies Record<HubRouteName, HubRoute<unknown>>

type HubContract = typeof HUB_CONTRACT
type BehindOf<Name extends HubRouteName> = Awaited<ReturnType<HubContract[Name]['load']>>

/** What the page's calls to a hub are made from. */
export type HubAsked<Name extends HubRouteName> =
  BehindOf<Name> extends HubOperation<infer Input, infer _Output> ? v.InferInput<Input> : never
export type HubAnswered<Name extends HubRouteName> =
  BehindOf<Name> extends HubOperation<infer _Input, infer Output> ? v.InferOutput<Output> : never
