import type * as v from 'valibot'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import type { hubProjectSchema, hubTokenSchema, principalSchema } from './verbs/hub-operation.ts'

type ProjectView = v.InferOutput<typeof hubProjectSchema>
type TokenView = v.InferOutput<typeof hubTokenSchema>
type PrincipalView = v.InferOutput<typeof principalSchema>
export const HUB_PRESENTERS = {
  'hub init': presentInit,
  'hub projects': presentProjects,
  'hub add-project': presentProject('Added'),
  'hub rename': presentProject('Renamed'),
  'hub archive': presentProject('Archived', '`cairn hub restore` brings it back.'),
  'hub restore': presentProject('Restored'),
  'hub remove': ({ removed, entries }, terminal) =>
    terminal.out(
      `Removed for good: ${visibleName(removed)}, with ${entries} ${entries === 1 ? 'entry' : 'entries'}\n`,
    ),
  'hub principals': presentPrincipals,
  'hub disable': presentPrincipal(
    'Disabled',
    'All of its tokens are refused. `cairn hub enable` accepts them again.',
  ),
  'hub enable': presentPrincipal('Enabled'),
  'hub tokens': presentTokens,
  'hub token add': presentMade,
  'hub token set': presentToken('Changed'),
  'hub token revoke': presentToken('Revoked'),
  'hub audit': presentAudit,
} satisfies Partial<Presenters>

const moment = (at: string) => at.slice(0, 16).replace('T', ' ')

function presentInit({ token, listed }: AnswerOf<'hub init'>, terminal: Terminal): void {
  if (token === null || listed === null)
    terminal.out('The hub is already set up and has tokens. `cairn hub tokens` lists them.\n')
  else presentMade({ token, listed }, terminal)
}

function presentProjects({ projects }: AnswerOf<'hub projects'>, terminal: Terminal): void {
  if (projects.length === 0) terminal.out('No projects yet. `cairn hub add-project <name>` adds one.\n')
  for (const project of projects) terminal.out(projectLine(project, terminal))
}

function presentProject(done: string, next?: string) {
  return ({ project }: { project: ProjectView }, terminal: Terminal): void => {
    terminal.out(`${done}: ${projectLine(project, terminal)}`)
    if (next !== undefined) terminal.out(terminal.dim(`${next}\n`))
  }
}

function projectLine({ name, createdAt, archivedAt }: ProjectView, terminal: Terminal): string {
  const state = archivedAt === null ? '' : terminal.bad(`  archived ${moment(archivedAt)} UTC`)
  return `${terminal.accent(visibleName(name))}  ${terminal.dim(`since ${moment(createdAt)} UTC`)}${state}\n`
}

function presentPrincipals({ principals }: AnswerOf<'hub principals'>, terminal: Terminal): void {
  if (principals.length === 0)
    terminal.out('No users or agents yet. `cairn hub token add <name>` creates the first token.\n')
  for (const principal of principals) terminal.out(principalLine(principal, terminal))
}

function presentPrincipal(done: string, next?: string) {
  return ({ principal }: { principal: PrincipalView }, terminal: Terminal): void => {
    terminal.out(`${done}: ${principalLine(principal, terminal)}`)
    if (next !== undefined) terminal.out(terminal.dim(`${next}\n`))
  }
}

function principalLine({ name, kind, disabledAt }: PrincipalView, terminal: Terminal): string {
  const state = disabledAt === null ? '' : terminal.bad(`  disabled ${moment(disabledAt)} UTC`)
  return `${terminal.accent(visibleName(name))}  ${terminal.dim(kind)}${state}\n`
}

function presentMade({ token, listed }: AnswerOf<'hub token add'>, terminal: Terminal): void {
  terminal.out(tokenLines(listed, terminal))
  terminal.out(`\n  ${terminal.bold(visible(token))}\n\n`)
  terminal.out(terminal.dim('Save it now, it is shown only once: the hub stores only its hash.\n'))
}

function presentTokens({ tokens }: AnswerOf<'hub tokens'>, terminal: Terminal): void {
  if (tokens.length === 0) terminal.out('No tokens yet. `cairn hub init` creates the first.\n')
  for (const token of tokens) terminal.out(tokenLines(token, terminal))
}

function presentToken(done: string) {
  return ({ listed }: { listed: TokenView }, terminal: Terminal): void => {
    terminal.out(`${done}: ${tokenLines(listed, terminal)}`)
  }
}

function tokenLines(token: TokenView, terminal: Terminal): string {
  const grants = token.grants.map(({ project, scope }) => `${project}:${scope}`).join(', ')
  const facts = [
    token.revokedAt === null ? undefined : terminal.bad(`revoked ${moment(token.revokedAt)}`),
    token.expiresAt === null ? 'does not expire' : `until ${moment(token.expiresAt)}`,
    token.lastUsedAt === null ? 'never used' : `last used ${moment(token.lastUsedAt)}`,
    token.requestsPerSecond === null ? undefined : `${token.requestsPerSecond} requests/s`,
  ].filter(fact => fact !== undefined)
  return [
    `${terminal.accent(token.id)}  ${visibleName(token.principal)} ${terminal.dim(`(${token.kind})`)}  ${visibleName(grants)}`,
    `      ${terminal.dim(facts.join(' · '))}`,
    '',
  ].join('\n')
}

function presentAudit({ records }: AnswerOf<'hub audit'>, terminal: Terminal): void {
  if (records.length === 0) terminal.out('Nothing on record.\n')
  for (const { at, principal, project, action, subject, outcome } of records) {
    const who = principal ?? 'nobody known'
    const what = [action, project, subject].filter(word => word !== null).join('  ')
    const end = outcome === 'done' ? terminal.good(outcome) : terminal.bad(visibleName(outcome))
    terminal.out(
      `${terminal.dim(at.slice(0, 19).replace('T', ' '))}  ${terminal.accent(visibleName(who))}  ${visibleName(what)}  ${end}\n`,
    )
  }
}
