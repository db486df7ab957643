import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Grant } from '../../../kernel/model/hub.ts'
import { EVERY_PROJECT, PRINCIPAL_KINDS, SCOPES } from '../../../kernel/model/hub.ts'
import { list } from '../../../verbs/operation.ts'
import { parseDuration } from '../decide/audit-time.ts'
import { defineHubOperation, hubText, hubTokenSchema, principalSchema } from './hub-operation.ts'
import { principalView, tokenView } from './hub-views.ts'

const name = hubText('The name of the user or agent')
const id = hubText('The id of the token, as `cairn hub tokens` shows it')
const project = v.optional(
  list(
    'Projects, each with an optional scope: shop, bank:write; * is every project (the default with --scope admin)',
  ),
)
const scope = v.optional(
  v.pipe(
    v.picklist(SCOPES, `one of ${SCOPES.join(', ')}`),
    v.description('read, write (includes read) or admin (includes both); default read'),
  ),
)
const made = v.object({
  token: v.pipe(
    v.string(),
    v.description('The whole token. It is shown only once: the hub stores only its hash'),
  ),
  listed: hubTokenSchema,
})

export const hubInitOperation = defineHubOperation({
  name: 'hub init',
  group: 'Hub',
  agent: 'free',
  summary: 'Create the tables of a hub and its first administrator, and show that token once',
  description:
    'The first `cairn up --store` does the same. If tokens exist, nothing is created and `token` is null.',
  positionals: [],
  input: v.object({}),
  output: v.object({ token: v.nullable(v.string()), listed: v.nullable(hubTokenSchema) }),
  examples: [{ command: 'cairn hub init', does: 'save the token: it is shown once' }],
  async runOn(desk) {
    const first = await desk.addFirstToken()
    return { token: first?.token ?? null, listed: first === undefined ? null : tokenView(first.listed) }
  },
})

export const hubTokensOperation = defineHubOperation({
  name: 'hub tokens',
  group: 'Hub',
  agent: 'reads',
  hubRoute: { at: 'GET /api/hub/tokens', scope: 'admin', isOfAnyProject: true },
  summary: 'List the tokens of a hub: owner, grants, expiry, last use',
  positionals: [],
  input: v.object({}),
  output: v.object({ tokens: v.array(hubTokenSchema) }),
  examples: [{ command: 'cairn hub tokens', does: 'secrets are not stored, so none is shown' }],
  async runOn(desk) {
    return { tokens: (await desk.tokens()).map(tokenView) }
  },
})

export const hubTokenAddOperation = defineHubOperation({
  name: 'hub token add',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'POST /api/hub/tokens', scope: 'admin', isOfAnyProject: true },
  summary: 'Create a token for a user or an agent, and show it once',
  positionals: ['name'],
  input: v.object({
    name,
    project,
    scope,
    kind: v.optional(
      v.pipe(
        v.picklist(PRINCIPAL_KINDS, `one of ${PRINCIPAL_KINDS.join(', ')}`),
        v.description(
          'user (a person) or agent (cannot confirm entries); default agent. An existing name keeps its kind',
        ),
      ),
    ),
    expires: v.optional(hubText('Lifetime: 12h, 90d, 4w; default: no expiry')),
    rate: v.optional(
      v.pipe(
        v.number('a number'),
        v.minValue(0.1, 'at least 0.1'),
        v.maxValue(10_000, 'at most 10000'),
        v.description('Maximum requests per second on each server'),
      ),
    ),
  }),
  output: made,
  examples: [
    {
      command: 'cairn hub token add ci-bot --project payments-api --scope write --expires 90d',
      does: 'an agent that may read and write one project',
    },
    {
      command: 'cairn hub token add ana --kind user --project shop:write,bank:read',
      does: 'a scope of its own in each project',
    },
    {
      command: "cairn hub token add ana --kind user --project '*' --scope admin",
      does: 'a second administrator',
    },
  ],
  async runOn(desk, input) {
    const grants = grantsOf(input)
    const { token, listed } = await desk.addToken({
      name: input.name,
      kind: input.kind ?? 'agent',
      grants,
      ...(input.expires !== undefined && { validMs: parseDuration(input.expires) }),
      ...(input.rate !== undefined && { perSecond: input.rate }),
    })
    return { token, listed: tokenView(listed) }
  },
})

