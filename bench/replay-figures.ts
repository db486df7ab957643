import { isSuggestion } from '../src/kernel/model/entry.ts'
import { WRITERS, writerOf } from '../src/kernel/model/provenance.ts'
import { promptItemKey, type ReplayLabels } from './replay-data.ts'
import { nearest } from './replay-match.ts'
import type { ReplayedBrief, ReplayedProject } from './replay-run.ts'
import { percent, type RunTotals } from './replay-score.ts'
import { injectableIds, isHandoff, suggestionsOf } from './replay-sheet.ts'
import type { Table } from './report.ts'
import { mean, percentile, roundTo } from './statistics.ts'

const STATUSES = ['candidate', 'confirmed', 'pinned'] as const
/** As the reference scorer counts: rough, and lower than what a judge finds. */
const MIN_OVERLAP = 0.4

export interface BriefFigures {
  readonly briefs: number
  readonly silent: number
  readonly silentShare: number
  readonly items: number
  readonly itemsPerBrief: number
  readonly itemsByTier: Readonly<Record<string, number>>
  readonly meanTokens: number
  readonly p95Tokens: number
  readonly conflictMarks: number
  readonly suggestionsInjected: number
  readonly degraded: number
}

export interface ReplayFigures {
  readonly projects: number
  readonly sessions: number
  readonly stored: Readonly<Record<string, StoredFigures>>
  readonly start: BriefFigures
  readonly prompt: BriefFigures
  readonly handoffsStored: number
  readonly waiting: Readonly<Record<string, number>>
  readonly waitingBySession: { readonly mean: number; readonly max: number }
  readonly conflicts: Readonly<Record<string, number>>
  readonly state: Readonly<Record<string, number>>
  readonly labelledPrompts: LabelledPrompts
  readonly facts: { readonly total: number; readonly sameSession: number; readonly anySession: number }
  readonly questions: { readonly sessions: number; readonly worthAsking: number; readonly meanTokens: number }
  readonly agentSaves: {
    readonly sessions: number
    /** Of these, sessions whose agent would not have been asked. */
    readonly unasked: number
    readonly stored: number
    readonly refused: number
    readonly unresolved: number
  }
  readonly trackedLines: number
  readonly errors: number
}

export interface StoredFigures {
  readonly candidate: number
  readonly confirmed: number
  readonly pinned: number
  readonly total: number
  readonly atEnd: number
  readonly injectable: number
}

export interface LabelledPrompts {
  readonly prompts: number
  readonly silent: number
  readonly items: number
  readonly labelled: number
  readonly helpful: number
  readonly helpfulLabels: number
  readonly noise: number
  readonly noiseLabels: number
  readonly withHelpful: number
}

export function figuresOf(projects: readonly ReplayedProject[], labels: ReplayLabels): ReplayFigures {
  const sessions = projects.flatMap(each => each.sessions)
  const perSession = projects.flatMap(each => {
    const counts = new Map(each.sessions.map(({ session }) => [session, 0]))
    for (const { session = '' } of suggestionsOf(each)) counts.set(session, (counts.get(session) ?? 0) + 1)
    return [...counts.values()]
  })
  const answered = sessions.filter(each => each.saved !== undefined)
  const saved = answered.flatMap(each => each.saved ?? [])
  const asked = sessions.flatMap(each => each.question ?? [])
  const worthAsking = asked.filter(each => each.isWorthAsking)
  return {
    projects: projects.length,
    sessions: sessions.length,
    stored: storedByWriter(projects),
    start: briefFigures(projects, each => [each.start]),
    prompt: briefFigures(projects, each => each.prompts),
    handoffsStored: projects.reduce((sum, { entries }) => sum + entries.filter(isHandoff).length, 0),
    waiting: Object.fromEntries(projects.map(each => [each.project, suggestionsOf(each).length])),
    waitingBySession: { mean: roundTo(2, mean(perSession)), max: Math.max(...perSession) },
    conflicts: countBy(
      projects.flatMap(({ conflicts }) =>
        conflicts.map(
          ({ type, resolved }) => `${type}, ${resolved === undefined ? 'open' : 'resolved automatically'}`,
        ),
      ),
    ),
    state: countBy(projects.flatMap(({ state }) => state.map(({ section }) => section))),
    labelledPrompts: labelledPrompts(projects, labels),
    facts: factFigures(projects, labels),
    questions: {
      sessions: asked.length,
      worthAsking: worthAsking.length,
      meanTokens: worthAsking.length === 0 ? 0 : roundTo(0, mean(worthAsking.map(({ tokens }) => tokens))),
    },
    agentSaves: {
      sessions: saved.length,
      unasked: answered.filter(({ question }) => question?.isWorthAsking === false).length,
      stored: saved.reduce((sum, { stored }) => sum + stored, 0),
      refused: saved.reduce((sum, { refused }) => sum + refused.length, 0),
      unresolved: saved.reduce((sum, { unresolved }) => sum + unresolved, 0),
    },
    trackedLines: projects.reduce((sum, each) => sum + each.trackedLines, 0),
    errors: sessions.reduce((sum, { errors }) => sum + errors.length, 0),
  }
}

