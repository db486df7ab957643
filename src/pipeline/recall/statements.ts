import type { BundleItem } from '../../model/bundle.ts'
import type { Entry } from '../../model/entry.ts'
import type { MemoryEvent } from '../../model/event.ts'
import { saysFinished } from '../../text/completion.ts'
import { fingerprint } from '../../text/fingerprint.ts'
import { foldText } from '../../text/fold.ts'
import { plainStatement } from '../../text/plain-statement.ts'
import { BUNDLE_LIMITS } from './bundle-limits.ts'

/** One thing that was said, before it is known whether it goes into the bundle. */
export interface Statement {
  readonly text: string
  readonly kind: string
  readonly files: readonly string[]
  /** UTC ISO: when it was last said. */
  readonly at: string
  /** `event:…` or `entry:…` */
  readonly source: string
  /** Two statements of one voice are no agreement. */
  readonly voice: string
  /** A person wrote, confirmed or pinned it. */
  readonly isPersons: boolean
  readonly isPinned: boolean
  /** Said without a maybe. */
  readonly isPlain: boolean
  /** Of an error of a run: the command. */
  readonly command?: string
}

const HEDGED =
  /\b(?:maybe|perhaps|probably|possibly|might|i think|i guess|i believe|seems?|looks like|apparently|not sure|someday|one day|what if|we could|would be nice|talvez|acho|parece|provavelmente|quem sabe|um dia|poderiamos|seria bom|nao sei se|aparentemente)\b|\?\s*$/

export function isPlainSaid(text: string): boolean {
  return !HEDGED.test(foldText(text))
}

const OF_A_PERSON: ReadonlySet<string> = new Set(['confirmed', 'pinned'])

export function statementOfEntry(
  entry: Entry,
  text: string,
  clean: (text: string) => string,
): Statement | undefined {
  const line = plainStatement(clean(text), BUNDLE_LIMITS.textCharacters)
  if (line === '') return undefined
  return {
    text: line,
    kind: entry.kind,
    files: entry.files.slice(0, BUNDLE_LIMITS.files),
    at: momentOf(entry),
    source: `entry:${entry.id}`,
    voice: entry.session === undefined ? `entry:${entry.id}` : `session:${entry.session}`,
    isPersons: entry.origin === 'person' || OF_A_PERSON.has(entry.status),
    isPinned: entry.status === 'pinned',
    isPlain: isPlainSaid(line),
  }
}

/** When it was last said: changed, or written. A date goes to the minute; the id of most entries to the millisecond. */
export function momentOf({ id, date, updated }: Pick<Entry, 'id' | 'date' | 'updated'>): string {
  if (updated !== undefined) return isoOf(`${updated}Z`)
  const dated = isoOf(`${date}Z`)
  const made = /^(\d{13})-/.exec(id)?.[1]
  const exact = made === undefined ? '' : new Date(Number(made)).toISOString()
  return exact.slice(0, 16) === dated.slice(0, 16) ? exact : dated
}

/** A date that nobody can read is that of the beginning: it outweighs nothing. */
export function isoOf(date: string): string {
  const ms = Date.parse(date.replace(/ZZ$/, 'Z'))
  return Number.isNaN(ms) ? new Date(0).toISOString() : new Date(ms).toISOString()
}

export interface EventReading {
  readonly clean: (text: string) => string
  readonly saidAt: ReadonlyMap<string, string>
}

