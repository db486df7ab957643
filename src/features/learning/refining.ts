import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Message } from '../../kernel/model/message.ts'
import {
  costMicroUsd,
  MICRO_USD_A_CENT,
  type ModelTerms,
  overheadTokens,
} from '../../kernel/model/model-settings.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Degradation } from '../../kernel/model/search.ts'
import type { Finding } from '../../kernel/model/session.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { closeSession, conversationsOf } from './closing.ts'
import type { ClosingPorts, DistillerAnswer, ModelPorts } from './decide/ports.ts'
import type { Refusal } from './decide/read-refinement.ts'
import type { DaySpend, Usage } from './decide/spend-log.ts'
import type { FoundByAgent } from './evidence.ts'
import { findAll, type LearningResult, learn } from './learn.ts'

interface Refinement {
  readonly findings: readonly Finding[]
  /** Absent when no model was asked. */
  readonly model?: ModelCall
  /** Absent when the findings did not change. */
  readonly changes?: {
    /** Fingerprints of the old and the new text. */
    readonly rewritten: readonly { readonly from: string; readonly to: string }[]
    readonly added: number
    readonly dropped: readonly { readonly finding: Finding; readonly reason: string }[]
    readonly refused: readonly Refusal[]
  }
  readonly degraded: readonly Degradation[]
}

export interface ModelCall {
  readonly name: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicroUsd: number
}

/** The longest request, in tokens of `estimateTokens`. */
const MAX_REQUEST_TOKENS = 8_000
const MIN_REQUEST_TOKENS = 800
/**
 * An unknown tokenizer produces at most this many times our estimate, and the frame of a message takes a few tokens: a reservation is
 * never less than the actual use.
 */
const TOKEN_MARGIN = 2
const FRAME_TOKENS = 200
const MAX_FAILURE_LENGTH = 300

/** Never throws for a failure of the model: `degraded` reports it. */
export async function refineFindings(
  memory: Memory & ModelPorts,
  { messages, findings }: { readonly messages: readonly Message[]; readonly findings: readonly Finding[] },
): Promise<Refinement> {
  const standing = await memory.model.standing()
  if (standing.kind === 'off') return { findings, degraded: [] }
  const { planRefinement } = await import('./decide/plan-refinement.ts')
  const { readRefinement } = await import('./decide/read-refinement.ts')
  const { redactionOptions } = await import('../../kernel/text/redaction/redaction-options.ts')
  try {
    const config = await memory.config()
    const redaction = redactionOptions(config)
    const asked = await askModel(memory, async budgetTokens => {
      if (budgetTokens < MIN_REQUEST_TOKENS) throw capReached('tokens', standing.terms)
      const request = planRefinement({ messages, findings, budgetTokens, redaction })
      if (request === undefined) return undefined
      const isNetOn = config['redaction.secondNet']
      return isNetOn ? { ...request, content: (await memory.secondNet(request.content)).text } : request
    })
    if (asked === undefined) return { findings, degraded: [] }
    const { model, answer } = asked
    const refined = answer.isCut
      ? ({ kind: 'unreadable', reason: 'it was cut off at `model.maxOutputTokens`' } as const)
      : readRefinement(answer.text, { messages, findings, redaction })
    if (refined.kind === 'unreadable')
      return {
        findings,
        model,
        degraded: [
          untouched('model_failed', `The answer of ${model.name} cannot be used: ${refined.reason}.`),
        ],
      }
    const { kind: _, findings: some, ...changes } = refined
    const safe = await withoutSecrets(memory, some, findings)
    const safePrint = new Map(some.map((finding, i) => [finding.fingerprint, safe[i]?.fingerprint ?? '']))
    const rewritten = changes.rewritten.map(({ from, to }) => ({ from, to: safePrint.get(to) ?? to }))
    return { findings: safe, model, changes: { ...changes, rewritten }, degraded: [] }
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    return { findings, degraded: [untouched(error.code, error.message)] }
  }
}

/** The text of a model passes the second secret filter, like every entry. The findings of the rules passed it before. */
async function withoutSecrets(
  memory: Memory,
  refined: readonly Finding[],
  known: readonly Finding[],
): Promise<Finding[]> {
  if (!(await memory.config())['redaction.secondNet']) return [...refined]
  const knownTexts = new Set(known.map(({ text }) => text))
  const safe: Finding[] = []
  for (const finding of refined) {
    const net = knownTexts.has(finding.text) ? undefined : await memory.secondNet(finding.text)
    if (net === undefined || net.redacted.length === 0) safe.push(finding)
    else safe.push({ ...finding, text: net.text, fingerprint: fingerprint(net.text) })
  }
  return safe
}

