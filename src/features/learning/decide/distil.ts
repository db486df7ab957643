import { homeOfKind, type Kind } from '../../../kernel/model/category.ts'
import { type Message, type Speaker, speakerOf } from '../../../kernel/model/message.ts'
import type { Finding } from '../../../kernel/model/session.ts'
import { findAgentInstruction } from '../../../kernel/text/agent-instructions.ts'
import { findMentions } from '../../../kernel/text/entities/find-entities.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { kindOfText } from '../../../kernel/text/kind-of-text.ts'
import { namedFiles } from '../../../kernel/text/named-files.ts'
import { type RedactOptions, redact } from '../../../kernel/text/redaction/redact.ts'
import { extractTags, mergeTags } from '../../../kernel/text/tags.ts'
import { hasRemember, type Sentence, splitSentences, wantedParts, withoutRemember } from './sentences.ts'
import { isSkipped, ownText, REMEMBER_LINE, readablePart, saidLines } from './spoken-text.ts'
import { agentCue, MAX_OWN_MESSAGE, personCue, readStandingRule } from './suggestion-cues.ts'

interface DistilOptions {
  readonly redaction?: RedactOptions
}

export interface Distilled {
  /** In the order of the conversation. */
  readonly findings: readonly Finding[]
  /** How many requested texts were longer than an entry may be and were cut. */
  readonly shortened: number
}

const MAX_WANTED = 16_000
/** More than a finding can contain, so that no secret is cut in two before it is found. */
const MAX_REDACTED = 4 * MAX_WANTED
/** Seed A: at most ten decisions and ten lessons of one conversation. */
const MAX_SUGGESTIONS = 20
const MAX_TAGS = 8
const CONTROL_TAGS = new Set(['remember', 'skip'])

/** "Remember that …" at the start of a sentence. "Remember to …" is mostly an order for this task. */
const REMEMBER_THAT =
  /^(?:(?:please|pls|and|also|ok(?:ay)?|por favor|e)[,:]?\s+)*(?:remember|lembre(?:-se)?(?: de)?|lembra(?:-te)?(?: de)?|recuerda)(?:\s+(?:that|que)\b[:,]?|\s*:)\s+(?=\S)/i
const MENTIONS = /^(?:@\S+\s+)+/
const MIN_STATEMENT = 8

/**
 * From a conversation to what it leaves behind, by rules alone.
 *
 *   a person     #remember, "Remember that …"       → wanted: one confirmed entry
 *                a standing rule, a note or a wish  → suggestion
 *   an agent     the seed's patterns                → suggestion
 *
 * Nothing is joined or reworded: a finding is one sentence as it was said.
 */