export function totalsOf({ sessions, prompt, waiting, agentSaves }: ReplayFigures): RunTotals {
  return {
    sessions,
    prompts: prompt.briefs,
    silentPrompts: prompt.silent,
    answeredSessions: agentSaves.sessions,
    maxWaiting: Math.max(0, ...Object.values(waiting)),
  }
}

function storedByWriter(projects: readonly ReplayedProject[]): Record<string, StoredFigures> {
  const stored = projects.flatMap(replayed => {
    const injectable = injectableIds(replayed)
    return replayed.entries
      .filter(entry => !isHandoff(entry))
      .map(entry => ({
        writer: writerOf(entry),
        status: entry.status,
        isAtEnd: replayed.atEnd.has(entry.id),
        isInjectable: injectable.has(entry.id),
      }))
  })
  return Object.fromEntries(
    WRITERS.map(writer => {
      const own = stored.filter(each => each.writer === writer)
      const [candidate, confirmed, pinned] = STATUSES.map(
        status => own.filter(each => each.status === status).length,
      )
      return [
        writer,
        {
          candidate: candidate ?? 0,
          confirmed: confirmed ?? 0,
          pinned: pinned ?? 0,
          total: own.length,
          atEnd: own.filter(each => each.isAtEnd).length,
          injectable: own.filter(each => each.isInjectable).length,
        },
      ]
    }),
  )
}

function briefFigures(
  projects: readonly ReplayedProject[],
  briefsOf: (session: ReplayedProject['sessions'][number]) => readonly ReplayedBrief[],
): BriefFigures {
  const suggestionIds = new Set(
    projects.flatMap(({ entries }) => entries.filter(isSuggestion).map(({ id }) => id)),
  )
  const briefs = projects.flatMap(({ sessions }) => sessions.flatMap(briefsOf))
  const items = briefs.flatMap(brief => brief.items)
  const silent = briefs.filter(brief => brief.items.length === 0).length
  const tokens = briefs.map(brief => brief.tokens)
  return {
    briefs: briefs.length,
    silent,
    silentShare: roundTo(3, silent / Math.max(1, briefs.length)),
    items: items.length,
    itemsPerBrief: roundTo(2, items.length / Math.max(1, briefs.length)),
    itemsByTier: countBy(items.map(({ tier }) => tier)),
    meanTokens: tokens.length === 0 ? 0 : roundTo(0, mean(tokens)),
    p95Tokens: tokens.length === 0 ? 0 : percentile(tokens, 0.95),
    conflictMarks: items.filter(({ text }) => text.includes('[⚠ CONFLICT]')).length,
    suggestionsInjected: items.filter(({ id }) => id !== undefined && suggestionIds.has(id)).length,
    degraded: briefs.filter(({ degraded }) => degraded.length > 0).length,
  }
}

/** The prompts that judges labelled for an earlier version: what is still injected, and what is new. */
function labelledPrompts(projects: readonly ReplayedProject[], labels: ReplayLabels): LabelledPrompts {
  const briefs = projects
    .flatMap(({ sessions }) => sessions.flatMap(({ prompts }) => prompts))
    .filter(({ session, prompt }) => labels.prompts.has(`${session}|${prompt}`))
  const known = briefs.map(({ session, prompt, items }) =>
    items.map(({ text }) => labels.promptItems.get(promptItemKey(session, prompt, text))),
  )
  const replayed = new Set(briefs.map(({ session, prompt }) => `${session}|${prompt}|`))
  const all = [...labels.promptItems].filter(([key]) =>
    replayed.has(key.slice(0, key.indexOf('|', key.indexOf('|') + 1) + 1)),
  )
  const count = (label: string) => known.flat().filter(each => each === label).length
  return {
    prompts: briefs.length,
    silent: briefs.filter(({ items }) => items.length === 0).length,
    items: known.flat().length,
    labelled: known.flat().filter(label => label !== undefined).length,
    helpful: count('helpful'),
    helpfulLabels: all.filter(([, label]) => label === 'helpful').length,
    noise: count('noise'),
    noiseLabels: all.filter(([, label]) => label === 'noise').length,
    withHelpful: known.filter(each => each.includes('helpful')).length,
  }
}