interface ModelAnswer {
  readonly model: ModelCall
  readonly answer: DistillerAnswer
}

/**
 * Sends one request to the configured model, within the caps. `request` receives the token budget; if it returns undefined, nothing is
 * sent. Throws `model_off`, `not_confirmed`, `model_cap_reached`, `model_unavailable`, `model_failed`.
 */
export async function askModel(
  memory: Memory & ModelPorts,
  request: (
    budgetTokens: number,
  ) => Promise<
    { readonly instruction: string; readonly content: string; readonly inputTokens: number } | undefined
  >,
): Promise<ModelAnswer | undefined> {
  const distiller = await memory.model.distiller()
  const standing = await memory.model.standing()
  if (standing.kind !== 'allowed') return undefined
  const { terms } = standing
  await checkCounted(memory)
  const at = utcMinute(memory.clock.nowMs())
  const day = at.slice(0, 10)
  const planned = await request(budgetFor(terms, await memory.spend.spentOn(day)))
  if (planned === undefined) return undefined
  const reserved = mostFor(planned.inputTokens, terms)
  const reservation = await memory.spend.reserve({
    day,
    at,
    model: distiller.name,
    ...reserved,
    capTokens: terms.dailyTokens,
    capMicroUsd: terms.dailyCents * MICRO_USD_A_CENT,
  })
  if (reservation.kind === 'refused') throw capReached(reservation.by, terms)
  try {
    const answer = await distiller.ask({ ...planned, maxOutputTokens: terms.maxOutputTokens })
    const used = usageOf(answer, reserved, terms)
    await memory.spend.settle(reservation.id, used)
    const { microUsd, ...tokens } = used
    return { answer, model: { name: distiller.name, ...tokens, costMicroUsd: microUsd } }
  } catch (error) {
    if (!(error instanceof CairnError) || !isModelTrouble(error)) throw error
    const { redact } = await import('../../kernel/text/redaction/redact.ts')
    await memory.spend.fail(reservation.id, {
      spent: error.details?.spent === 'nothing' ? 'nothing' : 'unknown',
      // A server may repeat the request in its error message.
      message: redact(error.message).text.slice(0, MAX_FAILURE_LENGTH),
    })
    throw error
  }
}

function isModelTrouble(error: CairnError): boolean {
  return error.code === 'model_failed' || error.code === 'model_unavailable'
}

/** Missing numbers count as reserved; a reported cost takes precedence over a computed one. */
function usageOf(answer: DistillerAnswer, reserved: Usage, terms: ModelTerms): Usage {
  const inputTokens = answer.inputTokens ?? reserved.inputTokens
  const outputTokens = answer.outputTokens ?? reserved.outputTokens
  const microUsd = answer.costMicroUsd ?? costMicroUsd({ inputTokens, outputTokens }, terms)
  return { inputTokens, outputTokens, microUsd }
}

/** A cap needs an index that all processes share. */
async function checkCounted(memory: Memory): Promise<void> {
  const { index, readOnly } = await memory.store.health()
  if (index.mode === 'disk' && readOnly === undefined) return
  throw new CairnError({
    code: 'vault_read_only',
    message: 'Model costs cannot be counted here, so no model is called.',
    hint: 'Make sure that the memory folder exists and is writable.',
  })
}

/** The token budget of a request, so that any answer stays within the daily cap. */
function budgetFor(terms: ModelTerms, spent: DaySpend): number {
  const left = terms.dailyTokens - spent.inputTokens - spent.outputTokens - terms.maxOutputTokens
  const budget = Math.floor((left - FRAME_TOKENS - overheadTokens(terms)) / TOKEN_MARGIN)
  return Math.min(MAX_REQUEST_TOKENS, budget)
}

/** The most that a request of so many tokens can use. */
function mostFor(inputTokens: number, terms: ModelTerms): Usage {
  const most = {
    inputTokens: TOKEN_MARGIN * inputTokens + FRAME_TOKENS + overheadTokens(terms),
    outputTokens: terms.maxOutputTokens,
  }
  return { ...most, microUsd: costMicroUsd(most, terms) }
}

/** Whether the daily cap leaves no room for even the smallest request. */
export function isCapReached(terms: ModelTerms, spent: DaySpend): boolean {
  const capMicroUsd = terms.dailyCents * MICRO_USD_A_CENT
  const least = mostFor(MIN_REQUEST_TOKENS, terms).microUsd
  const isOverMoney = spent.microUsd + least > capMicroUsd || spent.microUsd >= capMicroUsd
  return budgetFor(terms, spent) < MIN_REQUEST_TOKENS || (isOverMoney && (least > 0 || spent.microUsd > 0))
}

