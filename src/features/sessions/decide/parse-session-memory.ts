import { isObject } from '../../../kernel/model/json-value.ts'
import type { SessionMemory } from '../../../kernel/model/session.ts'

/** What a `Date` can hold, from 1970 on. */
const LATEST_MS = 8_640_000_000_000_000

type Check = (value: unknown) => boolean

const isText: Check = value => typeof value === 'string'
const isTruth: Check = value => typeof value === 'boolean'
const isNumber: Check = value => typeof value === 'number' && Number.isFinite(value)
const isTime: Check = value => typeof value === 'number' && value >= 0 && value <= LATEST_MS
const areTexts: Check = value => Array.isArray(value) && value.every(isText)
const areNumbers: Check = value => isObject(value) && Object.values(value).every(isNumber)
const absentOr =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)

const MEMORY: Readonly<Record<string, Check>> = {
  sessionId: value => isText(value) && value !== '',
  parentSessionId: absentOr(isText),
  agentId: isText,
  findings: Array.isArray,
  summary: isText,
  createdAt: isTime,
  finalizedAt: isTime,
  distilled: absentOr(areNumbers),
  refinedBy: absentOr(isText),
}

const FINDING: Readonly<Record<string, Check>> = {
  id: isText,
  fingerprint: isText,
  content: isText,
  category: isText,
  importance: isNumber,
  confidence: isNumber,
  filePaths: absentOr(areTexts),
  tags: absentOr(areTexts),
  promotedToProjectMemory: absentOr(isTruth),
  promotedEntryId: absentOr(isText),
  file: absentOr(isText),
  agent: absentOr(isText),
  speaker: absentOr(isText),
  message: absentOr(isNumber),
  signals: absentOr(areTexts),
  rejectedBy: absentOr(isText),
}

/** The memory of a session as a file holds it, or what is wrong with it: somebody may have written the file by hand. */
export function parseSessionMemory(
  value: unknown,
): { readonly kind: 'memory'; readonly memory: SessionMemory } | { readonly kind: 'damaged'; why: string } {
  if (!isObject(value)) return { kind: 'damaged', why: 'it is no JSON object' }
  const wrong = wrongField(value, MEMORY)
  if (wrong !== undefined) return { kind: 'damaged', why: wrong }
  for (const [at, finding] of (value.findings as unknown[]).entries()) {
    const why = isObject(finding) ? wrongField(finding, FINDING) : 'it is no JSON object'
    if (why !== undefined) return { kind: 'damaged', why: `finding ${at + 1}: ${why}` }
  }
  return { kind: 'memory', memory: value as unknown as SessionMemory }
}

function wrongField(
  fields: Record<string, unknown>,
  checks: Readonly<Record<string, Check>>,
): string | undefined {
  const name = Object.keys(checks).find(key => checks[key]?.(fields[key]) === false)
  return name === undefined
    ? undefined
    : `\`${name}\` ${fields[name] === undefined ? 'is missing' : 'cannot be read'}`
}
