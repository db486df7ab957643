import type { Context, Hono } from 'hono'
import { auditText } from '../../addons/hub/audit-trail.ts'
import { may, mayEverywhere } from '../../addons/hub/decide/judge-request.ts'
import { type HubDesk, projectDesk } from '../../addons/hub/hub-desk.ts'
import { ownNotes } from '../../addons/hub/own-notes.ts'
import type { HubOperation } from '../../addons/hub/verbs/hub-operation.ts'
import type { Hub } from '../../compose/compose-hub.ts'
import { hubAcross } from '../../compose/compose-hub-across.ts'
import { notOnHub } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { HubProject, Principal, TokenScope } from '../../kernel/model/hub.ts'
import type { Access } from '../../verbs/operation.ts'
import { type Admitted, fieldsOf, methodUnknown, PROJECT_PARAMETER } from './app.ts'
import { CONTRACT, HUB_CONTRACT } from './contract.ts'
import type { RouteName } from './paths.generated.ts'
import { HUB_PATHS, type HubRouteName } from './paths.generated.ts'
import { readBody } from './read-body.ts'
import { parseFields } from './read-request.ts'
import type { HubRoute, Route } from './route.ts'
import { noteRequest } from './watching/request-note.ts'

/** An answer is held in the memory of a process that many clients share. */
const MAX_ROWS = 2_000
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export interface InProject {
  readonly principal: Principal
  readonly project: HubProject
}

/** The principal of a request to a project. Throws why it is refused. */
export async function enterProject(
  hub: Hub,
  context: Context,
  scope: TokenScope,
  action: string,
): Promise<InProject> {
  const name = context.req.param(PROJECT_PARAMETER) ?? ''
  const { principal, project } = await hub.gate.enter({
    authorization: context.req.header('authorization'),
    project: name,
    scope,
    action,
  })
  noteRequest(context, { principal: principal.name, token: principal.token, project: name })
  if (project === undefined) throw new Error(`admission let a request in to ${name}, which does not exist`)
  return { principal, project }
}

/** The engine of a project for one request of a principal: writes carry its name, and notices are returned to it alone. */
export function engineFor(hub: Hub, { principal, project }: InProject, host: string) {
  const memory = hub.engineOf(project)
  const actor = { host, principal: principal.name }
  const across = hubAcross(hub, principal, project)
  const mayConfigure = may(principal, 'admin', project.name)
  return { ...memory, semantics: ownNotes(memory.semantics), actor, mayConfigure, across }
}

/** How every route of a memory is entered on a hub. */
export function enterRoute(hub: Hub) {
  return async (context: Context, { name }: { readonly name: RouteName }): Promise<Admitted> => {
    const needs = hubAccessOf(name)
    const scope = needs === 'not_on_hub' ? 'read' : needs
    const entered = await enterProject(hub, context, scope, name)
    const { principal, project } = entered
    const note = (outcome: string, subject?: string) =>
      hub.trail.note({
        principal: principal.name,
        token: principal.token,
        project: project.name,
        action: name,
        ...(subject !== undefined && { subject: auditText(subject) }),
        outcome,
      })
    if (needs === 'not_on_hub') {
      note('not_on_hub')
      throw notOnHub(`\`${name}\``)
    }
    const body = BODILESS.has(context.req.method) ? {} : await readBody(context.req.raw)
    const memory = engineFor(hub, entered, 'web')
    const over = hub.gate.begin(principal)
    return {
      engine: memory,
      body,
      mostRows: MAX_ROWS,
      isAgent: principal.kind === 'agent',
      onWrite: () => hub.wake(project, { more: name === 'syncPush' }),
      hold: () => hub.gate.hold(principal, project.name, scope),
      onEnd({ error, subject }) {
        over()
        // Reads are not recorded.
        if (scope === 'read') return
        note(error === undefined ? 'done' : error instanceof CairnError ? error.code : 'internal', subject)
      },
    }
  }
}

/** An administrator of some projects manages their tokens, and nothing else of the hub. */
function deskFor(hub: Hub, principal: Principal, { isOfAnyProject }: HubRoute): HubDesk {
  const { name, token, kind } = principal
  const desk = hub.deskOf({ principal: name, token, kind })
  if (!isOfAnyProject || mayEverywhere(principal, 'admin')) return desk
  return { ...desk, ...projectDesk(hub.directory, hub.clock, principal) }
}

/** The routes of the hub itself: the caller, and administration. */
export function serveHubRoutes(app: Hono, hub: Hub): void {
  const methodsByPath = new Map<string, string[]>()
  for (const [name, route] of Object.entries(HUB_CONTRACT) as [HubRouteName, HubRoute][]) {
    const [method = '', path = ''] = HUB_PATHS[name].split(' ')
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method])
    app.on(method, path, async context => {
      noteRequest(context, { route: name })
      const operation: HubOperation = await route.load()
      const { principal } = await hub.gate.enter({
        authorization: context.req.header('authorization'),
        project: undefined,
        scope: route.scope,
        isOfAnyProject: route.isOfAnyProject === true,
        action: operation.name,
      })
      noteRequest(context, { principal: principal.name, token: principal.token })
      const body = BODILESS.has(context.req.method) ? {} : await readBody(context.req.raw)
      const input = parseFields(operation, fieldsOf(context, operation, { body }))
      const desk = deskFor(hub, principal, route)
      const around = { across: hubAcross(hub, principal), clock: hub.clock }
      context.header('cache-control', 'no-store')
      const over = hub.gate.begin(principal)
      try {
        return context.json((await operation.runOn(desk, input, principal, around)) as object)
      } finally {
        over()
      }
    })
  }
  for (const [path, methods] of methodsByPath)
    app.all(path, context => {
      throw methodUnknown(context, methods)
    })
}

/** The scope that a route needs on a hub, or that a hub does not offer it. */
export type HubAccess = TokenScope | 'not_on_hub'

const HUB_ACCESS: Readonly<Record<Access, HubAccess>> = {
  // The answer names the project.
  open: 'read',
  read: 'read',
  write: 'write',
  local: 'not_on_hub',
}

export function hubAccessOf(name: RouteName): HubAccess {
  const { access, onHub, runs }: Pick<Route, 'access' | 'onHub' | 'runs'> = CONTRACT[name]
  if (runs === 'checkout') return 'not_on_hub'
  return onHub ?? HUB_ACCESS[access]
}
