import { CairnError } from '../../kernel/model/errors.ts'
import type { HubProject, Principal, TokenScope } from '../../kernel/model/hub.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { isDigestOf } from '../../kernel/system/digest.ts'
import type { AuditTrail } from './audit-trail.ts'
import { auditText } from './audit-trail.ts'
import type { HubDirectory, TokenStanding } from './decide/hub-directory.ts'
import { isValid, judgeRequest, may, principalOf, type RequestRefusal } from './decide/judge-request.ts'
import { parseToken } from './decide/own-tokens.ts'
import { isProjectName } from './decide/project-name.ts'

interface Knock {
  /** As in the header. */
  readonly authorization: string | undefined
  /** undefined: the hub itself. */
  readonly project: string | undefined
  readonly scope: TokenScope
  /** For routes of the hub itself: the scope in one project is enough. */
  readonly isOfAnyProject?: boolean
  /** For the audit. */
  readonly action: string
}

interface Entered {
  readonly principal: Principal
  readonly project: HubProject | undefined
}

/** A slot for something long: a stream of events, a long answer. */
export interface Held {
  /** Aborted when the token loses the permission. */
  readonly signal: AbortSignal
  release(): void
}

export interface Gate {
  /** Throws `token_missing`, `token_refused`, `project_not_found`, `scope_missing`, `too_many_requests`. */
  enter(knock: Knock): Promise<Entered>
  /** Counts a running request until the returned function is called. Throws `too_many_requests` above the limit of the token. */
  begin(principal: Principal): () => void
  /** Throws `too_many_requests` if the token has too many on this server. */
  hold(principal: Principal, project: string | undefined, scope: TokenScope): Held
  close(): void
}

/** Takes a request from the bucket of a token. 0: allowed; otherwise the seconds until the next one. */
export type TakeTurn = (token: string, perSecond: number | undefined, nowMs: number) => number

/** Limit for a token on one server: each stream costs memory while it is open, and no rate limits that. */
const MAX_HELD = 100
const MAX_UNDER_WAY = 128
/** Streams of all tokens on one server: half of its connections, and half of those for one project, so that short requests always find one. */
const MAX_HELD_BY_ALL = 2_000
const MAX_HELD_BY_PROJECT = 1_000

/** How often the permissions of open streams are checked. */
const LOOK_EVERY_MS = 2_000

const NOBODY: TokenStanding = { token: undefined, project: undefined }

interface Holding {
  readonly token: string
  readonly project: string | undefined
  readonly scope: TokenScope
  readonly ending: AbortController
}

/**
 * Nothing is cached between requests: each queries its token, so that a revocation or a reduced grant takes effect at the next request, on
 * every server. Open streams are checked every two seconds.
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
      // The format of a token is public: a malformed one needs no query.
      const standing =
        parts === undefined ? NOBODY : await directory.standing(parts.id, isName ? project : undefined)
      const verdict = judgeRequest(standing, {
        isSecret: isDigestOf(parts?.secret ?? '', standing.token?.digest),
        project,
        scope,
        isOfAnyProject,
        nowMs,
      })
      // Refused requests count too: a forbidden request costs as much.
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

/** The number for each token. The function that `add` returns decrements it once. */
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
    message: `The token lacks the scope \`${scope}\`${project === undefined ? ' for the whole hub' : ''}.`,
    hint: 'Ask an administrator of the hub for a token with this scope.',
    details: { needs: scope },
  })
}

function tokenRefused(): CairnError {
  return new CairnError({
    code: 'token_refused',
    message: 'The token is unknown, expired or revoked.',
    hint: 'Ask an administrator of the hub for a new one.',
  })
}

function tokenMissing(): CairnError {
  return new CairnError({
    code: 'token_missing',
    message: 'The hub requires a token.',
    hint: 'Send `Authorization: Bearer cairn_…`. An administrator of the hub can create a token.',
  })
}

/** The same error for a project that does not exist, is archived, or may not be read. */
function noSuchProject(name: string): CairnError {
  return new CairnError({
    code: 'project_not_found',
    message: `There is no project "${name.slice(0, 100)}" that this token may read.`,
    hint: '`GET /api/hub/me` lists the projects it may read.',
  })
}

function tooMany(waitSeconds: number): CairnError {
  return new CairnError({
    code: 'too_many_requests',
    message: 'Rate limit exceeded.',
    hint: `Wait ${Math.max(1, Math.ceil(waitSeconds))} s, then send fewer requests.`,
    details: { retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)) },
  })
}

function tooManyStreams(): CairnError {
  return new CairnError({
    code: 'too_many_requests',
    message: 'Too many streams are open on this hub.',
    hint: 'Close some, or try again later.',
    details: { retryAfterSeconds: 5 },
  })
}

function tooManyAtOnce(what: string): CairnError {
  return new CairnError({
    code: 'too_many_requests',
    message: `This token has ${what} already.`,
    hint: 'Wait until some end, or give each agent its own token.',
    details: { retryAfterSeconds: 5 },
  })
}
