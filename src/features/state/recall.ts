import type { Memory } from '../../kernel/memory.ts'
import {
  BUNDLE_SECTIONS,
  type Bundle,
  type BundleSection,
  type ProjectState,
  STATE_VERSION,
} from '../../kernel/model/bundle.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { MemoryEvent } from '../../kernel/model/event.ts'
import { canonicalJson } from '../../kernel/model/json-value.ts'
import type { Degradation, Problem } from '../../kernel/model/search.ts'
import { bundleHashOf } from '../../kernel/system/digest.ts'
import { generatorVersion } from '../../kernel/system/package-facts.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { ConflictPorts } from '../conflicts/decide/ports.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import type { ModelPorts } from '../learning/decide/ports.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { newCheckpoint, stateNewer } from './checkpoints.ts'
import { type Backlog, isChosen, planBacklog, type SourceChoice } from './decide/backlog.ts'
import { type BundleChange, diffBundles, isMeaningful } from './decide/diff-bundle.ts'
import { planRecall } from './decide/plan-recall.ts'
import type { StatePorts, StateReading } from './decide/ports.ts'
import type { RecallPolicy } from './decide/recall-input.ts'
import { refreshProjections } from './projections.ts'
import { gatherEntries } from './recall-entries.ts'
import { scanProject } from './scan-project.ts'
import type { WordedBundle } from './word-bundle.ts'

export type { BundleChange } from './decide/diff-bundle.ts'

export interface RecallOptions {
  readonly dryRun?: boolean
  /** Only this section; the events stay in the backlog for the others. */
  readonly section?: BundleSection | 'all' | undefined
  readonly source?: SourceChoice | undefined
  readonly policy?: RecallPolicy | undefined
  readonly provider?: 'rules' | 'model' | undefined
  readonly onProgress?: (done: number, total: number | undefined, what: string) => void
  /** Writes only the state: no projection, no import. Automatic recall never writes more. */
  readonly stateOnly?: boolean | undefined
  /** It was not started by a person. */
  readonly isAutomatic?: boolean
}

export interface Recalled {
  readonly isDryRun: boolean
  /** false: the bundle is the same as before. */
  readonly isChanged: boolean
  readonly bundle: Bundle
  readonly bundleHash: string
  readonly provider: string
  /** The checkpoint of this bundle; null: there is none yet. */
  readonly checkpoint: string | null
  readonly changes: readonly BundleChange[]
  /** The events and entries that were folded in. */
  readonly folded: { readonly events: number; readonly entries: number; readonly sources: number }
  readonly backlog: number
  /** Number of statements that did not fit, by section. */
  readonly crowdedOut: Readonly<Record<string, number>>
  readonly imported: number
  readonly model: WordedBundle['model'] | null
  readonly problems: readonly Problem[]
  readonly degraded: readonly Degradation[]
}

/** Another recall may write meanwhile: then this one is planned again on the new state. */
const MAX_ROUNDS = 4

/** Throws `vault_newer`, `source_not_found`. */
export async function recall(
  memory: Memory & SearchPorts & SessionPorts & ModelPorts & ConflictPorts & FreshnessPorts & StatePorts,
  options: RecallOptions = {},
): Promise<Recalled> {
  const problems: Problem[] = []
  const imported = await syncImports(memory, options, problems)
  for (let round = 1; ; round++) {
    const recalled = await recallOnce(memory, options, { imported, problems: [...problems] })
    if (recalled !== 'changed meanwhile')
      return isStateOnly(options) ? recalled : withProjections(memory, recalled)
    if (round === MAX_ROUNDS)
      throw new CairnError({
        code: 'store_locked',
        message: 'The state of the project was changed by another process several times during this recall.',
        hint: 'Another process recalls at the same time; use its result, or try again.',
      })
  }
}

/** Updates the projections, if the project wants that. */
async function withProjections(memory: Memory & StatePorts, recalled: Recalled): Promise<Recalled> {
  if (recalled.isDryRun) return recalled
  const { problems } = await refreshProjections(memory)
  return problems.length === 0 ? recalled : { ...recalled, problems: [...recalled.problems, ...problems] }
}

/** Projections, the entry block and imported entries are tracked by git: only a person changes them. */
function isStateOnly({ stateOnly, isAutomatic }: RecallOptions): boolean {
  return stateOnly === true || isAutomatic === true
}

