import { type KeyRow, VERDICTS, type What } from './replay-sheet.ts'
import { type Check, check, type Table } from './report.ts'
import { roundTo } from './statistics.ts'

/** Figures of a run that no verdict changes; the scorer needs them beside the key. */
export interface RunTotals {
  readonly sessions: number
  readonly prompts: number
  /** Prompts without any item. */
  readonly silentPrompts: number
  readonly answeredSessions: number
  /** The largest review queue of a project at its end. */
  readonly maxWaiting: number
}

export interface Verdict {
  readonly id: string
  readonly verdict: string
}

/** Shares over all occurrences. A judged sample stands for what has no label. */
export interface Shares {
  readonly total: number
  readonly labelled: number
  readonly judged: number
  readonly unjudged: number
  readonly counts: Readonly<Record<string, number>>
  /** Of each verdict, from 0 to 1; null where nothing is labelled or judged. */
  readonly shares: Readonly<Record<string, number>> | null
}

export type VerdictsById = ReadonlyMap<string, string>

/** Throws on a verdict that the item's rubric does not have: a typing error would silently count for nothing. */
export function indexVerdicts(verdicts: readonly Verdict[], key: readonly KeyRow[]): VerdictsById {
  const whatById = new Map(key.map(({ id, what }) => [id, what]))
  for (const { id, verdict } of verdicts) {
    const what = whatById.get(id)
    if (what !== undefined && !(VERDICTS[what] as readonly string[]).includes(verdict))
      throw new Error(`${id}: the verdict for a ${what} is ${VERDICTS[what].join(', ')}, not ${verdict}`)
  }
  return new Map(verdicts.map(({ id, verdict }) => [id, verdict]))
}

/**
 *   share(v) = (labelled(v) + unlabelled · judged(v) / judged) / total
 *
 * Without a judged item: labelled(v) / labelled, which says nothing about the rest.
 */
export function sharesOf(rows: readonly KeyRow[], verdicts: VerdictsById): Shares {
  const labelled: string[] = []
  const judged: string[] = []
  let unjudged = 0
  for (const { id, label } of rows) {
    const verdict = verdicts.get(id)
    if (label !== undefined) labelled.push(label)
    else if (verdict !== undefined) judged.push(verdict)
    else unjudged++
  }
  const counts: Record<string, number> = {}
  for (const verdict of [...labelled, ...judged]) counts[verdict] = (counts[verdict] ?? 0) + 1
  const unlabelled = judged.length + unjudged
  const estimate = (verdict: string) => {
    const known = labelled.filter(each => each === verdict).length
    if (judged.length === 0) return known / labelled.length
    return (
      (known + (unlabelled * judged.filter(each => each === verdict).length) / judged.length) / rows.length
    )
  }
  const [what] = rows.map(row => row.what)
  const isKnown = what !== undefined && labelled.length + judged.length > 0
  return {
    total: rows.length,
    labelled: labelled.length,
    judged: judged.length,
    unjudged,
    counts,
    shares: isKnown
      ? Object.fromEntries(VERDICTS[what].map(verdict => [verdict, roundTo(3, estimate(verdict))]))
      : null,
  }
}

export interface PromptFigures {
  /** Prompts that got items, all of which are labelled or judged. */
  readonly judgedPrompts: number
  readonly promptsWithItems: number
  readonly withHelpful: number
  /** Nothing helpful: noise or filler. */
  readonly nothingHelpful: number
  readonly onlyNoise: number
  /** Of all prompts, silent ones included; null where no prompt is judged. */
  readonly nothingHelpfulShare: number | null
  /** Prompts for which memory had the right entry, as far as both the items and the whole were judged. */
  readonly answerable: number
  /** Those of them that got a helpful item. */
  readonly answered: number
}

export function promptFigures(
  key: readonly KeyRow[],
  verdicts: VerdictsById,
  { prompts, silentPrompts }: RunTotals,
): PromptFigures {
  const verdictsByPrompt = new Map<string, (string | undefined)[]>()
  for (const { id, what, session, prompt, label } of key) {
    if (what !== 'prompt item') continue
    const name = `${session}|${prompt}`
    const known = verdictsByPrompt.get(name) ?? []
    known.push(label ?? verdicts.get(id))
    verdictsByPrompt.set(name, known)
  }
  const judged = [...verdictsByPrompt.values()].filter(known => !known.includes(undefined))
  let answered = 0
  let missed = 0
  for (const { id, what, session, prompt } of key) {
    const whole = verdicts.get(id)
    const items = verdictsByPrompt.get(`${session}|${prompt}`) ?? []
    if (what !== 'prompt as a whole' || whole === undefined || items.includes(undefined)) continue
    if (items.includes('helpful')) answered++
    else if (whole === 'lacking') missed++
  }
  const nothingHelpful = judged.filter(known => !known.includes('helpful')).length
  return {
    judgedPrompts: judged.length,
    promptsWithItems: verdictsByPrompt.size,
    withHelpful: judged.length - nothingHelpful,
    nothingHelpful,
    onlyNoise: judged.filter(known => known.every(verdict => verdict === 'noise')).length,
    nothingHelpfulShare:
      judged.length === 0 || prompts === 0
        ? null
        : roundTo(3, ((nothingHelpful / judged.length) * (prompts - silentPrompts)) / prompts),
    answerable: answered + missed,
    answered,
  }
}

export interface Score {
  readonly groups: Readonly<Record<string, Shares>>
  readonly prompts: PromptFigures
  readonly tables: readonly Table[]
  readonly checks: readonly Check[]
}

