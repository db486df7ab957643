import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { headlineOf } from '../../kernel/text/links.ts'
import { type AppliedEntries, applyToEntries } from './apply-to-entries.ts'
import type { SyncBase } from './decide/agreement.ts'
import {
  afterEntry,
  afterNote,
  carriedOver,
  idOfStep,
  isEntryStep,
  type NoteStep,
} from './decide/agreement-after.ts'
import type { NoteTrouble, ObsidianLink } from './decide/obsidian-vault.ts'
import { planSync, type SyncPlan, type SyncStep } from './decide/plan-sync.ts'
import type { NotePorts, ObsidianPorts } from './decide/ports.ts'
import type { SyncProblem } from './decide/sync-problems.ts'
import { getLink, newestRecord, refuseMissing, refuseUntrusted } from './linked-vault.ts'
import { readForgotten } from './read-forgotten.ts'

export interface SyncOptions {
  readonly dryRun?: boolean
  /** Continues even if many notes or entries disappeared together. */
  readonly allowDeletions?: boolean
  readonly onProgress?: (done: number, total: number | undefined, what: string) => void
}

/** One synced item. */
export interface Went {
  readonly does: SyncStep['does']
  readonly way: 'to_note' | 'to_entry' | 'both'
  readonly id: string | null
  /** Below the synced folder. */
  readonly note: string
  /** The beginning of its text. */
  readonly text: string
}

export interface SyncReport {
  readonly link: ObsidianLink
  readonly dryRun: boolean
  /** The number of steps of each kind. */
  readonly totals: Readonly<Record<SyncStep['does'], number>>
  /** At most the first thousand. */
  readonly went: readonly Went[]
  readonly entries: number
  readonly notes: number
  /** Secrets that were removed before storing. */
  readonly redacted: number
  /** Notes that were changed on both sides, which the user must resolve. */
  readonly conflicts: SyncPlan['conflicts']
  readonly problems: readonly SyncProblem[]
  /** The journal record for `undo`; null: no entry was changed. */
  readonly record: string | null
}

const PAGE = 10_000
/** Each further round handles what changed during the previous one. */
const MAX_ROUNDS = 6
const MAX_TOLD = 1_000
const BASE_EVERY = 1_000
/** A note is quiet if it was not written for this long. */
const QUIET_MS = 300
const MAX_QUIET_CHECKS = 5

/**
 * Syncs what changed on either side since the last sync. A killed process can be repeated by any other: after every step, the next round
 * finds what is left.
 */
export async function syncObsidian(
  memory: Memory & NotePorts,
  options: SyncOptions = {},
): Promise<SyncReport> {
  refuseUntrusted(memory)
  const link = await getLink(memory)
  await refuseMissing(memory, link)
  return memory.obsidian.alone(() => syncAlone(memory, link, options))
}

/** Runs within `alone`. */
export async function syncAlone(
  memory: Memory & NotePorts,
  link: ObsidianLink,
  options: SyncOptions,
): Promise<SyncReport> {
  const batch = `${memory.clock.nowMs()}-${process.pid.toString(36)}`
  const tally = newTally()
  let base: SyncBase = await memory.obsidian.base(link)
  const agreed = await memory.obsidian.agreedRecord(link)
  if (options.dryRun !== true) await memory.obsidian.clearLeftovers(link)
  for (let round = 1; ; round++) {
    const record = await newestRecord(memory)
    const look = options.dryRun
      ? await compareSides(memory, link, base, options)
      : await quietComparison(memory, link, base, { ...options, tally })
    if (look.plan.held !== null) throw heldBack(look.plan.held, link)
    if (options.dryRun === true) {
      for (const step of look.plan.steps) tally.add(step, 'entry' in step ? step.entry : null)
      return tally.report({ ...look, link, dryRun: true })
    }
    const plan = await confirmed(memory, link, base, look.plan, options)
    const taken = await takeNotes(memory, plan, batch)
    tally.applied(taken)
    base = afterEntries(base, plan, taken)
    let isAgain = taken.done.length > 0
    // The next round writes the changed entries to their notes.
    if (isAgain) await memory.obsidian.keepBase(link, base, agreed)
    else
      ({ base, isAgain } = await applyToNotes(memory, link, plan, base, {
        ...{ tally, agreed, record, ...options },
      }))
    if (isAgain && round < MAX_ROUNDS) continue
    if (isAgain) tally.restless()
    const last = plan.steps.length === 0 ? look : await compareSides(memory, link, base, options)
    return tally.report({ ...last, link, dryRun: false })
  }
}

