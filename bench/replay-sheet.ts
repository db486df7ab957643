import { createHash } from 'node:crypto'
import type { Entry } from '../src/api.ts'
import { isSuggestion } from '../src/kernel/model/entry.ts'
import { type Writer, writerOf } from '../src/kernel/model/provenance.ts'
import { promptItemKey, type ReplayLabels } from './replay-data.ts'
import { likeliest, nearest, normalise, pairKey, statementKey } from './replay-match.ts'
import { clip, type InjectedItem, type ReplayedProject, type ReplayedSession } from './replay-run.ts'

/** What can be judged, and the verdicts for it, the best first. */
export const VERDICTS = {
  entry: ['good', 'weak', 'junk'],
  suggestion: ['good', 'weak', 'junk'],
  'start item': ['good', 'weak', 'junk'],
  'prompt item': ['helpful', 'neutral', 'noise'],
  handoff: ['useful', 'partly', 'useless'],
  conflict: ['right', 'wrong'],
  'state line': ['useful', 'useless'],
  fact: ['covered', 'part', 'missing'],
  'prompt as a whole': ['complete', 'lacking'],
} as const satisfies Record<string, readonly string[]>
export type What = keyof typeof VERDICTS

/** One line for the judge. Nothing in it says which writer, rule or version produced the text. */
export interface SheetRow {
  readonly id: string
  readonly what: What
  readonly verdicts: readonly string[]
  /** Items of one prompt have the same group and follow each other. */
  readonly group: string
  readonly text: string
  readonly context: Readonly<Record<string, unknown>>
}

/** One line for the scorer: every occurrence of every item, also the labelled ones. */
export interface KeyRow {
  readonly id: string
  readonly what: What
  readonly project: string
  readonly session?: string | undefined
  readonly prompt?: number
  readonly entry?: string | undefined
  readonly writer?: Writer | undefined
  readonly status?: string | undefined
  readonly tier?: string
  readonly injectable?: boolean
  readonly label?: string | undefined
}

export interface Sheet {
  /** Only what has no label, each text once. */
  readonly rows: readonly SheetRow[]
  readonly key: readonly KeyRow[]
}

interface Item {
  readonly key: KeyRow
  readonly group?: string
  readonly text: string
  readonly context: Readonly<Record<string, unknown>>
}

/**
 * The id of an item is made from its words and, for a prompt's item, from the prompt. So a verdict stays valid for
 * every later run in which the same item appears, and an entry that is also a suggestion or an item of a start brief is
 * judged once.
 */
export function itemId(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12)
}

export function makeSheet(
  projects: readonly ReplayedProject[],
  labels: ReplayLabels,
  { isKnown = () => false, sample }: { isKnown?: (id: string) => boolean; sample?: number | undefined } = {},
): Sheet {
  const items = projects.flatMap(project => itemsOfProject(project, labels))
  const rowsById = new Map<string, SheetRow>()
  for (const { key, text, context, group = key.id } of items) {
    if (key.label !== undefined || isKnown(key.id) || rowsById.has(key.id)) continue
    rowsById.set(key.id, { id: key.id, what: key.what, verdicts: VERDICTS[key.what], group, text, context })
  }
  return { rows: shuffled([...rowsById.values()], sample), key: items.map(({ key }) => key) }
}

/** Entries that a judge looks through for what a brief lacks. */
const MAX_CANDIDATES = 8
const SEED = 'replay-1'

/** In an order that depends on the groups alone, so that two versions with the same items have the same sample. */
function shuffled(rows: readonly SheetRow[], sample: number | undefined): readonly SheetRow[] {
  const place = (row: SheetRow) => itemId(SEED, row.group) + row.group
  const inOrder = rows
    .map(row => ({ row, place: place(row) }))
    .sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0))
    .map(({ row }) => row)
  if (sample === undefined) return inOrder
  const taken = new Map<What, { count: number; last: string }>()
  return inOrder.filter(({ what, group }) => {
    const { count, last } = taken.get(what) ?? { count: 0, last: '' }
    // A prompt is judged whole or not at all.
    if (count >= sample && group !== last) return false
    taken.set(what, { count: count + 1, last: group })
    return true
  })
}

export function isHandoff({ kind }: Pick<Entry, 'kind'>): boolean {
  return kind === 'handoff'
}

/** The ids of the entries that may be injected. A version that injects one suggestion may inject each of them. */
export function injectableIds({ sessions, entries }: ReplayedProject): ReadonlySet<string> {
  const injected = new Set(
    sessions.flatMap(({ start, prompts }) =>
      [start, ...prompts].flatMap(({ items }) => items.map(({ id }) => id)),
    ),
  )
  const injectsSuggestions = entries.some(entry => isSuggestion(entry) && injected.has(entry.id))
  return new Set(entries.filter(entry => injectsSuggestions || !isSuggestion(entry)).map(({ id }) => id))
}