const GROUPS: readonly (readonly [name: string, what: What, test?: (row: KeyRow) => boolean])[] = [
  ['entries, injectable, by the agent', 'entry', row => row.injectable === true && row.writer === 'agent'],
  ['entries, injectable, by others', 'entry', row => row.injectable === true && row.writer !== 'agent'],
  ['suggestions waiting', 'suggestion'],
  ['start items', 'start item'],
  ['prompt items', 'prompt item'],
  ['handoffs at a start', 'handoff'],
  ['conflicts and supersessions', 'conflict'],
  ['state: focus', 'state line', row => row.tier === 'focus'],
  ['state: gotchas', 'state line', row => row.tier === 'gotcha'],
  ['state: next steps', 'state line', row => row.tier === 'next step'],
  ['durable facts', 'fact', row => row.tier !== 'rule'],
  ['standing rules that people stated', 'fact', row => row.tier === 'rule'],
]

export function scoreKey(key: readonly KeyRow[], verdicts: VerdictsById, totals: RunTotals): Score {
  const groups: Record<string, Shares> = {}
  for (const [name, what, test = () => true] of GROUPS) {
    const rows = key.filter(row => row.what === what && test(row))
    // One handoff is shown at several starts until the next one replaces it; it is one handoff.
    groups[name] = sharesOf(what === 'handoff' ? distinct(rows) : rows, verdicts)
  }
  const prompts = promptFigures(key, verdicts, totals)
  return {
    groups,
    prompts,
    tables: tablesOf(groups, prompts, totals),
    checks: checksOf(groups, prompts, totals),
  }
}

function distinct(rows: readonly KeyRow[]): KeyRow[] {
  return [...new Map(rows.map(row => [row.id, row])).values()]
}

function tablesOf(
  groups: Readonly<Record<string, Shares>>,
  prompts: PromptFigures,
  totals: RunTotals,
): Table[] {
  const rows = GROUPS.map(([name, what]) => {
    const { total, labelled, judged, unjudged, counts, shares } = groups[name] as Shares
    const cells = VERDICTS[what].map(verdict => {
      const share = shares?.[verdict]
      return share === undefined ? verdict : `${verdict} ${percent(share)} (${counts[verdict] ?? 0})`
    })
    return [name, total, labelled, judged, unjudged, ...cells]
  })
  return [
    {
      title: 'Quality (shares of all; counts of what is labelled or judged in brackets)',
      rows: [['', 'total', 'labelled', 'judged', 'no verdict', '', '', ''], ...rows],
    },
    {
      title: 'Prompts',
      rows: [
        ['prompts', totals.prompts],
        ['silent', totals.silentPrompts],
        ['with items', prompts.promptsWithItems],
        ['  all items labelled or judged', prompts.judgedPrompts],
        ['  of these with a helpful item', prompts.withHelpful],
        ['  of these with nothing helpful', prompts.nothingHelpful],
        ['  of these with noise only', prompts.onlyNoise],
        [
          'only noise or filler, of all prompts',
          prompts.nothingHelpfulShare === null ? 'not judged' : percent(prompts.nothingHelpfulShare),
        ],
        ['memory had the right entry', prompts.answerable],
        ['  of these given it', prompts.answered],
      ],
    },
  ]
}

/** Only what was judged is held against a goal. */
function checksOf(
  groups: Readonly<Record<string, Shares>>,
  prompts: PromptFigures,
  totals: RunTotals,
): Check[] {
  const share = (name: string, verdict: string, kind: Check['goal']['kind'], goal: number) => {
    const value = groups[name]?.shares?.[verdict]
    return value === undefined ? [] : [check(`replay: ${name}, ${verdict}`, value, kind, goal)]
  }
  const agentEntries = groups['entries, injectable, by the agent']?.total ?? 0
  return [
    ...share('entries, injectable, by the agent', 'good', 'at least', 0.85),
    ...(totals.answeredSessions === 0
      ? []
      : [
          check(
            'replay: entries by the agent for each answered session',
            roundTo(2, agentEntries / totals.answeredSessions),
            'at least',
            1.5,
          ),
        ]),
    ...share('entries, injectable, by others', 'good', 'at least', 0.75),
    ...share('entries, injectable, by others', 'junk', 'at most', 0.08),
    ...share('durable facts', 'covered', 'at least', 0.65),
    ...share('standing rules that people stated', 'covered', 'at least', 0.7),
    ...share('prompt items', 'helpful', 'at least', 0.45),
    ...share('prompt items', 'noise', 'at most', 0.1),
    ...(prompts.nothingHelpfulShare === null
      ? []
      : [check('replay: prompts with only noise or filler', prompts.nothingHelpfulShare, 'at most', 0.05)]),
    ...(prompts.answerable === 0
      ? []
      : [
          check(
            'replay: prompts for which memory had the right entry, given it',
            roundTo(3, prompts.answered / prompts.answerable),
            'at least',
            0.5,
          ),
        ]),
    ...share('start items', 'good', 'at least', 0.75),
    ...share('start items', 'junk', 'at most', 0.08),
    ...share('conflicts and supersessions', 'right', 'at least', 0.9),
    ...share('handoffs at a start', 'useful', 'at least', 0.75),
    ...share('state: focus', 'useful', 'at least', 0.8),
    ...share('state: gotchas', 'useful', 'at least', 0.8),
    ...share('state: next steps', 'useful', 'at least', 0.8),
    check('replay: suggestions waiting in one project', totals.maxWaiting, 'at most', 30),
    ...share('suggestions waiting', 'good', 'at least', 0.5),
  ]
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
