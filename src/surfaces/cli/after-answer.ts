import type { ComposedCheckout } from '../../compose/composed.ts'
import { compareEntries } from '../../features/conflicts/find-conflicts.ts'
import { embedWaiting } from '../../features/search/meaning.ts'
import { compactWhenDue } from '../../features/upkeep/upkeep.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { AfterAnswer } from '../../verbs/operation.ts'

/** How many entries one command processes after its answer: the user does not notice it, and the queue stays short. */
const MAX_ENTRIES = 4
/** For vectors, and again for comparing: a slow machine too compares the entry that was just stored. */
const MAX_MS = 300
/** A longer queue is work for `cairn embed` and `cairn conflicts`; a few more would not shorten it. */
const MAX_QUEUE_LENGTH = 32

export async function runAfterAnswer(memory: ComposedCheckout, steps: readonly AfterAnswer[]): Promise<void> {
  for (const step of steps) await STEPS[step](memory)
}

const STEPS: Readonly<Record<AfterAnswer, (memory: ComposedCheckout) => Promise<void>>> = {
  vectors: makeVectors,
  documentVectors: makeVectors,
  upkeep: tidyWhenDue,
  project: recordProject,
  recall: recallWhenNeeded,
  refine: refineInBackground,
  pickUp: pickUpInBackground,
}

/** Makes vectors for new entries and looks for conflicts. Never fails: the rest waits for the next command, and `cairn status` reports it. */
async function makeVectors(memory: ComposedCheckout): Promise<void> {
  const soon = () => memory.clock.nowMs() + MAX_MS
  try {
    const { waiting } = await memory.semantics.vectors.state()
    const documents = (await memory.documentSearch.vectors.state()).waiting <= MAX_QUEUE_LENGTH
    if (waiting <= MAX_QUEUE_LENGTH)
      await embedWaiting(memory, { limit: MAX_ENTRIES, deadlineMs: soon(), documents })
    // Of a long queue only the newest entry, which comes first.
    const limit = (await memory.conflicts.waiting()) > MAX_QUEUE_LENGTH ? 1 : MAX_ENTRIES
    const endMs = soon()
    await compareEntries(memory, () => memory.clock.nowMs() >= endMs, { limit })
  } catch (error) {
    memory.semantics.note({ code: 'vectors_failed', message: String(error) })
  }
}

/** Records the folder of a project, which may have moved. Never fails: `cairn status` reports an error. */
async function recordProject(memory: ComposedCheckout): Promise<void> {
  if (memory.isUserMemory) return
  try {
    await memory.projects.note(memory.root)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    memory.semantics.note({ code: 'project_unknown', message: error.message })
  }
}

/** Limits of upkeep after a command: later steps and further entries are left to the next command. */
const MAX_UPKEEP_MS = 500
const MAX_UPKEEP_ENTRIES = 300

/** Never fails: what went wrong is in the log of upkeep, and `cairn status` shows it. */
async function tidyWhenDue(memory: ComposedCheckout): Promise<void> {
  await compactWhenDue(memory, {
    deadlineMs: memory.clock.nowMs() + MAX_UPKEEP_MS,
    mostEntries: MAX_UPKEEP_ENTRIES,
  })
}

/** Closes sessions that were left open, in a background process. */
async function pickUpInBackground(memory: ComposedCheckout): Promise<void> {
  const { sessionsLeft } = await import('../../features/learning/closing.ts')
  if ((await sessionsLeft(memory)).length === 0) return
  const { startCommand } = await import('../../kernel/system/start-command.ts')
  await startCommand(['--root', memory.root, 'session', 'pick-up'])
}

/** Where a model is allowed, it refines closed sessions in a background process. */
async function refineInBackground(memory: ComposedCheckout): Promise<void> {
  if ((await memory.model.standing()).kind !== 'allowed') return
  const { startCommand } = await import('../../kernel/system/start-command.ts')
  await startCommand(['--root', memory.root, 'session', 'refine'])
}

/** By rules in this process, after the answer; with a model in a background process. Never fails: `cairn recall` reports what is left. */
async function recallWhenNeeded(memory: ComposedCheckout): Promise<void> {
  const { isRecallDue, recallWhenDue } = await import('../../features/state/auto-recall.ts')
  const isModel = (await memory.config())['automation.provider'] === 'model'
  if (!isModel || (await memory.model.standing()).kind !== 'allowed')
    return void (await recallWhenDue(memory))
  if (!(await isRecallDue(memory))) return
  const { startCommand } = await import('../../kernel/system/start-command.ts')
  // As automatic recall does, whatever the defaults of the user are.
  const whole = ['--section', 'all', '--source', 'all', '--state-only']
  await startCommand(['--root', memory.root, 'recall', '--provider', 'model', ...whole])
}
