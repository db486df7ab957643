import { canonicalJson, isObject } from '../model/json-value.ts'
import type { JsonObject } from './ports.ts'

/**
 * One document in two files, so that the decisions of a single person (confirm, reject, give feedback) never change the file that git
 * tracks:
 *
 * curation.json        { version, aliases, conflicts, … }                          tracked
 * local/curation.json  { version, confirmations, feedback, rejections, dismissals }  ignored
 *
 * 0.1.0 wrote everything into the tracked file. What is still valid there stays there, so that the file does not change.
 */
interface DocumentParts {
  readonly tracked: JsonObject
  readonly local: JsonObject
}

/** The document of both files together. Of the local file, only its own sections count. */
export function joinDocument({ tracked, local }: DocumentParts, sections: readonly string[]): JsonObject {
  const joined: Record<string, unknown> = { ...tracked }
  for (const section of sections) {
    if (!Object.hasOwn(local, section)) continue
    const isInBoth = Object.hasOwn(tracked, section)
    joined[section] = isInBoth ? joinSection(tracked[section], local[section]) : local[section]
  }
  return joined
}

function joinSection(tracked: unknown, local: unknown): unknown {
  if (isObject(tracked) && isObject(local)) return { ...tracked, ...local }
  if (!Array.isArray(tracked) || !Array.isArray(local)) return local
  return [...without(tracked, local), ...local]
}

/** The two files of this document, with as few changes as possible: joined again they are the document. */
export function splitDocument(
  document: JsonObject,
  standing: DocumentParts,
  sections: readonly string[],
): DocumentParts {
  const tracked: Record<string, unknown> = { ...document }
  const local: Record<string, unknown> = { ...standing.local }
  for (const section of sections) {
    delete tracked[section]
    delete local[section]
    if (!Object.hasOwn(document, section)) continue
    const isTracked = Object.hasOwn(standing.tracked, section)
    const parts = isTracked
      ? splitSection(document[section], standing.tracked[section], standing.local[section])
      : { local: document[section] }
    if (parts.tracked !== undefined) tracked[section] = parts.tracked
    if (parts.local !== undefined) local[section] = parts.local
  }
  return { tracked, local }
}

/** undefined: that file does not have the section. */
interface SectionParts {
  readonly tracked?: unknown
  readonly local?: unknown
}

function splitSection(section: unknown, tracked: unknown, local: unknown): SectionParts {
  if (isSameJson(section, tracked)) return { tracked }
  if (isObject(section) && isObject(tracked)) return splitObject(section, tracked)
  if (Array.isArray(section) && Array.isArray(tracked)) return splitList(section, tracked)
  // The local file already had this value over the other one, which need not change.
  return isSameJson(section, local) ? { tracked, local } : { local: section }
}

function splitObject(section: JsonObject, tracked: JsonObject): SectionParts {
  const isIn = (part: JsonObject, key: string) =>
    Object.hasOwn(part, key) && isSameJson(part[key], section[key])
  // A changed value stays in the tracked file: the local one overrides it.
  const kept = Object.entries(tracked).filter(([key]) => Object.hasOwn(section, key))
  const own = Object.entries(section).filter(([key]) => !isIn(tracked, key))
  const isKept = kept.length > 0 || Object.keys(tracked).length === 0
  return {
    ...(isKept && { tracked: Object.fromEntries(kept) }),
    ...((own.length > 0 || !isKept) && { local: Object.fromEntries(own) }),
  }
}

/**
 * The order of a list matters: the journal identifies its items by position. From the first difference on, the local file has the whole
 * list.
 */
function splitList(section: readonly unknown[], tracked: readonly unknown[]): SectionParts {
  const gone = new Set(without(tracked, section).map(canonicalJson))
  const kept = tracked.filter(item => !gone.has(canonicalJson(item)))
  if (kept.length === 0 && tracked.length > 0) return { local: section }
  const differs = section.findIndex((item, at) => at >= kept.length || !isSameJson(item, kept[at]))
  const local = section.slice(differs < 0 ? section.length : differs)
  const isWhole = isSameJson([...without(kept, local), ...local], section)
  if (isWhole && local.length === 0) return { tracked: kept }
  return { tracked: kept, local: isWhole ? local : section }
}

/** The items that are not in the other list. */
function without(list: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  const there = new Set(other.map(canonicalJson))
  return list.filter(item => !there.has(canonicalJson(item)))
}

export function isSameJson(a: unknown, b: unknown): boolean {
  return (a === undefined) === (b === undefined) && canonicalJson(a) === canonicalJson(b)
}