async function takeNotes(memory: Memory & NotePorts, plan: SyncPlan, batch: string): Promise<AppliedEntries> {
  const lonely = new Set(plan.steps.flatMap(step => (step.does === 'create_note' ? step.entry.id : [])))
  return applyToEntries(memory, plan.steps.filter(isEntryStep), { batch, isLonely: id => lonely.has(id) })
}

interface SyncPreview {
  readonly plan: SyncPlan
  readonly entries: number
  readonly notes: number
}

/** Reads both sides and plans the steps that make them equal. */
export async function compareSides(
  memory: Memory & ObsidianPorts,
  link: ObsidianLink,
  base: SyncBase,
  { allowDeletions = false, onProgress }: SyncOptions,
): Promise<SyncPreview> {
  const { entries, elsewhere } = await syncedEntries(memory, link)
  const notes = await memory.obsidian.notes(link)
  onProgress?.(0, notes.length, 'notes compared')
  const input = {
    entries,
    isElsewhere: (id: string) => elsewhere.has(id),
    notes,
    base,
    folder: link.folder,
    today: new Date(memory.clock.nowMs()).toISOString().slice(0, 10),
    allowDeletions,
    hash: textHash,
  }
  const plan = planSync(input)
  const forgotten = await readForgotten(memory, link, plan)
  const isSame = forgotten.versions.size === 0 && forgotten.taken.length === 0
  return {
    plan: isSame ? plan : planSync({ ...input, forgotten }),
    entries: entries.length,
    notes: notes.length,
  }
}

async function syncedEntries(
  memory: Memory,
  { agents, includesPrivate }: ObsidianLink,
): Promise<{ entries: Entry[]; elsewhere: ReadonlySet<string> }> {
  const entries: Entry[] = []
  const elsewhere = new Set<string>()
  const isSynced = (agent: string) =>
    (includesPrivate || agent !== 'private') && (agents === undefined || agents.includes(agent))
  for (let offset = 0; ; offset += PAGE) {
    const page = await memory.store.listEntries({ filter: {}, limit: PAGE, offset })
    for (const entry of page.entries) {
      if (isSynced(entry.agent)) entries.push(entry)
      else elsewhere.add(entry.id)
    }
    if (page.entries.length < PAGE) return { entries, elsewhere }
  }
}

/**
 * Reads both sides but skips notes that are being written: an editor empties a file before it fills it, and half a text would become the
 * entry. Notes that keep changing wait for the next sync.
 */
async function quietComparison(
  memory: Memory & ObsidianPorts,
  link: ObsidianLink,
  base: SyncBase,
  { tally, ...options }: SyncOptions & { readonly tally: Tally },
): Promise<SyncPreview> {
  let look = await compareSides(memory, link, base, options)
  let saved = await savedNotes(memory, link, look.plan)
  // The disk may have its own clock; a time in the future counts as now.
  if (![...saved.values()].some(({ atMs }) => memory.clock.nowMs() - atMs < QUIET_MS)) return look
  const isAsBefore = (next: typeof saved, path: string) =>
    saved.get(path)?.atMs === next.get(path)?.atMs && saved.get(path)?.text === next.get(path)?.text
  for (let looks = 1; ; looks++) {
    await memory.clock.sleep(QUIET_MS)
    look = await compareSides(memory, link, base, options)
    const next = await savedNotes(memory, link, look.plan)
    const restless = [...next.keys()].filter(path => !isAsBefore(next, path))
    if (restless.length === 0) return look
    saved = next
    if (looks < MAX_QUIET_CHECKS) continue
    tally.restless()
    const isLeft = new Set(restless)
    return { ...look, plan: without(look.plan, base, step => isTaking(step) && isLeft.has(step.path)) }
  }
}

type TakingStep = Extract<SyncStep, { does: 'add_entry' | 'update_entry' | 'revive_entry' }>

function isTaking(step: SyncStep): step is TakingStep {
  return isEntryStep(step) && step.does !== 'remove_entry'
}

async function savedNotes(
  memory: ObsidianPorts,
  link: ObsidianLink,
  { steps }: SyncPlan,
): Promise<ReadonlyMap<string, { readonly atMs: number; readonly text: string }>> {
  const saved = new Map<string, { atMs: number; text: string }>()
  for (const step of steps.filter(isTaking))
    saved.set(step.path, {
      atMs: (await memory.obsidian.savedMs(link, step.path)) ?? 0,
      text: step.seen.text,
    })
  return saved
}

