import * as v from 'valibot'
import { PRINCIPAL_KINDS, SCOPES } from '../../../kernel/model/hub.ts'
import { mayEverywhere, scopeIn } from '../decide/judge-request.ts'
import { defineHubOperation } from './hub-operation.ts'

/** The first request of the page: the principal and its permissions. Not a CLI verb: a caller with database access has no principal. */
export const hubMeOperation = defineHubOperation({
  name: 'hub me',
  agent: 'reads',
  hubRoute: { at: 'GET /api/hub/me', scope: 'read' },
  summary: 'Show the owner of the token and the projects it may read',
  positionals: [],
  input: v.object({}),
  output: v.object({
    name: v.string(),
    kind: v.picklist(PRINCIPAL_KINDS),
    token: v.pipe(v.string(), v.description('The id of the token')),
    isAdmin: v.pipe(v.boolean(), v.description('Whether it may administer the hub')),
    projects: v.array(v.object({ name: v.string(), scope: v.picklist(SCOPES) })),
  }),
  examples: [],
  async runOn(desk, _input, asker) {
    if (asker === undefined) throw new Error('`hub me` needs a token')
    return {
      name: asker.name,
      kind: asker.kind,
      token: asker.token,
      isAdmin: mayEverywhere(asker, 'admin'),
      projects: (await desk.projects()).flatMap(({ name, archivedMs }) => {
        const scope = scopeIn(asker, name)
        return scope === undefined || archivedMs !== undefined ? [] : [{ name, scope }]
      }),
    }
  },
})
