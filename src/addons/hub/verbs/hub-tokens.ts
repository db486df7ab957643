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
    'In these projects, each with a scope of its own where it has one: shop, bank:write; * is every one, which is what is meant where none is named with --scope admin',
  ),
)
const scope = v.optional(
  v.pipe(
    v.picklist(SCOPES, `one of ${SCOPES.join(', ')}`),
    v.description('read, write (and read) or admin (and all of it); read unless told'),
  ),
)
const made = v.object({
  token: v.pipe(
    v.string(),
    v.description('The whole token. It is told here and never again: only its hash is kept'),
  ),
  listed: hubTokenSchema,
})

export const hubInitOperation = defineHubOperation({
  name: 'hub init',
  group: 'Hub',
  agent: 'free',
  summary: 'Make the tables of a hub and its first administrator, and show that token once',
  description:
    'The first `cairn up --store` does the same. Where there are tokens already nothing is made, and `token` is null.',
  positionals: [],
  input: v.object({}),
  output: v.object({ token: v.nullable(v.string()), listed: v.nullable(hubTokenSchema) }),
  examples: [{ command: 'cairn hub init', does: 'keep what it prints: it is shown once' }],
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
  summary: 'List the tokens of a hub: whose, for what, until when, last used when',
  positionals: [],
  input: v.object({}),
  output: v.object({ tokens: v.array(hubTokenSchema) }),
  examples: [{ command: 'cairn hub tokens', does: 'secrets are not kept, so none is shown' }],
  async runOn(desk) {
    return { tokens: (await desk.tokens()).map(tokenView) }
  },
})

export const hubTokenAddOperation = defineHubOperation({
  name: 'hub token add',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'POST /api/hub/tokens', scope: 'admin', isOfAnyProject: true },
  summary: 'Make a token for a user or an agent, and show it once',
  positionals: ['name'],
  input: v.object({
    name,
    project,
    scope,
    kind: v.optional(
      v.pipe(
        v.picklist(PRINCIPAL_KINDS, `one of ${PRINCIPAL_KINDS.join(', ')}`),
        v.description(
          'Whether it is a person or an agent, who confirms nothing; agent unless told. Of a name that is known it stays as it was',
        ),
      ),
    ),
    expires: v.optional(hubText('How long it is good for: 12h, 90d, 4w; for ever unless told')),
    rate: v.optional(
      v.pipe(
        v.number('a number'),
        v.minValue(0.1, 'at least 0.1'),
        v.maxValue(10_000, 'at most 10000'),
        v.description('So many requests a second, of each server'),
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
  summary: 'Say anew what a token may do, and where; it holds at its next request',
  positionals: ['id'],
  input: v.object({ id, project, scope }),
  output: v.object({ listed: hubTokenSchema }),
  examples: [
    {
      command: 'cairn hub token set 5f0c… --project payments-api --scope read',
      does: 'it may only read from now on',
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
  summary: 'Take a token back: its next request is refused, and what it listens to ends',
  positionals: ['id'],
  input: v.object({ id }),
  output: v.object({ listed: hubTokenSchema }),
  examples: [
    { command: 'cairn hub token revoke 5f0c…', does: 'for good: make another where it was a mistake' },
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
  examples: [{ command: 'cairn hub principals', does: 'who has tokens, and who is disabled' }],
  async runOn(desk) {
    return { principals: (await desk.principals()).map(principalView) }
  },
})

export const hubDisableOperation = defineHubOperation({
  name: 'hub disable',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'POST /api/hub/principals/:name/disable', scope: 'admin' },
  summary: 'Refuse every token of a user or agent, until it is enabled again',
  positionals: ['name'],
  input: v.object({ name }),
  output: v.object({ principal: principalSchema }),
  examples: [{ command: 'cairn hub disable ci-bot', does: 'all its tokens at once' }],
  async runOn(desk, input) {
    return { principal: principalView(await desk.disablePrincipal(input.name)) }
  },
})

export const hubEnableOperation = defineHubOperation({
  name: 'hub enable',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'POST /api/hub/principals/:name/enable', scope: 'admin' },
  summary: 'Take the tokens of a user or agent again that was disabled',
  positionals: ['name'],
  input: v.object({ name }),
  output: v.object({ principal: principalSchema }),
  examples: [{ command: 'cairn hub enable ci-bot', does: 'those that are not revoked or expired' }],
  async runOn(desk, input) {
    return { principal: principalView(await desk.enablePrincipal(input.name)) }
  },
})

/** A scope for the whole hub is never a slip: it is named, but for an administrator, who has it by what the word means. */
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

/** `bank:write`, or `bank` with the scope of the whole: the name of a project has no colon. */
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
    message: `"${text.slice(0, 100)}" names no scope after its colon.`,
    hint: `A project and its scope are written project:scope, with one of ${SCOPES.join(', ')}.`,
  })
}

function namedTwice(name: string) {
  return new CairnError({
    code: 'invalid_input',
    message: `The project "${name.slice(0, 100)}" is named twice.`,
    hint: 'Name each once, with the scope that is meant.',
  })
}

function projectNeeded() {
  return new CairnError({
    code: 'invalid_input',
    message: 'A token is for a project.',
    hint: "Name it with --project, several with commas; --project '*' is every one, those that come too.",
  })
}
