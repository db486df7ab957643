import { homeOfKind, type Kind } from '../../../kernel/model/category.ts'
import type { Message } from '../../../kernel/model/message.ts'
import type { Finding } from '../../../kernel/model/session.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { namedFiles } from '../../../kernel/text/named-files.ts'
import { type RedactOptions, redact } from '../../../kernel/text/redaction/redact.ts'
import { tagsOf } from './distil.ts'
import { type Ground, groundOf, isNegated, jsonObjectIn, type Ungrounded } from './model-answer.ts'
import { REFINED_KINDS } from './plan-refinement.ts'
import { type SaidMessage, saidMessages } from './said-messages.ts'

type RefusalReason =
  | Ungrounded
  | 'not of the expected form'
  | 'no such finding'
  | 'named twice'
  | 'the user wanted it'
  | 'kind not known'
  | 'said already'
  | 'too many'

export interface Refusal {
  readonly what: 'keep' | 'rewrite' | 'drop' | 'new'
  readonly reason: RefusalReason
}

type Refined =
  | {
      readonly kind: 'refined'
      /** In the order of the conversation. */
      readonly findings: readonly Finding[]
      /** Fingerprints of the old and the new text. */
      readonly rewritten: readonly { readonly from: string; readonly to: string }[]
      readonly added: number
      readonly dropped: readonly { readonly finding: Finding; readonly reason: string }[]
      /** Parts of the answer that were refused. */
      readonly refused: readonly Refusal[]
    }
  /** The answer cannot be read: the findings stay unchanged. */
  | { readonly kind: 'unreadable'; readonly reason: string }

const MAX_NEW = 10
const MAX_ITEMS = 200
const MAX_REASON = 120
/** How much a confirming second opinion adds. */
const CONFIDENCE_OF_AGREEMENT = 0.1
const MAX_CONFIDENCE = 0.95
/** Less than the confidence of the rules, because only the model found it. */
const NEW_CONFIDENCE = 0.55
const NEW_IMPORTANCE = { decisions: 0.55, lessons: 0.5, tasks: 0.45, projects: 0.45, handoffs: 0.4 } as const

/**
 * Reads the answer of a model strictly. Findings that it does not mention stay unchanged; a claim without evidence in the conversation
 * is refused and counted.
 */
export function readRefinement(
  answer: string,
  given: {
    readonly messages: readonly Message[]
    readonly findings: readonly Finding[]
    readonly redaction?: RedactOptions
  },
): Refined {
  const object = jsonObjectIn(answer, ['keep', 'rewrite', 'drop', 'new'])
  if (object === undefined)
    return { kind: 'unreadable', reason: 'there is no JSON object of the expected form in it' }
  const said = saidMessages(given.messages, given.redaction)
  const reading = new Reading(given.findings, said, groundOf(said), given.redaction)
  const refused: Refusal[] = []
  for (const what of ['rewrite', 'drop', 'keep', 'new'] as const) {
    for (const item of listOf(object[what])) {
      const reason = reading[what](item)
      if (reason !== undefined) refused.push({ what, reason })
    }
  }
  return { ...reading.result(), refused }
}

/** Each action in the answer takes one item or returns why it is refused. */
class Reading {
  readonly #findings: readonly Finding[]
  readonly #said: ReadonlyMap<number, SaidMessage>
  readonly #ground: Ground
  readonly #redaction: RedactOptions | undefined
  /** The result for each finding that the answer names. */
  readonly #fates = new Map<number, Finding | 'dropped'>()
  readonly #added: Finding[] = []
  readonly #dropped: { finding: Finding; reason: string }[] = []
  readonly #rewritten: { from: string; to: string }[] = []

  constructor(
    findings: readonly Finding[],
    said: readonly SaidMessage[],
    ground: Ground,
    redaction: RedactOptions | undefined,
  ) {
    this.#findings = findings
    this.#said = new Map(said.map(one => [one.message, one]))
    this.#ground = ground
    this.#redaction = redaction
  }

  keep(item: unknown): RefusalReason | undefined {
    const named = this.#named(isRecord(item) ? item.number : item)
    if (typeof named === 'string') return named
    this.#fates.set(named.place, surer(named.finding))
    return undefined
  }