/** The plan without some of its steps; their notes and entries keep the last agreement. */
function without(plan: SyncPlan, base: SyncBase, isLeft: (step: SyncStep) => boolean): SyncPlan {
  const settled = new Map(plan.settled)
  const steps = plan.steps.filter(step => {
    if (!isLeft(step)) return true
    const id = idOfStep(step)
    const last = id === undefined ? undefined : base.get(id)
    if (id !== undefined && last !== undefined) settled.set(id, last)
    return false
  })
  return { ...plan, steps, settled }
}

/** A folder that is being renamed looks as if its notes were deleted, so a deletion must be seen twice. */
async function confirmed(
  memory: Memory & ObsidianPorts,
  link: ObsidianLink,
  base: SyncBase,
  plan: SyncPlan,
  options: SyncOptions,
): Promise<SyncPlan> {
  if (!plan.steps.some(({ does }) => does === 'remove_entry')) return plan
  await memory.clock.sleep(QUIET_MS)
  await refuseMissing(memory, link)
  const again = await compareSides(memory, link, base, options)
  const gone = new Set(again.plan.steps.flatMap(step => (step.does === 'remove_entry' ? step.entry.id : [])))
  return without(plan, base, step => step.does === 'remove_entry' && !gone.has(step.entry.id))
}

function afterEntries(base: SyncBase, plan: SyncPlan, { done }: AppliedEntries): SyncBase {
  const next = carriedOver(base, plan)
  for (const { step, entry } of done) afterEntry(next, step, entry, { names: plan.names, hash: textHash })
  return next
}

async function applyToNotes(
  memory: ObsidianPorts,
  link: ObsidianLink,
  plan: SyncPlan,
  base: SyncBase,
  {
    tally,
    agreed,
    record,
    onProgress,
  }: SyncOptions & {
    readonly tally: Tally
    /** The last journal record that the agreement includes, before and after every note is written. */
    readonly agreed: string | undefined
    readonly record: string | undefined
  },
): Promise<{ base: SyncBase; isAgain: boolean }> {
  const next = carriedOver(base, plan)
  const steps = plan.steps.filter((step): step is NoteStep => !isEntryStep(step))
  let isAgain = false
  let done = 0
  let written = 0
  const troubles: { step: NoteStep; trouble: NoteTrouble }[] = []
  let failure: unknown
  try {
    for (const step of steps) {
      const result = await applyNote(memory, link, step)
      if (result === 'done') {
        written++
        afterNote(next, step, { names: plan.names, hash: textHash })
        tally.add(step, 'entry' in step ? step.entry : null)
      } else if (result === 'changed') isAgain = true
      else troubles.push({ step, trouble: result })
      onProgress?.(++done, steps.length, 'notes written')
      if (done % BASE_EVERY === 0) await memory.obsidian.keepBase(link, next, agreed)
    }
  } catch (error) {
    failure = error
  }
  // Also if a disk is full: the agreement then records what was written.
  try {
    const isWhole = failure === undefined && !isAgain && troubles.length === 0
    await memory.obsidian.keepBase(link, next, isWhole ? record : agreed)
  } catch (error) {
    // The first error says more. Without the agreement, equal sides still count as equal.
    failure ??= error
  }
  const [first] = troubles
  if (failure === undefined && first?.trouble.code === 'vault_read_only' && written === 0)
    failure = refusedWrite(first.trouble)
  if (failure !== undefined) throw brokenOff(failure, { written, of: steps.length })
  for (const { step, trouble } of troubles) tally.trouble(step.path, trouble)
  return { base: next, isAgain }
}

function refusedWrite({ message }: NoteTrouble): CairnError {
  return new CairnError({
    code: 'vault_read_only',
    message,
    hint: 'Check the permissions of the vault, and whether its disk is mounted for writing.',
  })
}

/** Says how far the sync got; nothing needs to be cleaned up. */
function brokenOff(failure: unknown, { written, of }: { written: number; of: number }): unknown {
  if (!(failure instanceof CairnError)) return failure
  const { code, message, hint, details, cause } = failure
  return new CairnError({
    code,
    message: `${message} ${written} of ${of} notes were written.`,
    hint: `${hint} Then \`cairn obsidian sync\` continues where it stopped.`,
    details: { ...details, written, of },
    cause,
  })
}