async function syncImports(
  memory: Memory & StatePorts,
  options: RecallOptions,
  problems: Problem[],
): Promise<number> {
  if (options.dryRun === true || isStateOnly(options)) return 0
  if (!(await memory.config())['automation.importSyncBeforeRecall']) return 0
  const synced = await memory.importSync.sync()
  problems.push(...synced.problems)
  return synced.imported
}

async function recallOnce(
  memory: Memory & SearchPorts & SessionPorts & ModelPorts & ConflictPorts & FreshnessPorts & StatePorts,
  options: RecallOptions,
  { imported, problems }: { readonly imported: number; readonly problems: Problem[] },
): Promise<Recalled | 'changed meanwhile'> {
  const { onProgress } = options
  const config = await memory.config()
  await memory.store.refresh()
  const reading = await memory.state.read()
  const known = knownState(reading, problems)
  const section = options.section ?? config['recall.defaultSection']
  const source = options.source ?? config['recall.defaultSource']
  const sections = section === 'all' ? BUNDLE_SECTIONS : [section]
  const redaction = redactionOptions(config)
  const clean = (text: string) => redact(text, redaction).text

  const events = await readEvents(memory, onProgress, problem => problems.push(problem))
  const backlog = planBacklog(events, known?.maintenance.recallCursors ?? {}, source)
  checkSource(source, events, known)
  const areEntriesWanted = source === 'all' || source === 'entries'
  const entries = areEntriesWanted ? await gatherEntries(memory) : undefined
  onProgress?.(events.length, events.length, 'events read')
  const project = await scanProject(memory, clean)
  problems.push(...project.problems)
  const nowMs = memory.clock.nowMs()
  const now = new Date(nowMs).toISOString()
  const plan = planRecall({
    bundle: known?.bundle,
    // Words of the rules are made again; words of a model stay until their entries change.
    ...(known !== undefined && known.provider !== 'rules' && { wordedAt: known.generatedAt }),
    events: backlog.events,
    entries,
    ...(known?.maintenance.setAside !== undefined && { setAside: known.maintenance.setAside }),
    project,
    policy: options.policy ?? config['recall.policy'],
    sections,
    clean,
  })
  const isRulesChanged = isMeaningful(known?.bundle, plan.bundle)
  const worded = isRulesChanged ? await wordedBy(memory, plan.bundle, known?.bundle, options) : undefined
  const after = worded?.bundle ?? plan.bundle
  const isChanged = isMeaningful(known?.bundle, after)
  const bundle = isChanged || known === undefined ? after : known.bundle
  const provider = isChanged || known === undefined ? (worded?.provider ?? 'rules') : known.provider
  const checkpoint = isChanged
    ? newCheckpoint(bundle, {
        now,
        random: memory.clock.random(2 ** 31),
        reason: options.isAutomatic === true ? 'automatic recall' : 'recall',
      })
    : undefined
  const state: ProjectState = {
    schemaVersion: STATE_VERSION,
    generatorVersion: generatorVersion(),
    provider,
    generatedAt: isChanged || known === undefined ? now : known.generatedAt,
    bundleHash: bundleHashOf(bundle),
    bundle,
    maintenance: {
      lastRecalledAt: now,
      lastRecalledEventId: lastIdOf(backlog, sections) ?? known?.maintenance.lastRecalledEventId ?? null,
      latestCheckpointId: checkpoint?.id ?? known?.maintenance.latestCheckpointId ?? null,
      historyEventCount: events.length,
      importSourceCount: await memory.importSync.count(),
      // With a single section the events stay in the backlog for the others.
      recallCursors: section === 'all' ? backlog.cursors : (known?.maintenance.recallCursors ?? {}),
      ...(known?.maintenance.setAside !== undefined && { setAside: known.maintenance.setAside }),
    },
  }
  // A recall without news changes no file.
  const hasNews = isChanged || known === undefined || !isSameMaintenance(state, known)
  if (options.dryRun !== true && hasNews) {
    let isOvertaken = false
    await memory.state.update(async current => {
      isOvertaken = !isSameState(reading, current)
      return isOvertaken ? undefined : { state, ...(checkpoint !== undefined && { checkpoint }) }
    })
    if (isOvertaken) return 'changed meanwhile'
  }
  const isDryRun = options.dryRun === true
  const waiting = isDryRun || section !== 'all' ? backlog.left + backlog.events.length : backlog.left
  return {
    isDryRun,
    isChanged,
    bundle,
    bundleHash: state.bundleHash,
    provider,
    checkpoint: isDryRun
      ? (known?.maintenance.latestCheckpointId ?? null)
      : state.maintenance.latestCheckpointId,
    changes: isChanged ? withReasons(diffBundles(known?.bundle, bundle), plan.left) : [],
    folded: {
      events: backlog.events.length,
      entries: entries?.length ?? 0,
      sources: new Set(backlog.events.map(({ sourceId }) => sourceId)).size,
    },
    backlog: waiting,
    crowdedOut: plan.crowdedOut,
    imported,
    model: worded?.model ?? null,
    problems: [...problems, ...backlogWarning(waiting, config['recall.backlogWarnThreshold'])],
    degraded: [...(worded?.degraded ?? []), ...memory.store.takeDegraded()],
  }
}