  drop(item: unknown): RefusalReason | undefined {
    const reason = isRecord(item) && typeof item.reason === 'string' ? plain(item.reason) : ''
    if (reason === '') return 'not of the expected form'
    const named = this.#named((item as { number?: unknown }).number)
    if (typeof named === 'string') return named
    if (named.finding.wanted === true) return 'the user wanted it'
    this.#fates.set(named.place, 'dropped')
    const safe = redact(reason, this.#redaction).text.slice(0, MAX_REASON)
    this.#dropped.push({ finding: named.finding, reason: safe })
    return undefined
  }

  rewrite(item: unknown): RefusalReason | undefined {
    const claim = claimIn(item, this.#redaction)
    if (claim === undefined) return 'not of the expected form'
    const named = this.#named(claim.number)
    if (typeof named === 'string') return named
    const { finding, place } = named
    // A text that the user asked for keeps the user's words.
    if (finding.wanted === true) return 'the user wanted it'
    const why = this.#ground.whyNot({ ...claim, message: finding.message })
    if (why !== undefined) return why
    if (isNegated(finding.text) && !isNegated(claim.text)) return 'says the opposite'
    const reworded = surer({ ...finding, text: claim.text, ...described(claim.text) })
    this.#fates.set(place, reworded)
    this.#rewritten.push({ from: finding.fingerprint, to: reworded.fingerprint })
    return undefined
  }

  new(item: unknown): RefusalReason | undefined {
    const claim = claimIn(item, this.#redaction)
    if (claim === undefined || !Number.isInteger(claim.message)) return 'not of the expected form'
    const message = claim.message as number
    const kind = REFINED_KINDS.find(known => known === claim.kind)
    if (kind === undefined) return 'kind not known'
    const why = this.#ground.whyNot({ ...claim, message })
    if (why !== undefined) return why
    if (this.#added.length >= MAX_NEW) return 'too many'
    const finding = newFinding(claim.text, kind, message, this.#said.get(message)?.speaker ?? 'agent')
    const isKnown = [...this.#remaining(), ...this.#added].some(
      other => other.fingerprint === finding.fingerprint,
    )
    if (isKnown) return 'said already'
    this.#added.push(finding)
    return undefined
  }

  result() {
    const findings = [...this.#remaining(), ...this.#added].sort((a, b) => a.message - b.message)
    return {
      kind: 'refined' as const,
      findings,
      rewritten: this.#rewritten,
      added: this.#added.length,
      dropped: this.#dropped,
    }
  }

  #remaining(): Finding[] {
    return this.#findings.flatMap((finding, place) => {
      const fate = this.#fates.get(place) ?? finding
      return fate === 'dropped' ? [] : [fate]
    })
  }

  #named(number: unknown): { place: number; finding: Finding } | RefusalReason {
    const place = typeof number === 'number' ? number - 1 : -1
    const finding = Number.isInteger(place) ? this.#findings[place] : undefined
    if (finding === undefined) return 'no such finding'
    return this.#fates.has(place) ? 'named twice' : { place, finding }
  }
}

interface Claim {
  readonly number: unknown
  readonly message: unknown
  readonly kind: unknown
  readonly text: string
  readonly quote: string
}

function claimIn(item: unknown, redaction: RedactOptions | undefined): Claim | undefined {
  if (!isRecord(item) || typeof item.text !== 'string' || typeof item.quote !== 'string') return undefined
  return {
    number: item.number,
    message: item.message,
    kind: item.kind,
    text: redact(plain(item.text), redaction).text,
    quote: item.quote.trim(),
  }
}

/** One line. */
function plain(text: string): string {
  return text.replace(/[\r\n\t ]+/g, ' ').trim()
}

function surer(finding: Finding): Finding {
  const confidence = Math.min(MAX_CONFIDENCE, finding.confidence + CONFIDENCE_OF_AGREEMENT)
  return { ...finding, confidence: Math.max(finding.confidence, Math.round(confidence * 100) / 100) }
}

function newFinding(text: string, kind: Kind, message: number, speaker: 'user' | 'agent'): Finding {
  const category = homeOfKind(kind)
  return {
    text,
    message,
    speaker,
    kind,
    category,
    importance: NEW_IMPORTANCE[category],
    confidence: NEW_CONFIDENCE,
    ...described(text),
  }
}

function described(text: string): Pick<Finding, 'files' | 'tags' | 'fingerprint'> {
  return { files: namedFiles(text), tags: tagsOf(text), fingerprint: fingerprint(text) }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