function itemsOfProject(replayed: ReplayedProject, labels: ReplayLabels): Item[] {
  const { project, sessions, entries } = replayed
  const entryById = new Map(entries.map(entry => [entry.id, entry]))
  const injectable = injectableIds(replayed)
  const sessionById = new Map(sessions.map(session => [session.session, session]))
  const firstRequest = (session: string | undefined) => sessionById.get(session ?? '')?.firstRequest ?? ''
  const statement = (text: string) => ({
    id: itemId('statement', project, normalise(text)),
    label: labels.statements.get(statementKey(project, text)),
  })

  const stored = entries
    .filter(entry => !isHandoff(entry))
    .map((entry): Item => {
      const { id, status, session, kind, content } = entry
      return {
        key: {
          ...statement(content),
          what: 'entry',
          project,
          session,
          entry: id,
          writer: writerOf(entry),
          status,
          injectable: injectable.has(id),
        },
        text: content,
        context: { kind, firstRequest: firstRequest(session) },
      }
    })

  const waiting = suggestionsOf(replayed).map(
    ({ id, content, session, kind }): Item => ({
      key: { ...statement(content), what: 'suggestion', project, session, entry: id },
      text: content,
      context: { kind, firstRequest: firstRequest(session) },
    }),
  )

  const told = sessions.flatMap((session, number) => [
    ...session.start.items.map((item): Item => {
      const common = { project, session: session.session, entry: item.id, tier: item.tier }
      const entry = entryById.get(item.id ?? '')
      const writer = entry && writerOf(entry)
      if (item.tier === 'handoff') {
        const text = entry?.content ?? item.text
        const from = sessionById.get(entry?.session ?? '') ?? sessions[number - 1]
        return {
          key: { ...handoffKey(project, text, labels), ...common, writer },
          text: item.text,
          context: handoffContext(from),
        }
      }
      const text = entry?.content ?? item.text
      return {
        key: { ...statement(text), what: 'start item', ...common, writer, status: entry?.status },
        text,
        context: { kind: entry?.kind ?? item.tier, firstRequest: firstRequest(entry?.session) },
      }
    }),
    ...session.prompts.flatMap(brief =>
      brief.items.map((item): Item => {
        const entry = entryById.get(item.id ?? '')
        return {
          key: {
            id: itemId('prompt', brief.session, brief.prompt, normalise(item.text)),
            what: 'prompt item',
            project,
            session: brief.session,
            prompt: brief.prompt,
            entry: item.id,
            tier: item.tier,
            writer: entry && writerOf(entry),
            status: entry?.status,
            label: labels.promptItems.get(promptItemKey(brief.session, brief.prompt, item.text)),
          },
          group: itemId('group', brief.session, brief.prompt),
          text: textForJudge(item),
          context: { prompt: clip(brief.promptText, 1500), messagesBefore: brief.before },
        }
      }),
    ),
  ])

  const wholes = sessions.flatMap(({ prompts, storedBefore }) => {
    const stored = entries.filter(
      entry => injectable.has(entry.id) && storedBefore.has(entry.id) && !isHandoff(entry),
    )
    return prompts.flatMap((brief): Item[] => {
      const shown = new Set(brief.items.map(({ text }) => normalise(text)))
      const others = stored.map(({ content }) => content).filter(text => !shown.has(normalise(text)))
      const notInjected = likeliest([...brief.before, brief.promptText].join('\n'), others, MAX_CANDIDATES)
      if (notInjected.length === 0) return []
      return [
        {
          key: {
            id: itemId('whole', brief.session, brief.prompt, ...notInjected.map(normalise)),
            what: 'prompt as a whole',
            project,
            session: brief.session,
            prompt: brief.prompt,
          },
          group: itemId('group', brief.session, brief.prompt),
          text: clip(brief.promptText, 1500),
          context: {
            question: 'Would an agent do this task better with one of the entries that were not injected?',
            messagesBefore: brief.before,
            injected: brief.items.map(textForJudge),
            notInjected,
          },
        },
      ]
    })
  })

  const pairs = replayed.conflicts.map(
    ({ older, newer, type }): Item => ({
      key: {
        id: itemId('pair', project, normalise(older.content), normalise(newer.content)),
        what: 'conflict',
        project,
        session: newer.session,
        tier: type,
        label: labels.pairs.get(pairKey(project, older.content, newer.content)),
      },
      text: `older: ${older.content}\n\nnewer: ${newer.content}`,
      context: { question: 'Do these contradict each other, or does the newer one replace the older one?' },
    }),
  )

  const lines = replayed.state.map(
    ({ section, text }): Item => ({
      key: {
        id: itemId('state', project, section, normalise(text)),
        what: 'state line',
        project,
        tier: section,
      },
      text,
      context: { section, lastSessions: sessions.slice(-3).map(({ firstRequest }) => firstRequest) },
    }),
  )

  const texts = entries.filter(({ id }) => injectable.has(id)).map(({ content }) => content)
  const facts = labels.facts
    .filter(fact => fact.project === project && sessionById.has(fact.session))
    .map(({ fact, session, kind }): Item => {
      const near = nearest(fact, texts, 4).map(({ text }) => text)
      return {
        key: {
          id: itemId('fact', project, session, fact, ...near),
          what: 'fact',
          project,
          session,
          tier: kind,
        },
        text: fact,
        context: { question: 'Does one of these stored entries say it?', entries: near },
      }
    })
  return [...stored, ...waiting, ...told, ...wholes, ...pairs, ...lines, ...facts]
}

/** What waits for a person: the review queue without entries that are injectable in their own right. */
export function suggestionsOf({ suggestions, entries }: ReplayedProject): ReplayedProject['suggestions'] {
  const accepted = new Set(entries.filter(entry => !isSuggestion(entry)).map(({ id }) => id))
  return suggestions.filter(({ id }) => !accepted.has(id))
}

/** Without ids, which differ from run to run and would tell one version from another. */
function textForJudge({ text }: InjectedItem): string {
  return text.replace(/#\d{13}-[a-z0-9]{4}/g, '#…')
}

function handoffKey(project: string, text: string, labels: ReplayLabels) {
  return {
    id: itemId('handoff', project, normalise(text)),
    what: 'handoff' as const,
    label: labels.handoffs.get(statementKey(project, text)),
  }
}

function handoffContext(from: ReplayedSession | undefined): Readonly<Record<string, unknown>> {
  return { firstRequest: from?.firstRequest ?? '', lastMessages: from?.lastMessages ?? [] }
}
