import { CairnError } from '../../kernel/model/errors.ts'
import type { HubProject, Principal, TokenScope } from '../../kernel/model/hub.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { isDigestOf } from '../../kernel/system/digest.ts'
import type { AuditTrail } from './audit-trail.ts'
import type { HubDirectory, TokenStanding } from './decide/hub-directory.ts'
import { isValid, judgeRequest, principalOf, type RequestRefusal } from './decide/judge-request.ts'
import { may } from './decide/permission.ts'
import { isProjectName } from './decide/project-name.ts'
import { parseToken } from './decide/token-text.ts'
import { auditText } from './hub-desk.ts'

export interface Knock {
  /** As the header has it. */
  readonly authorization: string | undefined
  /** undefined: the hub itself. */
  readonly project: string | undefined
  readonly scope: TokenScope
  /** Of the hub itself: the scope in one project is enough. */
  readonly isOfAnyProject?: boolean
  /** For the audit. */
  readonly action: string
}

export interface Entered {
  readonly principal: Principal
  readonly project: HubProject | undefined
}

/** What is under way for somebody for a while: a stream of events, a long answer. */
export interface Held {
  /** Aborted when the token may no longer do what it does. */
  readonly signal: AbortSignal
  release(): void
}

export interface Gate {
  /** Throws `token_missing`, `token_refused`, `project_not_found`, `scope_missing`, `too_many_requests`. */
  enter(knock: Knock): Promise<Entered>
  /** A request that is answered from here on, until what this gives is called. Throws `too_many_requests` where the token has too many. */
  begin(principal: Principal): () => void
  /** Throws `too_many_requests` where the token has too many under way on this server. */
  hold(principal: Principal, project: string | undefined, scope: TokenScope): Held
  close(): void
}

/** Takes one from the bucket of a token. 0: go on; otherwise so many seconds until there is one again. */
export type TakeTurn = (token: string, perSecond: number | undefined, nowMs: number) => number

/** Of one token, on one server: each costs memory for as long as it lasts, and no rate counts it. */
const MAX_HELD = 100
const MAX_UNDER_WAY = 128
/** Streams of all tokens on one server, half of its connections, and half of those for one project: short requests always find one. */
const MAX_HELD_BY_ALL = 2_000
const MAX_HELD_BY_PROJECT = 1_000

/** How often it is looked whether those who listen still may. */
const LOOK_EVERY_MS = 2_000

const NOBODY: TokenStanding = { token: undefined, project: undefined }

interface Holding {
  readonly token: string
  readonly project: string | undefined
  readonly scope: TokenScope
  readonly ending: AbortController
}

/**
 * Nothing is remembered between requests: each asks the database for its token, so that a revoked or lesser one counts at the next
 * request, on every server. Who stays longer than a request is looked at again every two seconds.
 */