/** A damaged state is reported and rebuilt; one of a newer Cairn is not changed. */
function knownState(reading: StateReading, problems: Problem[]): ProjectState | undefined {
  if (reading.kind === 'newer') throw stateNewer(reading.version)
  if (reading.kind === 'damaged') problems.push(reading.problem)
  return reading.kind === 'read' ? reading.state : undefined
}

const EVENTS_A_REPORT = 2_000

async function readEvents(
  memory: SessionPorts,
  onProgress: RecallOptions['onProgress'],
  onProblem: (problem: Problem) => void,
): Promise<MemoryEvent[]> {
  const events: MemoryEvent[] = []
  for await (const event of memory.events.read(onProblem)) {
    events.push(event)
    if (events.length % EVENTS_A_REPORT === 0) onProgress?.(events.length, undefined, 'events read')
  }
  return events
}

const CHOICES = ['all', 'sessions', 'imports', 'entries']

function checkSource(
  source: SourceChoice,
  events: readonly MemoryEvent[],
  known: ProjectState | undefined,
): void {
  if (CHOICES.includes(source) || events.some(({ sourceId }) => isChosen(source, sourceId))) return
  if (Object.keys(known?.maintenance.recallCursors ?? {}).some(id => isChosen(source, id))) return
  throw new CairnError({
    code: 'source_not_found',
    message: `No event comes from a source \`${source.slice(0, 80)}\`.`,
    hint: 'Use all, sessions, imports, entries, or the id of a session or an import source; `cairn events` shows them.',
  })
}

async function wordedBy(
  memory: Memory & ModelPorts,
  bundle: Bundle,
  before: Bundle | undefined,
  { provider = 'rules', dryRun }: RecallOptions,
): Promise<WordedBundle | undefined> {
  // A preview must not cost money.
  if (provider !== 'model' || dryRun === true) return undefined
  const { wordBundle } = await import('./word-bundle.ts')
  return wordBundle(memory, bundle, before)
}

function lastIdOf({ events }: Backlog, sections: readonly BundleSection[]): string | undefined {
  if (sections.length !== BUNDLE_SECTIONS.length) return undefined
  return events.reduce<MemoryEvent | undefined>(
    (last, event) => (last === undefined || event.createdAt >= last.createdAt ? event : last),
    undefined,
  )?.id
}

function isSameState(a: StateReading, b: StateReading): boolean {
  if (a.kind !== 'read' || b.kind !== 'read') return a.kind === b.kind
  return (
    a.state.bundleHash === b.state.bundleHash &&
    a.state.maintenance.latestCheckpointId === b.state.maintenance.latestCheckpointId &&
    JSON.stringify(a.state.maintenance.recallCursors) === JSON.stringify(b.state.maintenance.recallCursors)
  )
}

/** Whether only the time of the recall differs. */
function isSameMaintenance(a: ProjectState, b: ProjectState): boolean {
  const essence = ({ maintenance, generatorVersion: version }: ProjectState) =>
    canonicalJson({ ...maintenance, lastRecalledAt: null, version })
  return essence(a) === essence(b)
}

function withReasons(
  changes: readonly BundleChange[],
  left: readonly { readonly section: BundleSection; readonly text: string; readonly why: string }[],
): BundleChange[] {
  return changes.map(change => {
    const why =
      change.change === 'removed'
        ? left.find(one => one.section === change.section && one.text === change.text)?.why
        : undefined
    return why === undefined ? change : { ...change, why }
  })
}

function backlogWarning(backlog: number, threshold: number): Problem[] {
  if (threshold === 0 || backlog <= threshold) return []
  return [
    {
      code: 'recall_backlog',
      path: 'history/events.jsonl',
      message: `${backlog} events are not folded in yet, more than ${threshold}.`,
      hint: '`cairn recall` folds in all of them.',
    },
  ]
}
