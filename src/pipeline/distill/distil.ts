import { homeOfKind } from '../../model/category.ts'
import type { Finding } from '../../model/finding.ts'
import { type Message, type Speaker, speakerOf } from '../../model/message.ts'
import { findMentions } from '../../text/entities/find-entities.ts'
import { fingerprint } from '../../text/fingerprint.ts'
import { namedFiles } from '../../text/named-files.ts'
import { type RedactOptions, redact } from '../../text/redaction/redact.ts'
import { extractTags, mergeTags } from '../../text/tags.ts'
import { composeFindings, type Draft, LONGEST_WANTED, type Turn } from './compose-finding.ts'
import { mergeRepeated } from './merge-findings.ts'
import { splitSentences } from './sentences.ts'
import { isSkipped, ownText, readablePart, saidLines } from './spoken-text.ts'
import { wantedParts } from './wanted-parts.ts'

export interface DistilOptions {
  /** How many messages bring one finding of an agent, at most; what the user stated comes first. Default 4. */
  readonly messagesPerFinding?: number
  /** With what an agent remarked, however long the conversation. Default 50. */
  readonly mostFindings?: number
  /** What the user stated may be more than that. Default 200. */
  readonly mostStatements?: number
  readonly redaction?: RedactOptions
}

export type SkipReason =
  | 'internal'
  | 'tool output'
  | 'system'
  | '#skip'
  | 'nothing said'
  | 'over the cap'
  | 'shortened'

export interface Distilled {
  /** In the order of the conversation. */
  readonly findings: Finding[]
  /** What was passed over and why: messages, findings over the cap (one each), and what was wanted and is longer than a finding can be. */
  readonly skipped: { readonly message: number; readonly reason: SkipReason }[]
}

const MESSAGES_PER_FINDING = 4
const MOST_FINDINGS = 50
const MOST_STATEMENTS = 200
/** More than a finding can hold, so that no secret is cut in two before it is known. */
const LONGEST_REDACTED = 4 * LONGEST_WANTED
/** A short talk may hold a few things all the same. */
const FEWEST_ALLOWED = 2
const MOST_TAGS = 8
const CONTROL_TAGS = new Set(['remember', 'skip'])
const FAILED = /\b(?:error|exception|traceback|fail(?:ed|ure)?|panic|fatal|expected .{1,80} received)\b/i
const LOOKED_AT_FOR_FAILURE = 4_000

/**
 * From a conversation to what it leaves behind, by rules alone.
 *
 *   message ▶ without private and injected parts ▶ redacted ▶ without code and output ▶ sentences ▶ judged
 *           ▶ completed (subject, reason, what was agreed to) ▶ merged ▶ ranked and capped
 */
export function distil(messages: readonly Message[], options: DistilOptions = {}): Distilled {
  const skipped: Distilled['skipped'] = []
  const drafts: Draft[] = []
  const turns: Turn[] = []
  let afterFailure = false
  messages.forEach((message, at) => {
    const speaker = speakerOf(message.role)
    const reason = message.internal === true ? 'internal' : silenceOf(speaker, message.text)
    if (reason !== undefined) {
      skipped.push({ message: at, reason })
      if (reason === 'tool output') afterFailure = FAILED.test(message.text.slice(0, LOOKED_AT_FOR_FAILURE))
      return
    }
    const own = ownText(message.text)
    const { parts, rest } = speaker === 'user' ? wantedParts(own) : { parts: [], rest: own }
    const wanted = parts.map(part => redact(part.slice(0, LONGEST_REDACTED), options.redaction).text)
    if (wanted.some(part => part.length > LONGEST_WANTED)) skipped.push({ message: at, reason: 'shortened' })
    const sentences = splitSentences(saidLines(redact(readablePart(rest), options.redaction).text))
    if (sentences.length === 0 && wanted.length === 0) {
      skipped.push({ message: at, reason: 'nothing said' })
      return
    }
    const turn: Turn = {
      message: at,
      speaker: speaker === 'user' ? 'user' : 'agent',
      sentences,
      wanted,
      afterFailure,
    }
    drafts.push(...composeFindings(turn, turns))
    turns.push(turn)
    if (speaker !== 'user') afterFailure = false
  })

  const merged = mergeRepeated(drafts)
  const kept = withinCap(merged, messages.length, options)
  for (const draft of merged) {
    if (!kept.has(draft)) skipped.push({ message: draft.message, reason: 'over the cap' })
  }
  return { findings: merged.filter(draft => kept.has(draft)).map(findingOf), skipped }
}

