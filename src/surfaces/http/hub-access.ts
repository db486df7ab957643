import { CairnError } from '../../kernel/model/errors.ts'
import type { TokenScope } from '../../kernel/model/hub.ts'
import type { RouteName } from './paths.ts'
import type { Access } from './route.ts'

/** What a route needs on a hub: a scope, or it is about the machine that the server runs on, and nobody's there. */
export type HubAccess = TokenScope | 'not_on_hub'

const OF_ACCESS: Readonly<Record<Access, HubAccess>> = {
  // It says of which project it is.
  open: 'read',
  read: 'read',
  write: 'write',
  local: 'not_on_hub',
}

/** How the memory is set and tidied is for whoever administers it; the files, hosts and notes of a machine are not on a hub. */
const OF_ROUTE: Partial<Readonly<Record<RouteName, HubAccess>>> = {
  budget: 'admin',
  auto: 'admin',
  preset: 'admin',
  compact: 'admin',
  seedCompact: 'admin',
  // In exactly the projects that the token may read.
  everywhere: 'read',
  met: 'read',
  entity: 'read',
  projects: 'not_on_hub',
  agentHosts: 'not_on_hub',
  agentChats: 'not_on_hub',
  importDiscover: 'not_on_hub',
  importSync: 'not_on_hub',
  obsidianStatus: 'not_on_hub',
  obsidianSync: 'not_on_hub',
}

export function hubAccessOf(name: RouteName, access: Access): HubAccess {
  return OF_ROUTE[name] ?? OF_ACCESS[access]
}

export function notOnHub(name: string): CairnError {
  return new CairnError({
    code: 'not_on_hub',
    message: `\`${name.slice(0, 40)}\` is about files or programs of one machine, which a hub has none of.`,
    hint: 'Do it in a clone of the repository, where its memory lies beside the files.',
  })
}
