import type { BundleSection } from '../../../kernel/model/bundle.ts'

/** Where an answer may come from: the state, the vault, what happened, what the state said before. */
export const QUERY_SOURCES = ['bundle', 'entries', 'events', 'checkpoints'] as const
export type QuerySource = (typeof QUERY_SOURCES)[number]

export interface Answer {
  readonly source: QuerySource
  /** Of the entry, event or checkpoint; of the state the place in it: `nextSteps[2]`. */
  readonly id: string
  /** From 0 to 1, the same scale for every source. */
  readonly score: number
  readonly text: string
  readonly section?: BundleSection
  /** Of an entry. */
  readonly kind?: string
  readonly agent?: string
  /** UTC: since when it is known. */
  readonly date?: string
  /** Of a checkpoint: when it still was said. */
  readonly until?: string
  readonly files: readonly string[]
  /** What a statement of the state stands on: `entry:<id>`, `event:<id>`. */
  readonly sources: readonly string[]
  /** What is to be said of it: superseded, in conflict, drifted. */
  readonly notes?: readonly string[]
}

/** What is not in the answer, and why. */
export interface LeftOut {
  readonly what: string
  readonly count: number
  readonly why: string
}

export const SECTION_TITLES: Readonly<Record<BundleSection, string>> = {
  project: 'Project',
  projectMap: 'Project map',
  currentFocus: 'Current focus',
  gotchas: 'Gotchas',
  nextSteps: 'Next steps',
  validationCommands: 'Checks',
}

const ONE: Readonly<Record<BundleSection, string>> = {
  project: 'project',
  projectMap: 'project map',
  currentFocus: 'current focus',
  gotchas: 'gotcha',
  nextSteps: 'next step',
  validationCommands: 'check',
}

/** `next step · since 2026-03-16` · `decision · shared · 2026-03-16 · 1773…` · `gotcha · until 2026-03-01 · checkpoint …` */
export function labelOf({ source, id, section, kind, agent, date, until }: Answer): string {
  const day = date?.slice(0, 10)
  const what = section === undefined ? (kind ?? 'event') : ONE[section]
  switch (source) {
    case 'bundle':
      return [what, ...(day === undefined ? [] : [`since ${day}`])].join(' · ')
    case 'checkpoints':
      return [what, `until ${until?.slice(0, 10) ?? '?'}`, `checkpoint ${id}`].join(' · ')
    case 'events':
      return ['event', ...(day === undefined ? [] : [day]), id].join(' · ')
    case 'entries':
      return [what, agent, day, id].filter(part => part !== undefined).join(' · ')
  }
}