export const hubTokenSetOperation = defineHubOperation({
  name: 'hub token set',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'PATCH /api/hub/tokens/:id', scope: 'admin', isOfAnyProject: true },
  summary: 'Replace the grants of a token; takes effect at its next request',
  positionals: ['id'],
  input: v.object({ id, project, scope }),
  output: v.object({ listed: hubTokenSchema }),
  examples: [
    {
      command: 'cairn hub token set 5f0c… --project payments-api --scope read',
      does: 'it may only read now',
    },
  ],
  async runOn(desk, input) {
    return { listed: tokenView(await desk.setGrants(input.id, grantsOf(input))) }
  },
})

export const hubTokenRevokeOperation = defineHubOperation({
  name: 'hub token revoke',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'POST /api/hub/tokens/:id/revoke', scope: 'admin', isOfAnyProject: true },
  summary: 'Revoke a token: its next request is refused, and its open streams end',
  positionals: ['id'],
  input: v.object({ id }),
  output: v.object({ listed: hubTokenSchema }),
  examples: [
    { command: 'cairn hub token revoke 5f0c…', does: 'permanent: create a new one if it was a mistake' },
  ],
  async runOn(desk, input) {
    return { listed: tokenView(await desk.revokeToken(input.id)) }
  },
})

export const hubPrincipalsOperation = defineHubOperation({
  name: 'hub principals',
  group: 'Hub',
  agent: 'reads',
  hubRoute: { at: 'GET /api/hub/principals', scope: 'admin' },
  summary: 'List the users and agents of a hub',
  positionals: [],
  input: v.object({}),
  output: v.object({ principals: v.array(principalSchema) }),
  examples: [{ command: 'cairn hub principals', does: 'names, and which are disabled' }],
  async runOn(desk) {
    return { principals: (await desk.principals()).map(principalView) }
  },
})

export const hubDisableOperation = defineHubOperation({
  name: 'hub disable',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'POST /api/hub/principals/:name/disable', scope: 'admin' },
  summary: 'Disable a user or an agent: refuse all of its tokens until it is enabled again',
  positionals: ['name'],
  input: v.object({ name }),
  output: v.object({ principal: principalSchema }),
  examples: [{ command: 'cairn hub disable ci-bot', does: 'all of its tokens' }],
  async runOn(desk, input) {
    return { principal: principalView(await desk.disablePrincipal(input.name)) }
  },
})

export const hubEnableOperation = defineHubOperation({
  name: 'hub enable',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'POST /api/hub/principals/:name/enable', scope: 'admin' },
  summary: 'Enable a disabled user or agent: accept its tokens again',
  positionals: ['name'],
  input: v.object({ name }),
  output: v.object({ principal: principalSchema }),
  examples: [{ command: 'cairn hub enable ci-bot', does: 'those that are not revoked or expired' }],
  async runOn(desk, input) {
    return { principal: principalView(await desk.enablePrincipal(input.name)) }
  },
})

/** A scope for the whole hub must be explicit, except for an administrator. */
function grantsOf(input: {
  readonly project?: readonly string[] | undefined
  readonly scope?: Grant['scope'] | undefined
}): readonly Grant[] {
  const held = input.scope ?? 'read'
  const named = input.project ?? []
  if (named.length === 0 && held !== 'admin') throw projectNeeded()
  if (named.length === 0) return [{ project: EVERY_PROJECT, scope: held }]
  const grants = named.map(each => grantOf(each, held))
  const twice = grants.find(({ project: each }, at) => grants.findIndex(one => one.project === each) !== at)
  if (twice !== undefined) throw namedTwice(twice.project)
  return grants
}

/** `bank:write`, or `bank` with the scope of the option: a project name has no colon. */
function grantOf(text: string, otherwise: Grant['scope']): Grant {
  const at = text.lastIndexOf(':')
  if (at < 0) return { project: text, scope: otherwise }
  const named = SCOPES.find(each => each === text.slice(at + 1))
  if (named === undefined) throw unknownScope(text)
  return { project: text.slice(0, at), scope: named }
}

function unknownScope(text: string) {
  return new CairnError({
    code: 'invalid_input',
    message: `"${text.slice(0, 100)}" has no valid scope after the colon.`,
    hint: `Write project:scope, with one of ${SCOPES.join(', ')}.`,
  })
}

function namedTwice(name: string) {
  return new CairnError({
    code: 'invalid_input',
    message: `The project "${name.slice(0, 100)}" is named twice.`,
    hint: 'Name each project once, with its scope.',
  })
}

function projectNeeded() {
  return new CairnError({
    code: 'invalid_input',
    message: 'The token needs a project.',
    hint: "Name projects with --project, separated by commas; --project '*' is every project, including future ones.",
  })
}
