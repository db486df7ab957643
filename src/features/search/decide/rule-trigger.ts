import { type Entry, isSuggestion } from '../../../kernel/model/entry.ts'
import { foldWord } from '../../../kernel/text/fold.ts'
import { namedFiles } from '../../../kernel/text/named-files.ts'
import { stemWord } from '../../../kernel/text/stem.ts'
import { stopWords } from '../../../kernel/text/stop-words.ts'
import { scanChunks } from '../../../kernel/text/words.ts'

/** Kinds that a standing rule can have. */
const RULE_KINDS: ReadonlySet<string> = new Set(['preference', 'warning', 'decision'])
const CODE_SPAN = /`([^`\n]{3,120})`/g
/** What comes after these words, up to the next comma or eight words on, says when a rule applies. */
const CLAUSE =
  /(?:^|[\s(])(?:when(?:ever)?|before|after|quando|sempre que|antes de|depois de|cuando|siempre que|despues de|después de)\s+([^,.;:!?()\n]{3,100})/giu
const MAX_CLAUSE_WORDS = 8
const READ_CHARACTERS = 4_000

interface TaskAtHand {
  readonly prompt: string
  /** Files that are open, edited or named. */
  readonly files: readonly string[]
}

/**
 * Returns a test: does the trigger of a standing rule occur literally in the task? A trigger is a file that the rule names, a command or
 * name in backticks, or the words after "when", "before" or "after":
 *
 *   "Run `npm run lint` before a release"     prompt: "prepare the release"
 *   "Never edit src/schema.sql by hand"       src/schema.sql is open
 *
 * Rules are written or confirmed by a person; candidates of an agent do not count.
 */
export function triggerTest({ prompt, files }: TaskAtHand): (entry: Entry) => boolean {
  const text = prompt.slice(0, READ_CHARACTERS).toLowerCase()
  const active = files.map(normalised)
  let stems: ReadonlySet<string> | undefined
  return entry => {
    if (!RULE_KINDS.has(entry.kind) || isSuggestion(entry)) return false
    if (entry.status === 'candidate' && entry.origin !== 'person') return false
    const named = [...entry.files, ...namedFiles(entry.content)].map(normalised)
    if (named.some(file => active.some(open => isSameFile(file, open)))) return true
    for (const [, span = ''] of entry.content.matchAll(CODE_SPAN))
      if (text.includes(span.trim().toLowerCase())) return true
    for (const [, clause = ''] of entry.content.matchAll(CLAUSE)) {
      const words = [...contentStems(clause, MAX_CLAUSE_WORDS)]
      stems ??= contentStems(text)
      if (words.length > 0 && words.every(word => stems?.has(word) === true)) return true
    }
    return false
  }
}

function contentStems(text: string, maxWords = Number.POSITIVE_INFINITY): ReadonlySet<string> {
  const stems = new Set<string>()
  let seen = 0
  for (const chunk of scanChunks(text)) {
    if (seen >= maxWords) break
    seen += 1
    const word = foldWord(chunk.text)
    if (word.length > 2 && !stopWords('en').has(word) && !stopWords('pt').has(word))
      stems.add(stemWord(word, 'en'))
  }
  return stems
}

function normalised(file: string): string {
  return file.replaceAll('\\', '/').replace(/^\.\//, '').toLowerCase()
}

function isSameFile(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`) || (a.endsWith('/') && b.startsWith(a))
}
