import type {
  Bundle,
  BundleItem,
  BundleSection,
  ProjectMap,
  ValidationCommand,
} from '../../../kernel/model/bundle.ts'
import type { MemoryEvent } from '../../../kernel/model/event.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { plainStatement } from '../../../kernel/text/plain-statement.ts'
import { entryTimeOf, isoOf, itemsOfEntries } from './bundle-items.ts'
import { BUNDLE_LIMITS, COMMAND_DAYS, type RecallEntry, type RecallInput } from './recall-input.ts'

/** The reason why an item left the bundle. */
type LeavingReason = 'finished' | 'superseded' | 'its entry is gone' | 'no room' | 'a newer handoff'

export interface RecallPlan {
  readonly bundle: Bundle
  readonly left: readonly {
    readonly section: BundleSection
    readonly text: string
    readonly why: LeavingReason
  }[]
  /** Number of items that did not fit, by section. */
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
 * Plans the next bundle. It depends on the input alone; planned again with its own result and no news, it is the same.
 *
 *   focus        the requests of the last real handoff
 *   gotchas      warnings, errors and lessons that a person wrote or confirmed, or that an agent saved
 *   next steps   open tasks, and the open steps of that handoff
 *   commands     checks that were run, and the project's own
 *   map          the repository
 *
 * Suggestions, findings of rules and messages of sessions are never read (ADR 58).
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
    // A bundle needs a name.
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

/** The entry is newer than the restored checkpoint, and did not change since the restore. */
function isSetAside(entry: RecallEntry['entry'], setAside: RecallInput['setAside']): boolean {
  return (
    setAside !== undefined &&
    Object.hasOwn(setAside, entry.id) &&
    setAside[entry.id] === fingerprint(entry.content)
  )
}

/** Takes the words of a model for items whose entries are unchanged. */
function worded(
  fresh: readonly BundleItem[],
  old: readonly BundleItem[],
  { wordedAt, entries = [] }: RecallInput,
): readonly BundleItem[] {
  if (wordedAt === undefined) return fresh
  const changed = new Set(
    entries.filter(({ entry }) => entryTimeOf(entry) > wordedAt).map(({ entry }) => `entry:${entry.id}`),
  )
  const current = new Set(fresh.flatMap(({ sources }) => sources))
  const bySource = new Map(
    old
      .filter(({ sources }) => sources.every(one => current.has(one) && !changed.has(entryOf(one))))
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

const DAY_MS = 86_400_000
/** Scripts that check a project, in the order in which a person runs them. */
const CHECKS = [
  'test',
  'tests',
  'check',
  'typecheck',
  'type-check',
  'types',
  'lint',
  'build',
  'ci',
  'verify',
  'validate',
]
/** Listed even if no run was recorded. */
const CHECKS_UNSEEN = new Set(['test', 'check', 'typecheck', 'type-check', 'lint'])
const SOURCES_OF_COMMAND = 3

interface CommandOutcome {
  readonly command: string
  readonly key: string
  readonly outcome: 'passed' | 'failed'
  /** UTC ISO. */
  readonly at: string
  readonly source: string
}

/** In the order of the log. An imported observation may be only a text, without an outcome: it is skipped. */
function observationsIn(events: readonly MemoryEvent[], clean: (text: string) => string): CommandOutcome[] {
  return events.flatMap(event => {
    const at = isoOf(event.createdAt)
    return (event.signals.validationObservations as readonly unknown[]).flatMap(observed => {
      const { command, outcome } = (observed ?? {}) as { command?: unknown; outcome?: unknown }
      if (typeof command !== 'string' || (outcome !== 'passed' && outcome !== 'failed')) return []
      const text = plainStatement(clean(command), BUNDLE_LIMITS.commandCharacters)
      return text === ''
        ? []
        : [{ command: text, key: keyOf(text), outcome, at, source: `event:${event.id}` }]
    })
  })
}

/** `npm run test`, `npm t` and `npm test` are one; so are `npx vitest` and `vitest`. */
export function keyOf(command: string): string {
  return command
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(
      /^(?:npx|bunx|pnpx|(?:pnpm|yarn) (?:exec|dlx)|npm exec|(?:poetry|uv|pipenv) run|bundle exec|python3? -m) /,
      '',
    )
    .replace(/^(npm|pnpm|yarn|bun) (?:run |run-script )/, '$1 ')
    .replace(/^npm (?:t|tst)$/, 'npm test')
    .trim()
}

/** Commands that check the project, its own scripts first, each with its last outcome. */
function foldCommands(
  old: readonly ValidationCommand[],
  observations: readonly CommandOutcome[],
  { map, packageManager }: { readonly map: ProjectMap; readonly packageManager: string },
): ValidationCommand[] {
  const byKey = new Map<string, ValidationCommand>()
  for (const known of old) byKey.set(keyOf(known.command), known)
  for (const { command, key, outcome, at, source } of observations) {
    const known = byKey.get(key)
    if (known?.lastRunAt !== undefined && known.lastRunAt > at) continue
    const sources = [
      source,
      ...(known?.sources ?? []).filter(one => one !== source && one.startsWith('event:')),
    ]
    byKey.set(key, {
      command: known?.command ?? command,
      lastOutcome: outcome,
      lastRunAt: at,
      sources: sources.slice(0, SOURCES_OF_COMMAND),
    })
  }
  const scripts = scriptsOf(map, packageManager)
  for (const { key, command, path, isUnseen } of scripts) {
    if (isUnseen && !byKey.has(key)) byKey.set(key, { command, sources: [`file:${path}`] })
  }
  const order = new Map(scripts.map(({ key }, at) => [key, at]))
  const newest = [...byKey.values()].reduce(
    (latest, { lastRunAt = '' }) => (lastRunAt > latest ? lastRunAt : latest),
    '',
  )
  return [...byKey]
    .filter(([key, { lastRunAt }]) =>
      lastRunAt === undefined
        ? order.has(key)
        : order.has(key) || Date.parse(newest) - Date.parse(lastRunAt) <= COMMAND_DAYS * DAY_MS,
    )
    .sort(([a, one], [b, other]) => {
      const places = (order.get(a) ?? CHECKS.length * 100) - (order.get(b) ?? CHECKS.length * 100)
      const [mine = '', theirs = ''] = [one.lastRunAt, other.lastRunAt]
      return places || (mine < theirs ? 1 : mine > theirs ? -1 : a < b ? -1 : 1)
    })
    .slice(0, BUNDLE_LIMITS.validationCommands)
    .map(([, command]) => command)
}

function scriptsOf(
  map: ProjectMap,
  manager: string,
): { key: string; command: string; path: string; isUnseen: boolean }[] {
  return map.scripts
    .filter(({ name, path }) => CHECKS.includes(name) && !path.includes('/'))
    .sort((a, b) => CHECKS.indexOf(a.name) - CHECKS.indexOf(b.name))
    .map(({ name, command, path }) => {
      const typed = /package\.json$/.test(path)
        ? `${manager} ${name === 'test' || manager !== 'npm' ? name : `run ${name}`}`
        : /^(?:make|just|task|rake|cargo) /.test(command)
          ? command
          : /composer\.json$/.test(path)
            ? `composer ${name}`
            : /deno\.jsonc?$/.test(path)
              ? `deno task ${name}`
              : command
      return { key: keyOf(typed), command: typed, path, isUnseen: CHECKS_UNSEEN.has(name) }
    })
}