export function openGate({
  directory,
  clock,
  trail,
  takeTurn,
  onFault,
}: {
  readonly directory: HubDirectory
  readonly clock: Clock
  readonly trail: AuditTrail
  readonly takeTurn: TakeTurn
  readonly onFault: (error: unknown) => void
}): Gate {
  const holdings = new Set<Holding>()
  const held = countedByToken()
  const underWay = countedByToken()
  let timer: NodeJS.Timeout | undefined

  const look = async () => {
    const kept = await directory.tokensById([...new Set([...holdings].map(({ token }) => token))])
    const projects = new Map((await directory.projects()).map(project => [project.name, project]))
    for (const holding of holdings) {
      const token = kept.get(holding.token)
      const isOpen =
        token !== undefined &&
        isValid(token, clock.nowMs()) &&
        (holding.project === undefined ||
          (projects.get(holding.project) !== undefined &&
            projects.get(holding.project)?.archivedMs === undefined &&
            may(principalOf(token), holding.scope, holding.project)))
      if (!isOpen) holding.ending.abort()
    }
  }
  const lookAgain = () => {
    if (timer !== undefined || holdings.size === 0) return
    timer = setTimeout(() => {
      look()
        .catch(onFault)
        .finally(() => {
          timer = undefined
          lookAgain()
        })
    }, LOOK_EVERY_MS)
    timer.unref()
  }

  return {
    async enter({ authorization, project, scope, isOfAnyProject = false, action }) {
      const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
      if (given === undefined) {
        trail.note({ action, outcome: 'token_missing' })
        throw tokenMissing()
      }
      const parts = parseToken(given)
      const nowMs = clock.nowMs()
      const isName = project !== undefined && isProjectName(project)
      // How a token is written is known to everybody: for what is none, no database is asked.
      const standing =
        parts === undefined ? NOBODY : await directory.standing(parts.id, isName ? project : undefined)
      const verdict = judgeRequest(standing, {
        isSecret: isDigestOf(parts?.secret ?? '', standing.token?.digest),
        project,
        scope,
        isOfAnyProject,
        nowMs,
      })
      // Also for who is refused: asking for what one may not costs as much.
      if (verdict.principal !== undefined) {
        const waitSeconds = takeTurn(verdict.principal.token, standing.token?.perSecond, nowMs)
        if (waitSeconds > 0) throw tooMany(waitSeconds)
      }
      if (verdict.kind === 'refused') {
        trail.note({
          ...(verdict.principal !== undefined && { principal: verdict.principal.name }),
          ...(standing.token !== undefined && { token: standing.token.id }),
          ...(standing.project !== undefined && { project: standing.project.name }),
          ...(standing.project === undefined && project !== undefined && { subject: auditText(project) }),
          action,
          outcome: verdict.code,
        })
        throw refusal(verdict.code, project, scope)
      }
      trail.noteUse(verdict.principal.token)
      return verdict
    },
    begin({ token }) {
      if (underWay.of(token) >= MAX_UNDER_WAY) throw tooManyAtOnce(`${MAX_UNDER_WAY} requests under way`)
      return underWay.add(token)
    },
    hold({ token }, project, scope) {
      if (held.of(token) >= MAX_HELD) throw tooManyAtOnce(`${MAX_HELD} streams open`)
      const ofProject = [...holdings].filter(each => each.project === project).length
      if (holdings.size >= MAX_HELD_BY_ALL || ofProject >= MAX_HELD_BY_PROJECT) throw tooManyStreams()
      const leave = held.add(token)
      const holding = { token, project, scope, ending: new AbortController() }
      holdings.add(holding)
      lookAgain()
      return {
        signal: holding.ending.signal,
        release() {
          holdings.delete(holding)
          leave()
        },
      }
    },
    close() {
      clearTimeout(timer)
      for (const { ending } of holdings) ending.abort()
      holdings.clear()
    },
  }
}

/** How many each token has. What `add` gives takes one away, once. */
function countedByToken() {
  const counts = new Map<string, number>()
  return {
    of: (token: string) => counts.get(token) ?? 0,
    add(token: string): () => void {
      counts.set(token, (counts.get(token) ?? 0) + 1)
      let isThere = true
      return () => {
        if (!isThere) return
        isThere = false
        const left = (counts.get(token) ?? 1) - 1
        if (left > 0) counts.set(token, left)
        else counts.delete(token)
      }
    },
  }
}

export function refusal(code: RequestRefusal, project: string | undefined, scope: TokenScope): CairnError {
  if (code === 'token_refused') return tokenRefused()
  if (code === 'project_not_found') return noSuchProject(project ?? '')
  return new CairnError({
    code,
    message: `This needs the scope \`${scope}\`${project === undefined ? ' for the whole hub' : ''}, and the token has less.`,
    hint: 'Ask whoever administers the hub for a token that may do this.',
    details: { needs: scope },
  })
}

export function tokenRefused(): CairnError {
  return new CairnError({
    code: 'token_refused',
    message: 'The token is not known here, has expired, or was revoked.',
    hint: 'Ask whoever administers the hub for another.',
  })
}

function tokenMissing(): CairnError {
  return new CairnError({
    code: 'token_missing',
    message: 'A hub answers nothing without a token.',
    hint: 'Send `Authorization: Bearer cairn_…`; whoever administers the hub gives you one.',
  })
}

/** The same for one that is not there, one that is archived, and one that the token may not read. */
export function noSuchProject(name: string): CairnError {
  return new CairnError({
    code: 'project_not_found',
    message: `There is no project "${name.slice(0, 100)}" that this token may read.`,
    hint: '`GET /api/hub/me` lists those that it may.',
  })
}

function tooMany(waitSeconds: number): CairnError {
  return new CairnError({
    code: 'too_many_requests',
    message: 'This token has asked too often.',
    hint: `Wait ${Math.max(1, Math.ceil(waitSeconds))} s, then ask more slowly.`,
    details: { retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)) },
  })
}

function tooManyStreams(): CairnError {
  return new CairnError({
    code: 'too_many_requests',
    message: 'Too many streams are open on this hub.',
    hint: 'Close some, or ask again later.',
    details: { retryAfterSeconds: 5 },
  })
}

function tooManyAtOnce(what: string): CairnError {
  return new CairnError({
    code: 'too_many_requests',
    message: `This token has ${what} already.`,
    hint: 'Wait for some of them, or give each agent a token of its own.',
    details: { retryAfterSeconds: 5 },
  })
}