/** `changed`: the note has another text now, and stays as it is. */
async function applyNote(
  memory: ObsidianPorts,
  link: ObsidianLink,
  step: NoteStep,
): Promise<'done' | 'changed' | NoteTrouble> {
  const { obsidian } = memory
  const write = async (path: string, text: string, seen: string | null) => {
    const result = await obsidian.write(link, path, text, seen)
    return result === 'written' ? 'done' : result
  }
  if (step.does === 'trash_note') {
    const result = await obsidian.trash(link, step.path, step.seen)
    return result === 'moved' ? 'done' : result
  }
  if (step.does === 'create_note') return write(step.path, step.text, null)
  if (step.does === 'update_note' && step.keepsOld) await obsidian.keepCopy(link, step.path, step.seen)
  // The other version is written first: after a crash in between, both exist, and the next sync finds the copy.
  if (step.does === 'keep_both' && step.copy !== undefined) {
    const copied = await write(step.copy.path, step.copy.text, null)
    if (copied !== 'done') return copied
  }
  return write(step.path, step.text, step.seen)
}

interface Tally {
  add(step: SyncStep, entry: Entry | null): void
  applied(applied: AppliedEntries): void
  restless(): void
  trouble(path: string, trouble: NoteTrouble): void
  report(look: SyncPreview & { link: ObsidianLink; dryRun: boolean }): SyncReport
}

const WAYS: Readonly<Record<SyncStep['does'], Went['way']>> = {
  add_entry: 'to_entry',
  update_entry: 'to_entry',
  revive_entry: 'to_entry',
  remove_entry: 'to_entry',
  create_note: 'to_note',
  update_note: 'to_note',
  trash_note: 'to_note',
  keep_both: 'both',
}

function newTally(): Tally {
  const totals = Object.fromEntries(Object.keys(WAYS).map(does => [does, 0])) as Record<
    SyncStep['does'],
    number
  >
  const went: Went[] = []
  const problems: SyncProblem[] = []
  let redacted = 0
  let record: string | null = null
  const add: Tally['add'] = (step, entry) => {
    totals[step.does]++
    if (went.length >= MAX_TOLD) return
    const content = entry?.content ?? ('input' in step ? step.input.content : '')
    const id = entry?.id ?? idOfStep(step) ?? null
    went.push({ does: step.does, way: WAYS[step.does], id, note: step.path, text: headlineOf(content) })
  }
  return {
    add,
    applied(applied) {
      for (const { step, entry } of applied.done) add(step, entry ?? ('entry' in step ? step.entry : null))
      problems.push(...applied.problems)
      redacted += applied.redacted
      record = applied.record ?? record
    },
    trouble: (path, { code, message }) =>
      problems.push({
        code,
        path,
        message,
        hint: 'Only this note was not written. Rename it, change its permissions, or remove the link in its place.',
      }),
    restless: () =>
      problems.push({
        code: 'still_changing',
        path: '.',
        message: 'Some notes kept changing while they were synced.',
        hint: 'The next sync takes them.',
      }),
    report: ({ plan, entries, notes, link, dryRun }) => ({
      link,
      dryRun,
      totals,
      went,
      entries,
      notes,
      redacted,
      conflicts: plan.conflicts,
      problems: unique([...plan.problems, ...problems]),
      record,
    }),
  }
}

/** Every round reports the same problems again. */
function unique(problems: readonly SyncProblem[]): SyncProblem[] {
  return [...new Map(problems.map(problem => [`${problem.code} ${problem.path}`, problem])).values()]
}

function heldBack({ side, gone, of }: NonNullable<SyncPlan['held']>, link: ObsidianLink): CairnError {
  const what =
    side === 'notes'
      ? `${gone} of ${of} notes disappeared from ${link.folder} together, and their entries would be forgotten`
      : `${gone} of ${of} entries disappeared together, and their notes would go to the trash`
  return new CairnError({
    code: 'obsidian_deletions_held',
    message: `${what}; nothing was synced.`,
    hint:
      side === 'notes'
        ? 'Look whether the vault is whole (mounted, downloaded). If they were deleted on purpose: `cairn obsidian sync --allow-deletions`.'
        : 'Look whether the memory is whole (another branch?). If they were forgotten on purpose: `cairn obsidian sync --allow-deletions`.',
    details: { side, gone, of },
  })
}