function factFigures(projects: readonly ReplayedProject[], labels: ReplayLabels): ReplayFigures['facts'] {
  let total = 0
  let sameSession = 0
  let anySession = 0
  for (const replayed of projects) {
    const injectable = injectableIds(replayed)
    const entries = replayed.entries.filter(entry => injectable.has(entry.id) && !isHandoff(entry))
    for (const { project, session, fact } of labels.facts) {
      if (project !== replayed.project || !replayed.sessions.some(each => each.session === session)) continue
      total++
      const isNear = (among: typeof entries) =>
        (nearest(
          fact,
          among.map(({ content }) => content),
          1,
        )[0]?.overlap ?? 0) >= MIN_OVERLAP
      if (isNear(entries.filter(entry => entry.session === session))) sameSession++
      if (isNear(entries)) anySession++
    }
  }
  return { total, sameSession, anySession }
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

export function figureTables(figures: ReplayFigures): Table[] {
  const { start, prompt, stored, labelledPrompts: labelled, facts, agentSaves, questions } = figures
  const briefRow = (name: string, value: (brief: BriefFigures) => string | number) => [
    name,
    String(value(start)),
    String(value(prompt)),
  ]
  const tiers = [...new Set([...Object.keys(start.itemsByTier), ...Object.keys(prompt.itemsByTier)])].sort()
  const total = (field: keyof StoredFigures) =>
    Object.values(stored).reduce((sum, each) => sum + each[field], 0)
  const storedRow = (name: string, value: (field: keyof StoredFigures) => number) => [
    name,
    ...([...STATUSES, 'total', 'atEnd', 'injectable'] as const).map(value),
  ]
  return [
    {
      title: `Stored entries of ${figures.sessions} sessions in ${figures.projects} projects, without handoffs`,
      rows: [
        ['writer', ...STATUSES, 'total', 'at the end', 'injectable'],
        ...Object.entries(stored).map(([writer, each]) => storedRow(writer, field => each[field])),
        storedRow('all', total),
      ],
    },
    {
      title: 'Injected',
      rows: [
        ['', 'session starts', 'prompts'],
        briefRow('briefs', each => each.briefs),
        briefRow('without items', each => `${each.silent} (${percent(each.silentShare)})`),
        briefRow('items', each => each.items),
        briefRow('items per brief', each => each.itemsPerBrief),
        ...tiers.map(tier => briefRow(`  ${tier}`, each => each.itemsByTier[tier] ?? 0)),
        briefRow('mean tokens', each => each.meanTokens),
        briefRow('p95 tokens', each => each.p95Tokens),
        briefRow('items marked as a conflict', each => each.conflictMarks),
        briefRow('suggestions injected', each => each.suggestionsInjected),
        briefRow('degraded briefs', each => each.degraded),
      ],
    },
    {
      title: 'Waiting, reported, recalled',
      rows: [
        ...Object.entries(figures.waiting).map(([project, count]) => [
          `suggestions waiting: ${project}`,
          count,
        ]),
        ['suggestions waiting: mean per session', figures.waitingBySession.mean],
        ['suggestions waiting: most of one session', figures.waitingBySession.max],
        ['handoffs stored', figures.handoffsStored],
        ['lines that git would commit', figures.trackedLines],
        ...Object.entries(figures.conflicts).map(([name, count]) => [`pairs: ${name}`, count]),
        ...Object.entries(figures.state).map(([name, count]) => [`state lines: ${name}`, count]),
        ...(questions.sessions === 0
          ? []
          : [
              ['sessions whose agent would be asked', questions.worthAsking],
              ['mean tokens of that question', questions.meanTokens],
            ]),
        ...(agentSaves.sessions === 0
          ? []
          : [
              ['answers of the agent: sessions', agentSaves.sessions],
              ['answers of the agent: sessions that would not be asked', agentSaves.unasked],
              ['answers of the agent: saves stored', agentSaves.stored],
              ['answers of the agent: saves refused', agentSaves.refused],
              ['answers of the agent: unknown entries in `supersedes`', agentSaves.unresolved],
            ]),
        ['calls that failed', figures.errors],
      ],
    },
    {
      title: 'Against the labels of the data set',
      rows: [
        ['labelled prompts', `${labelled.prompts}`],
        ['  without items', `${labelled.silent}`],
        ['  items, and how many of them have a label', `${labelled.items}, ${labelled.labelled}`],
        ['  helpful items still injected', `${labelled.helpful} of ${labelled.helpfulLabels}`],
        ['  noise still injected', `${labelled.noise} of ${labelled.noiseLabels}`],
        ['  prompts with an item labelled helpful', `${labelled.withHelpful}`],
        ['durable facts', `${facts.total}`],
        ['  40 % of the words in an injectable entry of the session', `${facts.sameSession}`],
        ['  40 % of the words in any injectable entry', `${facts.anySession}`],
      ],
    },
  ]
}