/** Signals may come from elsewhere: what is no text is passed over. */
export function statementsOfEvent(
  event: MemoryEvent,
  signal: 'decisions' | 'gotchas' | 'nextStepHints',
  { clean, saidAt }: EventReading,
): Statement[] {
  const at = isoOf(event.createdAt)
  const isRun = event.kind === 'tool_run'
  const said = textsOf(event.signals[signal])
  const parts = said.flatMap(whole =>
    (signal === 'nextStepHints' ? stepsIn(whole) : signal === 'gotchas' ? apartOf(whole) : [whole]).map(
      part => ({ whole, part }),
    ),
  )
  return parts.flatMap(({ whole, part }) => {
    const text = plainStatement(clean(part), BUNDLE_LIMITS.textCharacters)
    if (text === '') return []
    const command = isRun && signal === 'gotchas' ? /^`([^`]+)`/.exec(text)?.[1] : undefined
    return [
      {
        text,
        kind: KIND_OF_SIGNAL[signal],
        files: pathsOf(event).slice(0, BUNDLE_LIMITS.files),
        at: saidAt.get(fingerprint(whole)) ?? at,
        source: `event:${event.id}`,
        voice: event.sourceId,
        isPersons: false,
        isPinned: false,
        isPlain: isPlainSaid(text),
        ...(command !== undefined && { command }),
      },
    ]
  })
}

const KIND_OF_SIGNAL = { decisions: 'decision', gotchas: 'warning', nextStepHints: 'task' } as const

/** The bundle is about files of the project. */
const OUTSIDE = /^(?:[a-z]:)?[\\/]|^~|(?:^|[\\/])\.\.(?:[\\/]|$)/i

export function pathsOf(event: MemoryEvent): string[] {
  return textsOf(event.signals.keyPaths)
    .map(path => plainStatement(path, BUNDLE_LIMITS.textCharacters))
    .filter(path => path !== '' && !OUTSIDE.test(path))
}

function textsOf(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === 'string')
}

/** `- [ ] text` and `- [x] text`; a task without a box is open unless it says otherwise. */
export function tasksIn(content: string): { readonly text: string; readonly isDone: boolean | undefined }[] {
  const boxes = content.split(/\r?\n/).flatMap(line => {
    const [, mark, text] = /^\s*[-*] \[([ xX])\] (.*)$/.exec(line) ?? []
    return mark === undefined || text === undefined ? [] : [{ text, isDone: mark !== ' ' }]
  })
  return boxes.length > 0 ? boxes : [{ text: content, isDone: undefined }]
}

const OPEN =
  /\b(?:still|needs?|missing|todo|to do|left|remains?|pending|open|next|must|should|has to|have to|not (?:yet )?(?:done|rotated|migrated|finished|covered|removed|tested)|yet|waiting|blocked|half|almost|tomorrow|later|follow-?up|falta|faltam|faltou|ainda|pendente|proxim[oa]|precisa|precisamos|tem que|deve|amanha|por fazer|a fazer|resta|aguardando)\b/
const TELLS_CAUSE =
  /^\W*(?:(?:the|o|a) )?(?:problem|cause|reason|issue|culprit|problema|causa|motivo|razao|root cause|turns out|acontece)\b/

/** A rule that is told as something left to do, and a warning that is: they go where they belong. */
export function isToDo(text: string): boolean {
  return /^\W*(?:still (?:to do|open|missing|left)|to ?do|next (?:week|step|up)|open|left|missing|pending|(?:ainda )?falta|pendente|proximo passo|por fazer)\b[^:]{0,20}:/.test(
    foldText(text),
  )
}

export function isWarning(text: string): boolean {
  return /^\W*(?:watch out|careful|be careful|beware|caution|mind that|cuidado|atencao)\b/.test(
    foldText(text),
  )
}

/**
 * A warning, and what it names as left to do, each by itself: what was done since must not stay in a warning that holds.
 *
 *   "Next step: add a test. Watch out: rates are cached."   →   ["Watch out: rates are cached.", "Next step: add a test."]
 */
export function apartOf(text: string): string[] {
  const sentences = text.split(SENTENCE_END)
  const steps = sentences.filter(isToDo)
  if (steps.length === 0 || steps.length === sentences.length) return [text]
  return [sentences.filter(sentence => !isToDo(sentence)).join(' '), ...steps]
}

const SENTENCE_END = /(?<=[.!?])\s+(?=\S)/

/**
 * What is left to do in a finding of several sentences: each that says so is a step of its own, with what follows it.
 *
 *   "The sync is fixed. Still missing: an alert. It should go to ops."   →   ["Still missing: an alert. It should go to ops."]
 */
export function stepsIn(text: string): string[] {
  const sentences = text.split(SENTENCE_END)
  if (sentences.length === 1) return TELLS_CAUSE.test(foldText(text)) ? [] : [text]
  const steps: string[] = []
  for (const sentence of sentences) {
    const folded = foldText(sentence)
    if (OPEN.test(folded) && !TELLS_CAUSE.test(folded) && !/^(?:it|this|that|isso|ele|ela)\b/.test(folded))
      steps.push(sentence)
    else if (steps.length > 0 && !saysFinished(sentence)) steps[steps.length - 1] += ` ${sentence}`
  }
  return steps.length === 0 && !TELLS_CAUSE.test(foldText(text)) ? [text] : steps
}

export function itemOf(draft: {
  readonly text: string
  readonly since: string
  readonly sources: readonly string[]
  readonly files: readonly string[]
}): BundleItem {
  return {
    text: draft.text,
    since: draft.since,
    sources: draft.sources.slice(0, BUNDLE_LIMITS.sources),
    ...(draft.files.length > 0 && { files: draft.files.slice(0, BUNDLE_LIMITS.files) }),
  }
}