export function distil(messages: readonly Message[], options: DistilOptions = {}): Distilled {
  const steps = distilSteps(messages, options)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same, one message per step: a caller that shares its thread pauses between steps. */
export function* distilSteps(
  messages: readonly Message[],
  { redaction }: DistilOptions = {},
): Generator<undefined, Distilled> {
  const findings: Finding[] = []
  let shortened = 0
  for (const [at, message] of messages.entries()) {
    yield
    const speaker = speakerOf(message.role)
    if (message.internal === true || isSilent(speaker, message.text)) continue
    const own = ownText(message.text)
    if (speaker !== 'user') {
      for (const sentence of sentencesOf(own, redaction)) {
        const cue = agentCue(sentence)
        if (cue === undefined) continue
        findings.push(findingOf(sentence.text, { ...cue, message: at, speaker: 'agent' }))
      }
      continue
    }
    const { parts, marked, sentences } = readPerson(own, redaction)
    for (const part of parts) {
      if (part.length > MAX_WANTED) shortened++
      findings.push(wantedFinding(part.slice(0, MAX_WANTED), at))
    }
    for (const text of marked) findings.push(wantedFinding(text, at))
    for (const sentence of sentences) {
      const finding = personFinding(sentence, at)
      if (finding !== undefined) findings.push(finding)
    }
  }
  return { findings: withinCap(withoutRepeats(findings)), shortened }
}

/**
 * The sentences in which a person seems to state a rule for all later work, verbatim, without those that they asked to remember.
 * Includes sentences that do not name their subject: the agent of the session knows it.
 */
export function statedRules(messages: readonly Message[], { redaction }: DistilOptions = {}): string[] {
  const said = messages.flatMap(({ role, text, internal }) => {
    const speaker = speakerOf(role)
    if (speaker !== 'user' || internal === true || isSilent(speaker, text)) return []
    return readPerson(ownText(text), redaction).sentences.map(withoutMentions)
  })
  return [...new Set(said.filter(text => askedStatement(text) === undefined && readStandingRule(text)))]
}

interface PersonsMessage {
  /** Text marked with #remember: lines of Markdown, and texts inside a paragraph. */
  readonly parts: readonly string[]
  readonly marked: readonly string[]
  /** The rest of what they typed; pasted text is left out. */
  readonly sentences: readonly Sentence[]
}

function readPerson(own: string, redaction: RedactOptions | undefined): PersonsMessage {
  const { parts, rest } = wantedParts(own)
  const sentences = sentencesOf(rest, redaction)
  const { texts, used } = markedTexts(sentences)
  return {
    parts: parts.map(part => redact(part.slice(0, MAX_REDACTED), redaction).text),
    marked: texts,
    sentences: rest.length > MAX_OWN_MESSAGE ? [] : sentences.filter(sentence => !used.has(sentence)),
  }
}

/** Tool output, messages of the host, and messages that the person marked with #skip. */
export function isSilent(speaker: Speaker, text: string): boolean {
  return speaker === 'tool' || speaker === 'system' || isSkipped(text)
}

function sentencesOf(text: string, redaction: RedactOptions | undefined): Sentence[] {
  return splitSentences(saidLines(redact(readablePart(text), redaction).text))
}

/**
 * The text that a mark inside a paragraph covers: its sentence. A mark at the start of a sentence covers the rest of the paragraph,
 * and a separate mark after it covers the whole paragraph.
 */
function markedTexts(sentences: readonly Sentence[]): { texts: string[]; used: Set<Sentence> } {
  const texts: string[] = []
  const used = new Set<Sentence>()
  for (const [at, sentence] of sentences.entries()) {
    if (used.has(sentence) || !hasRemember(sentence.text)) continue
    const inBlock = (some: readonly Sentence[]) => some.filter(({ block }) => block === sentence.block)
    const isAlone = withoutRemember(sentence.text).replace(/[\s.!]+/g, '') === ''
    const startsHere = REMEMBER_LINE.test(sentence.text)
    const taken = isAlone
      ? inBlock(sentences.slice(0, at + 1))
      : startsHere
        ? inBlock(sentences.slice(at))
        : [sentence]
    for (const each of taken) used.add(each)
    const text = withoutRemember(taken.map(each => each.text).join(' ')).trim()
    if (text !== '') texts.push(text)
  }
  return { texts, used }
}

function personFinding(sentence: Sentence, message: number): Finding | undefined {
  const text = withoutMentions(sentence)
  const asked = askedStatement(text)
  if (asked !== undefined)
    return asked.length < MIN_STATEMENT ? undefined : wantedFinding(capitalised(asked), message)
  const rule = readStandingRule(text)
  if (rule?.isSelfContained === true)
    return findingOf(text, { kind: rule.kind, importance: 0.8, confidence: 0.8, message, speaker: 'user' })
  const cue = personCue({ ...sentence, text })
  return cue && findingOf(text, { ...cue, message, speaker: 'user' })
}

function withoutMentions({ text }: Sentence): string {
  return text.replace(MENTIONS, '')
}

/** The text after "Remember that". */
function askedStatement(text: string): string | undefined {
  const asked = REMEMBER_THAT.exec(text)
  return asked === null || text.endsWith('?') ? undefined : text.slice(asked[0].length)
}

function wantedFinding(text: string, message: number): Finding {
  const kind = kindOfText(text) ?? 'lesson'
  const { quarantine: _, ...finding } = findingOf(text, {
    ...{ kind, message, speaker: 'user', importance: 0.9, confidence: 0.95 },
  })
  return { ...finding, wanted: true }
}

function findingOf(
  text: string,
  {
    kind,
    message,
    speaker,
    importance,
    confidence,
  }: Pick<Finding, 'message' | 'speaker' | 'importance' | 'confidence'> & { readonly kind: Kind },
): Finding {
  const instruction = findAgentInstruction(text)
  // A person may give the agent orders, because a rule is an order. No other kind of instruction is a rule.
  const isOrder = speaker === 'user' && instruction === 'orders the reader'
  return {
    text,
    message,
    speaker,
    kind,
    category: homeOfKind(kind),
    importance,
    confidence,
    files: namedFiles(text),
    tags: tagsOf(text),
    ...(instruction !== undefined && !isOrder && { quarantine: instruction }),
    fingerprint: fingerprint(text),
  }
}

export function tagsOf(text: string): string[] {
  const entities = findMentions(text).filter(({ type }) => type === 'package' || type === 'service')
  return mergeTags(
    extractTags(text).filter(tag => !CONTROL_TAGS.has(tag)),
    entities.map(entity => entity.name),
  ).slice(0, MAX_TAGS)
}

/** Repeated words become one finding: the requested one, otherwise the first. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const byPrint = new Map<string, Finding>()
  for (const finding of findings) {
    const known = byPrint.get(finding.fingerprint)
    if (known === undefined || (finding.wanted === true && known.wanted !== true))
      byPrint.set(finding.fingerprint, finding)
  }
  return [...byPrint.values()].sort((a, b) => a.message - b.message)
}

function withinCap(findings: readonly Finding[]): Finding[] {
  const suggested = findings
    .filter(({ wanted }) => wanted !== true)
    .sort((a, b) => b.importance - a.importance || b.message - a.message)
    .slice(MAX_SUGGESTIONS)
  const left = new Set(suggested)
  return findings.filter(finding => !left.has(finding))
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