/** Why a message is not read at all; undefined when it is. */
export function silenceOf(speaker: Speaker, text: string): SkipReason | undefined {
  if (speaker === 'tool') return 'tool output'
  if (speaker === 'system') return 'system'
  return isSkipped(text) ? '#skip' : undefined
}

/** What a person stated is worth its place as a rule, an agent's remark two times in three: the share is for those. */
function withinCap(drafts: readonly Draft[], messages: number, options: DistilOptions): Set<Draft> {
  const {
    messagesPerFinding = MESSAGES_PER_FINDING,
    mostFindings = MOST_FINDINGS,
    mostStatements = MOST_STATEMENTS,
  } = options
  const share = Math.max(FEWEST_ALLOWED, Math.ceil(messages / Math.max(1, messagesPerFinding)))
  // Among equals the later: the last word is the one that holds.
  const best = (some: readonly Draft[], most: number) =>
    [...some].sort((a, b) => b.points - a.points || b.message - a.message).slice(0, Math.max(0, most))
  const wanted = drafts.filter(draft => draft.wanted)
  const others = drafts.filter(draft => !draft.wanted)
  const stated = best(
    others.filter(draft => draft.speaker === 'user'),
    mostStatements,
  )
  const remarked = others.filter(draft => draft.speaker === 'agent')
  const room = Math.min(share, mostFindings) - stated.length
  return new Set([
    ...wanted,
    ...stated,
    ...best(remarked, Math.max(room, Math.min(FEWEST_ALLOWED, mostFindings - stated.length))),
  ])
}

function findingOf(draft: Draft): Finding {
  const { text, kind } = draft
  return {
    text,
    message: draft.message,
    speaker: draft.speaker,
    kind,
    category: homeOfKind(kind),
    importance: importanceOf(draft),
    confidence: confidenceOf(draft),
    files: namedFiles(text),
    tags: tagsOf(text),
    ...(draft.wanted ? { wanted: true as const } : {}),
    fingerprint: fingerprint(text),
  }
}

export function tagsOf(text: string): string[] {
  const entities = findMentions(text).filter(({ type }) => type === 'package' || type === 'service')
  return mergeTags(
    extractTags(text).filter(tag => !CONTROL_TAGS.has(tag)),
    entities.map(entity => entity.name),
  ).slice(0, MOST_TAGS)
}

/** base + 0.2 · points, at most 0.95: a decision above a lesson above a task. What the user wanted: 0.9. */
function importanceOf({ category, points, wanted }: Draft): number {
  if (wanted) return 0.9
  const base = category === 'decisions' ? 0.4 : category === 'lessons' ? 0.35 : 0.3
  return rounded(base + 0.2 * points)
}

/** 0.3 + 0.15 · points, more for a person's word, a reason, names and what was agreed to; less for a guess and for a missing subject. */
function confidenceOf(draft: Draft): number {
  if (draft.wanted) return 0.95
  let confidence = 0.3 + 0.15 * draft.points
  if (draft.speaker === 'user') confidence += 0.05
  if (draft.hasReason) confidence += 0.05
  if (draft.specifics >= 2) confidence += 0.05
  if (draft.isConfirmed) confidence += 0.1
  if (draft.isHedged) confidence -= 0.15
  if (draft.lacksSubject) confidence -= 0.15
  return rounded(confidence)
}

function rounded(share: number): number {
  return Math.round(Math.min(0.95, Math.max(0.1, share)) * 100) / 100
}