function capReached(by: 'tokens' | 'money', terms: ModelTerms): CairnError {
  const cap = by === 'tokens' ? `${terms.dailyTokens} tokens` : `${terms.dailyCents} US cents`
  return new CairnError({
    code: 'model_cap_reached',
    message: `One more request could exceed the model cap of today, which is ${cap}.`,
    hint: `The cap resets at midnight UTC; \`cairn config set model.${by === 'tokens' ? 'dailyTokens' : 'dailyCents'} …\` raises it.`,
  })
}

function untouched(code: NoticeCode, message: string): Degradation {
  return { code, message: `${message} The findings of the rules were stored unchanged.` }
}

/** Sessions that were closed earlier are not refined. */
const RECENT_MS = 7 * 86_400_000
const SESSIONS_LOOKED_AT = 50

export interface RefinedSession {
  readonly session: string
  /** false: refined before, or the model could not be reached, which `degraded` reports. */
  readonly isRefined: boolean
  readonly calls: readonly ModelCall[]
  readonly learnt?: LearningResult
  readonly degraded: readonly Degradation[]
}

/**
 * Refines a closed session with the configured model. The findings of the rules stay until an answer arrives.
 * Throws `session_not_found`.
 */
export async function refineSession(
  memory: Memory & ClosingPorts & ModelPorts,
  session: string,
): Promise<RefinedSession> {
  await closeSession(memory, session)
  const known = await memory.sessions.findMemory(session)
  const calls: ModelCall[] = []
  if (known?.refinedBy !== undefined) return { session, isRefined: false, calls, degraded: [] }
  const conversations = await conversationsOf(memory, session)
  const { found } = await findAll(memory, conversations)
  // Requests of a person keep their words: the model only sees suggestions.
  const isSuggested = ({ finding }: FoundByAgent) => finding.wanted !== true
  const refined: FoundByAgent[] = found.filter(each => !isSuggested(each))
  const dropped = new Set<string>()
  const rewrittenFrom = new Map<string, string>()
  const notes: Degradation[] = []
  for (const { head, messages, trimmed } of conversations) {
    const own = found
      .filter(each => each.agent === head.agent && isSuggested(each))
      .map(({ finding }) => ({ ...finding, message: finding.message - trimmed }))
    const { findings, model, changes, degraded } = await refineFindings(memory, { messages, findings: own })
    if (model !== undefined) calls.push(model)
    notes.push(...degraded)
    for (const { finding } of changes?.dropped ?? []) dropped.add(finding.fingerprint)
    for (const { from, to } of changes?.rewritten ?? []) rewrittenFrom.set(to, from)
    refined.push(
      ...findings.map(finding => ({
        agent: head.agent,
        finding: { ...finding, message: finding.message + trimmed },
      })),
    )
  }
  // The model was not called, so it can be called later.
  if (calls.length === 0 && notes.length > 0) return { session, isRefined: false, calls, degraded: notes }
  const learnt = await learn(memory, {
    session,
    conversations,
    found: refined,
    known,
    isTrial: false,
    // Also for an unusable answer, so that it is not paid for twice.
    refinement: { by: calls[0]?.name ?? NOTHING_TO_ASK, dropped, rewrittenFrom },
  })
  return {
    session,
    isRefined: calls.length > 0 && notes.length === 0,
    calls,
    learnt,
    degraded: [...notes, ...memory.store.takeDegraded()],
  }
}

/** Stored as the model of a session that has no messages to refine. */
const NOTHING_TO_ASK = 'none'

/** Refines each recently closed session until one fails. */
export async function refineRecent(
  memory: Memory & ClosingPorts & ModelPorts,
): Promise<readonly RefinedSession[]> {
  if ((await memory.model.standing()).kind !== 'allowed') return []
  const { sessions } = await memory.sessions.list({ limit: SESSIONS_LOOKED_AT })
  const refined: RefinedSession[] = []
  for (const { session, state } of sessions) {
    if (state !== 'closed') continue
    const known = await memory.sessions.findMemory(session)
    if (known === undefined || known.refinedBy !== undefined) continue
    if (memory.clock.nowMs() - known.finalizedAt > RECENT_MS) continue
    const one = await refineSession(memory, session)
    refined.push(one)
    // The cap is reached or the model does not answer: the next session would fail too.
    if (one.calls.length === 0 && one.degraded.length > 0) break
  }
  return refined
}
