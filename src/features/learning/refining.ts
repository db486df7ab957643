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
import type { DistillerAnswer } from './decide/distiller.ts'
import type { ModelPorts } from './decide/ports.ts'
import type { Refusal } from './decide/read-refinement.ts'
import type { DaySpend, Usage } from './decide/spend-log.ts'

export interface Refinement {
  readonly findings: readonly Finding[]
  /** Absent when no model was asked. */
  readonly model?: ModelCall
  /** Absent when the findings are as they were. */
  readonly changes?: {
    /** Fingerprints: what a finding was, and what it is now. */
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

/** The longest question, as `estimateTokens` counts. */
const MAX_REQUEST_TOKENS = 8_000
const MIN_REQUEST_TOKENS = 800
/**
 * A tokenizer that we do not know makes at most so many times the tokens that we estimate, and the frame of a message
 * takes a few: a reservation is never less than what is used.
 */
const TOKEN_MARGIN = 2
const FRAME_TOKENS = 200
const MAX_FAILURE_LENGTH = 300

/** Never throws for trouble with a model: `degraded` tells of it. */
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

/** What a model wrote goes through the second net as every entry does; what the rules found went before. */
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

export interface ModelAnswer {
  readonly model: ModelCall
  readonly answer: DistillerAnswer
}

/**
 * Asks the configured model one thing, within the caps. `request` gets the tokens that the question may have; undefined
 * from it, and nothing is asked. Throws `model_off`, `not_confirmed`, `model_cap_reached`, `model_unavailable`,
 * `model_failed`.
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
      // A server may repeat in its reason what it was sent.
      message: redact(error.message).text.slice(0, MAX_FAILURE_LENGTH),
    })
    throw error
  }
}

function isModelTrouble(error: CairnError): boolean {
  return error.code === 'model_failed' || error.code === 'model_unavailable'
}

/** What was not told counts as it was reserved; a cost that was told counts before one that we compute. */
function usageOf(answer: DistillerAnswer, reserved: Usage, terms: ModelTerms): Usage {
  const inputTokens = answer.inputTokens ?? reserved.inputTokens
  const outputTokens = answer.outputTokens ?? reserved.outputTokens
  const microUsd = answer.costMicroUsd ?? costMicroUsd({ inputTokens, outputTokens }, terms)
  return { inputTokens, outputTokens, microUsd }
}

/** An index that only this process sees cannot hold a cap. */
async function checkCounted(memory: Memory): Promise<void> {
  const { index, readOnly } = await memory.store.health()
  if (index.mode === 'disk' && readOnly === undefined) return
  throw new CairnError({
    code: 'vault_read_only',
    message: 'What a model costs cannot be counted here, so none is asked.',
    hint: 'The memory folder must be there and writable.',
  })
}

/** What a question may have, so that the day's cap holds whatever the answer. */
function budgetFor(terms: ModelTerms, spent: DaySpend): number {
  const left = terms.dailyTokens - spent.inputTokens - spent.outputTokens - terms.maxOutputTokens
  const budget = Math.floor((left - FRAME_TOKENS - overheadTokens(terms)) / TOKEN_MARGIN)
  return Math.min(MAX_REQUEST_TOKENS, budget)
}

/** The most that a question of so many tokens can use. */
function mostFor(inputTokens: number, terms: ModelTerms): Usage {
  const most = {
    inputTokens: TOKEN_MARGIN * inputTokens + FRAME_TOKENS + overheadTokens(terms),
    outputTokens: terms.maxOutputTokens,
  }
  return { ...most, microUsd: costMicroUsd(most, terms) }
}

/** Whether the day has no room for another refinement, were it as small as can be. */
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
    message: `One more question could take the model over today's cap of ${cap}.`,
    hint: `It is free again at midnight UTC; \`cairn config set model.${by === 'tokens' ? 'dailyTokens' : 'dailyCents'} …\` raises it.`,
  })
}

function untouched(code: NoticeCode, message: string): Degradation {
  return { code, message: `${message} The findings stand as the rules found them.` }
}
