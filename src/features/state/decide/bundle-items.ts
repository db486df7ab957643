import type { BundleItem } from '../../../kernel/model/bundle.ts'
import { type Entry, isSuggestion } from '../../../kernel/model/entry.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { plainStatement } from '../../../kernel/text/plain-statement.ts'
import { readHandoff } from './handoff-parts.ts'
import { BUNDLE_LIMITS, type RecallEntry, type RecallInput, type RecallPolicy } from './recall-input.ts'

/** The items of the sections that are made of entries. They depend on the entries alone: recalled again, they are the same. */
interface EntryItems {
  readonly currentFocus: readonly BundleItem[]
  readonly gotchas: readonly BundleItem[]
  readonly nextSteps: readonly BundleItem[]
}

/** Kinds of lessons that are warnings, ranked by importance. */
const GOTCHA_RANK: Readonly<Record<string, number>> = { warning: 2, error: 2, lesson: 1, discovery: 0 }

export function itemsOfEntries(
  entries: readonly RecallEntry[],
  { policy, clean }: Pick<RecallInput, 'policy' | 'clean'>,
): EntryItems {
  const usable = entries
    .filter(({ entry, isSuperseded }) => !isSuperseded && !isSuggestion(entry))
    .map(({ entry }) => entry)
    .sort(newestFirst)
  const handoff = usable.find(isRealHandoff)
  const parts = handoff === undefined ? undefined : readHandoff(handoff.content)
  const itemsOf = (entry: Entry, texts: readonly string[], limit: number) =>
    texts.slice(0, limit).flatMap((text, at) => itemOf(entry, text, { at, clean }))
  const focus = handoff === undefined ? [] : itemsOf(handoff, parts?.asked ?? [], BUNDLE_LIMITS.focusItems)
  const left = handoff === undefined ? [] : itemsOf(handoff, parts?.left ?? [], BUNDLE_LIMITS.handoffSteps)
  return {
    currentFocus: focus,
    gotchas: unique(
      gotchasOf(usable, policy).flatMap(entry => itemOf(entry, entry.content, { at: 0, clean })),
    ),
    nextSteps: unique([...usable.filter(isTask).flatMap(entry => openTasks(entry, clean)), ...left]),
  }
}

/** Not a handoff that has only the last messages of a conversation that was closed on the page. */
function isRealHandoff({ category, content }: Entry): boolean {
  return category === 'handoffs' && !/^\[(?:User|Agent)\]: /m.test(content)
}

function gotchasOf(entries: readonly Entry[], policy: RecallPolicy): Entry[] {
  const rank = (entry: Entry) =>
    (entry.status === 'pinned' ? 8 : 0) + (isByPerson(entry) ? 4 : 0) + (GOTCHA_RANK[entry.kind] ?? 0)
  return entries
    .filter(({ category, kind }) => category === 'lessons' && kind in GOTCHA_RANK)
    .filter(entry => {
      if (isByPerson(entry)) return true
      return policy === 'eager' || (policy === 'balanced' && entry.kind !== 'discovery')
    })
    .sort((a, b) => rank(b) - rank(a) || newestFirst(a, b))
}

function isByPerson({ origin, status }: Entry): boolean {
  return origin === 'person' || status !== 'candidate'
}

function isTask({ category }: Entry): boolean {
  return category === 'tasks'
}

/** Each open box is a step: `id:2` is the second box of an entry, as `cairn task done` names it. A task without a box is open. */
function openTasks(entry: Entry, clean: (text: string) => string): BundleItem[] {
  const boxes = entry.content.split(/\r?\n/).flatMap(line => {
    const [, mark, text] = /^\s*[-*] \[([ xX])\] (.*)$/.exec(line) ?? []
    return mark === undefined || text === undefined ? [] : [{ text, isDone: mark !== ' ' }]
  })
  if (boxes.length === 0) return itemOf(entry, entry.content, { at: 0, clean })
  return boxes.flatMap(({ text, isDone }, at) => (isDone ? [] : itemOf(entry, text, { at, clean })))
}

function itemOf(
  entry: Entry,
  text: string,
  { at, clean }: { readonly at: number; readonly clean: (text: string) => string },
): BundleItem[] {
  const line = plainStatement(clean(text), BUNDLE_LIMITS.textCharacters)
  if (line === '') return []
  const files = entry.files.slice(0, BUNDLE_LIMITS.files)
  return [
    {
      text: line,
      since: entryTimeOf(entry),
      sources: [`entry:${entry.id}${at === 0 ? '' : `:${at + 1}`}`],
      ...(files.length > 0 && { files }),
    },
  ]
}

/** Two entries with the same words are one item with both sources, at the place of the first. */
function unique(items: readonly BundleItem[]): BundleItem[] {
  const byPrint = new Map<string, BundleItem>()
  for (const item of items) {
    const print = fingerprint(item.text)
    const known = byPrint.get(print)
    if (known === undefined) byPrint.set(print, item)
    else if (known.sources.length < BUNDLE_LIMITS.sources)
      byPrint.set(print, { ...known, sources: [...known.sources, ...item.sources] })
  }
  return [...byPrint.values()]
}

function newestFirst(a: Entry, b: Entry): number {
  const [mine, theirs] = [entryTimeOf(a), entryTimeOf(b)]
  return mine < theirs ? 1 : mine > theirs ? -1 : a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}

/** The time of the last change. A date has minutes; the id of most entries has milliseconds. */
export function entryTimeOf({ id, date, updated }: Pick<Entry, 'id' | 'date' | 'updated'>): string {
  if (updated !== undefined) return isoOf(`${updated}Z`)
  const dated = isoOf(`${date}Z`)
  const made = /^(\d{13})-/.exec(id)?.[1]
  const exact = made === undefined ? '' : new Date(Number(made)).toISOString()
  return exact.slice(0, 16) === dated.slice(0, 16) ? exact : dated
}

/** An unreadable date counts as the oldest. */
export function isoOf(date: string): string {
  const ms = Date.parse(date.replace(/ZZ$/, 'Z'))
  return Number.isNaN(ms) ? new Date(0).toISOString() : new Date(ms).toISOString()
}
