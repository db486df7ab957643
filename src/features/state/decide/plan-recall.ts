import type { Bundle, BundleItem, BundleSection } from '../../../kernel/model/bundle.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { itemsOfEntries, momentOf } from './bundle-items.ts'
import { BUNDLE_LIMITS } from './bundle-limits.ts'
import { foldCommands, observationsIn } from './fold-commands.ts'
import type { RecallEntry, RecallInput } from './recall-input.ts'

/** Why an item is no longer in the bundle. */
export type LeavingReason = 'finished' | 'superseded' | 'its entry is gone' | 'no room' | 'a newer handoff'

export interface RecallPlan {
  readonly bundle: Bundle
  readonly left: readonly {
    readonly section: BundleSection
    readonly text: string
    readonly why: LeavingReason
  }[]
  /** Items that there was no room for, by section. */
  readonly crowdedOut: Readonly<Partial<Record<BundleSection, number>>>
}

export const EMPTY_BUNDLE: Bundle = {
  project: { name: 'project' },
  projectMap: { languages: [], packages: [], entryPoints: [], scripts: [], folders: [] },
  currentFocus: [],
  gotchas: [],
  nextSteps: [],
  validationCommands: [],
}

const ENTRY_SECTIONS = ['currentFocus', 'gotchas', 'nextSteps'] as const
type EntrySection = (typeof ENTRY_SECTIONS)[number]

/**
 * The next bundle. It depends on the input alone; planned again with its own result and nothing new, it is the same.
 *
 *   focus        what the last real handoff says was asked
 *   gotchas      warnings, errors and lessons that a person wrote or confirmed, or that an agent saved
 *   next steps   open tasks, and what that handoff says is left
 *   commands     checks that were run, and the project's own
 *   map          the repository
 *
 * Suggestions, findings of rules and the talk of sessions are never read (ADR 58).
 */
export function planRecall(input: RecallInput): RecallPlan {
  const old = input.bundle ?? EMPTY_BUNDLE
  const wanted = new Set(input.sections)
  const entries = input.entries?.filter(({ entry }) => !isSetAside(entry, input.setAside))
  const all = entries === undefined ? undefined : itemsOfEntries(entries, input)
  const items = (section: EntrySection): readonly BundleItem[] =>
    all === undefined || !wanted.has(section) ? old[section] : worded(all[section], old[section], input)
  const limits = { currentFocus: BUNDLE_LIMITS.focusItems, ...BUNDLE_LIMITS }
  const bundle: Bundle = {
    // A bundle without a name would not say whose it is.
    project: wanted.has('project') || input.bundle === undefined ? input.project.facts : old.project,
    projectMap: wanted.has('projectMap') ? input.project.map : old.projectMap,
    currentFocus: items('currentFocus').slice(0, limits.currentFocus),
    gotchas: items('gotchas').slice(0, limits.gotchas),
    nextSteps: items('nextSteps').slice(0, limits.nextSteps),
    validationCommands: wanted.has('validationCommands')
      ? foldCommands(
          old.validationCommands,
          observationsIn(input.events.slice(-BUNDLE_LIMITS.observedEvents), input.clean),
          input.project,
        )
      : old.validationCommands,
  }
  const crowdedOut = Object.fromEntries(
    ENTRY_SECTIONS.flatMap(section => {
      const count = items(section).length - bundle[section].length
      return count > 0 ? [[section, count]] : []
    }),
  )
  return { bundle, left: leaving(old, bundle, input.entries), crowdedOut }
}

/** It came after the checkpoint that was restored, and says what it said then. */
function isSetAside(entry: RecallEntry['entry'], setAside: RecallInput['setAside']): boolean {
  return (
    setAside !== undefined &&
    Object.hasOwn(setAside, entry.id) &&
    setAside[entry.id] === fingerprint(entry.content)
  )
}

/** The words that a model found for items whose entries are unchanged. */
function worded(
  fresh: readonly BundleItem[],
  old: readonly BundleItem[],
  { wordedAt, entries = [] }: RecallInput,
): readonly BundleItem[] {
  if (wordedAt === undefined) return fresh
  const changed = new Set(
    entries.filter(({ entry }) => momentOf(entry) > wordedAt).map(({ entry }) => `entry:${entry.id}`),
  )
  const standing = new Set(fresh.flatMap(({ sources }) => sources))
  const bySource = new Map(
    old
      .filter(({ sources }) => sources.every(one => standing.has(one) && !changed.has(entryOf(one))))
      .flatMap(item => item.sources.map(source => [source, item] as const)),
  )
  return [...new Set(fresh.map(item => bySource.get(item.sources[0] ?? '') ?? item))]
}

/** `entry:a:2` → `entry:a` */
function entryOf(source: string): string {
  return source.replace(/^(entry:.+):\d+$/, '$1')
}

function leaving(
  before: Bundle,
  after: Bundle,
  entries: readonly RecallEntry[] | undefined,
): RecallPlan['left'] {
  if (entries === undefined) return []
  const byId = new Map(entries.map(one => [`entry:${one.entry.id}`, one]))
  return ENTRY_SECTIONS.flatMap(section => {
    const there = new Set(after[section].map(({ text }) => text))
    return before[section]
      .filter(({ text }) => !there.has(text))
      .map(({ text, sources }) => ({
        section,
        text,
        why: whyGone(section, byId.get(entryOf(sources[0] ?? ''))),
      }))
  })
}

function whyGone(section: EntrySection, known: RecallEntry | undefined): LeavingReason {
  if (known === undefined) return 'its entry is gone'
  if (known.isSuperseded) return 'superseded'
  if (known.entry.category === 'handoffs') return 'a newer handoff'
  return section === 'nextSteps' && /\[[xX]\]/.test(known.entry.content) ? 'finished' : 'no room'
}
