import type { Category, Kind } from '../../../kernel/model/category.ts'
import type { Entry, Status } from '../../../kernel/model/entry.ts'
import { extractTags, normaliseTag } from '../../../kernel/text/tags.ts'

/** What an entry and its note have in common. Other fields of an entry stay in Cairn, and other parts of a note belong to its owner. */
export interface Facts {
  readonly content: string
  readonly agent: string
  readonly category: Category
  readonly kind: Kind
  readonly status: Status
  readonly importance: number
  /** Without the #words in the content. */
  readonly tags: readonly string[]
  readonly files: readonly string[]
}

export type FactName = keyof Facts
export const FACT_NAMES = [
  'content',
  'agent',
  'category',
  'kind',
  'status',
  'importance',
  'tags',
  'files',
] as const satisfies readonly FactName[]

/** A short hash of each fact, stored for both sides until the next sync. */
export type Prints = Readonly<Record<FactName, string>>

/** Long enough that two versions of a text differ; stored for both sides of up to ten thousand entries. */
const PRINT_CHARACTERS = 10

export function factsOf(entry: Entry): Facts {
  const { content, agent, category, kind, status, importance, tags, files } = entry
  const inText = new Set(extractTags(content))
  return {
    content,
    agent,
    category,
    kind,
    status,
    importance,
    tags: tags.filter(tag => !inText.has(tag)),
    files,
  }
}

/** Line ends and blank lines around a text are not compared, because every editor has its own. */
export function plainContent(content: string): string {
  // Ten thousand texts are compared at a time, so no pattern runs over every space.
  const lines = content.includes('\r') ? content.replace(/\r\n?/g, '\n') : content
  return lines.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}

/** One text for each meaning of a value. */
function factText(name: FactName, facts: Facts): string {
  if (name === 'content') return plainContent(facts.content)
  if (name === 'tags') return [...new Set(facts.tags.map(obsidianTag))].sort().join('\n')
  if (name === 'files') return facts.files.join('\n')
  return String(facts[name])
}

/** `like`: the other side, whose hashes are known. Comparing two texts is cheaper than hashing one. */
export function printsOf(
  facts: Facts,
  hash: (text: string) => string,
  like?: { readonly facts: Facts; readonly prints: Prints },
): Prints {
  const prints: Partial<Record<FactName, string>> = {}
  for (const name of FACT_NAMES) {
    const text = factText(name, facts)
    prints[name] =
      like !== undefined && factText(name, like.facts) === text
        ? like.prints[name]
        : hash(text).slice(0, PRINT_CHARACTERS)
  }
  return prints as Record<FactName, string>
}

export function isSameFact(name: FactName, a: Facts, b: Facts): boolean {
  return factText(name, a) === factText(name, b)
}

/**
 * A tag that Obsidian takes: letters, digits, `_`, `-` and `/`, and not digits alone.
 *
 *   node.js → node-js   c++ → c--   2026 → _2026
 */
export function obsidianTag(tag: string): string {
  const fit = normaliseTag(tag).replace(/[^\p{L}\p{M}\p{N}_/-]/gu, '-')
  return /^[\p{N}/-]+$/u.test(fit) ? `_${fit}` : fit
}

/** The tags of a note as tags of an entry; a tag that the entry has in another form stays in that form. */
export function entryTags(noteTags: readonly string[], known: readonly string[]): string[] {
  const knownByForm = new Map(known.map(tag => [obsidianTag(tag), tag]))
  return noteTags.map(tag => knownByForm.get(obsidianTag(tag)) ?? normaliseTag(tag))
}
