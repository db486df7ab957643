import type { Freshness } from '../../kernel/model/freshness.ts'
import type { DocumentReference } from '../../kernel/model/workspace.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import { freshnessNote } from '../freshness/present-freshness.ts'
import { documentLabels, documentPlace } from '../search/present-document.ts'

export const BRIEF_PRESENTERS = {
  brief: presentBrief,
  why: presentWhy,
  briefs: presentBriefs,
  feedback: presentFeedback,
} satisfies Partial<Presenters>

/** The text alone, as a host receives it; a person also reads what is to be said about it. */
function presentBrief({ text, tokens, included, left }: AnswerOf<'brief'>, terminal: Terminal): void {
  if (text !== '') terminal.out(`${text}\n`)
  if (!terminal.isInteractive) return
  if (text === '') terminal.err(`${terminal.dim('Nothing is worth telling.')}\n`)
  const items = `${included.length} ${included.length === 1 ? 'item' : 'items'}, ${tokens} tokens`
  terminal.err(`${terminal.dim(`${items}; ${left.length} left out (cairn why tells more)`)}\n`)
}

interface WhyView {
  readonly prompt: string
  readonly items: readonly {
    readonly id?: string
    readonly tier: string
    readonly told: boolean
    readonly reason: string
    readonly preview: string
  }[]
  readonly tokens: number
  readonly floor: number
  readonly general: boolean
  readonly profile: string
  readonly candidates: readonly CandidateView[]
  readonly preferences: readonly {
    readonly id: string
    readonly told: boolean
    readonly reason?: string
    readonly preview: string
  }[]
}

interface CandidateView {
  readonly id: string
  readonly score: number
  readonly relevance: number
  readonly words: number
  readonly meaning: number
  readonly factors: Readonly<Record<string, number>>
  readonly replaces?: string
  readonly replacedBy?: string
  readonly freshness?: Freshness
  readonly document?: DocumentReference
  readonly told: boolean
  readonly reason?: string
  readonly date: string
  readonly kind: string
  readonly preview: string
}

/**
 *   told  0.41  1773679871839-k3f9  decision · 2026-03-16
 *               relevance 0.40 (words 0.21, meaning 0.24) × files 1.30 × status 1.05
 *               Never modify the auth middleware directly …
 */
function presentWhy(view: AnswerOf<'why'>, terminal: Terminal): void {
  const { floor, general, profile, candidates, preferences } = view
  if (view.items.length > 0 || view.prompt.trim() === '') {
    presentStart(view, terminal)
    return
  }
  const kind = general ? ' (asks for general knowledge, so the floor is higher)' : ''
  terminal.out(`${terminal.dim(`floor ${floor}${kind}, profile ${visible(profile)}`)}\n`)
  if (candidates.length === 0) terminal.out('No entry comes near this prompt.\n')
  for (const candidate of candidates) {
    const verdict = candidate.told ? terminal.bold('told') : terminal.dim('left')
    const head = `${candidate.score.toFixed(2)}  ${visibleName(candidate.id)}  ${labelsOf(candidate)}`
    terminal.out(`${verdict}  ${head}\n`)
    terminal.out(`            ${terminal.dim(accountOf(candidate))}\n`)
    terminal.out(`            ${visible(candidate.preview)}\n`)
    if (candidate.document !== undefined)
      terminal.out(`            ${terminal.dim(documentPlace(candidate.document))}\n`)
    const note = freshnessNote(candidate.freshness, terminal)
    if (note !== undefined) terminal.out(`            ${note}\n`)
  }
  if (preferences.length > 0) terminal.out(`${terminal.dim('yours, in every project')}\n`)
  for (const { id, told, reason, preview } of preferences) {
    const verdict = told ? terminal.bold('told') : terminal.dim('left')
    const why = reason === undefined ? '' : `  ${terminal.dim(reason)}`
    terminal.out(`${verdict}  ${visibleName(id)}${why}\n            ${visible(preview)}\n`)
  }
}

/**
 *   told  tasks  1773679871839-k3f9  an open task
 *         - [ ] measure the cache
 */
function presentStart({ items, prompt, tokens }: WhyView, terminal: Terminal): void {
  terminal.out(`${terminal.dim(`start brief, ${tokens} tokens`)}\n`)
  for (const { id, tier, told, reason, preview } of items) {
    const verdict = told ? terminal.bold('told') : terminal.dim('left')
    const name = id === undefined ? '' : `  ${visibleName(id)}`
    terminal.out(`${verdict}  ${visibleName(tier)}${name}  ${terminal.dim(visible(reason))}\n`)
    if (preview !== '') terminal.out(`      ${visible(preview)}\n`)
  }
  if (prompt.trim() === '') {
    const hint = 'Decisions and lessons are in only when the command is known: cairn why --start "…"'
    terminal.out(`${terminal.dim(hint)}\n`)
  }
}

function labelsOf({ document, kind, date }: CandidateView): string {
  if (document !== undefined) return documentLabels(document, date)
  return `${visibleName(kind)} · ${date.slice(0, 10)}`
}

function accountOf({
  relevance,
  words,
  meaning,
  factors,
  reason,
  replaces,
  replacedBy,
}: CandidateView): string {
  const telling = Object.entries(factors).filter(([, value]) => Math.abs(value - 1) >= 0.005)
  const product = telling.map(([name, value]) => ` × ${name} ${value.toFixed(2)}`).join('')
  const parts = [
    `relevance ${relevance.toFixed(2)} (words ${words.toFixed(2)}, meaning ${meaning.toFixed(2)})${product}`,
    replaces === undefined ? '' : `takes the place of ${visible(replaces)}`,
    replacedBy === undefined ? '' : `replaced by ${visible(replacedBy)}`,
    reason ?? '',
  ]
  return parts.filter(part => part !== '').join('; ')
}

function presentBriefs({ briefs }: AnswerOf<'briefs'>, terminal: Terminal): void {
  if (briefs.length === 0) terminal.out('No brief was given yet.\n')
  for (const { id, at, host, prompt, tokens, ms, included } of briefs) {
    const facts = `${at.slice(0, 16)}  ${visible(host)}  ${included.length} items, ${tokens} tokens, ${Math.round(ms)} ms`
    terminal.out(`${visibleName(id)}  ${terminal.dim(facts)}\n`)
    if (prompt !== '') terminal.out(`    ${visible(prompt.replace(/\s+/g, ' ').slice(0, 100))}\n`)
  }
}

function presentFeedback({ entry, useful, wrong }: AnswerOf<'feedback'>, terminal: Terminal): void {
  const preview = visible(entry.content.replace(/\s+/g, ' ').slice(0, 80))
  terminal.out(`${useful} useful, ${wrong} wrong: ${preview}\n`)
}
