import type { ComposedCheckout } from '../../compose/composed.ts'
import { askConflicts } from '../../features/conflicts/find-conflicts.ts'
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

export async function runAfterAnswer(engine: ComposedCheckout, steps: readonly AfterAnswer[]): Promise<void> {
  for (const step of steps) await STEPS[step](engine)
}

const STEPS: Readonly<Record<AfterAnswer, (engine: ComposedCheckout) => Promise<void>>> = {
  vectors: makeVectors,
  documentVectors: makeVectors,
  upkeep: tidyWhenDue,
  project: recordProject,
  recall: recallWhenNeeded,
  refine: refineInBackground,
  pickUp: pickUpInBackground,
}

/** Makes vectors for new entries and looks for conflicts. Never fails: the rest waits for the next command, and `cairn status` reports it. */
async function makeVectors(engine: ComposedCheckout): Promise<void> {
  const soon = () => engine.clock.nowMs() + MAX_MS
  try {
    const { waiting } = await engine.semantics.vectors.state()
    const documents = (await engine.shelf.vectors.state()).waiting <= MAX_QUEUE_LENGTH
    if (waiting <= MAX_QUEUE_LENGTH)
      await embedWaiting(engine, { limit: MAX_ENTRIES, deadlineMs: soon(), documents })
    // Of a long queue only the newest entry, which comes first.
    const limit = (await engine.conflicts.waiting()) > MAX_QUEUE_LENGTH ? 1 : MAX_ENTRIES
    const endMs = soon()
    await askConflicts(engine, () => engine.clock.nowMs() >= endMs, { limit })
  } catch (error) {
    engine.semantics.note({ code: 'vectors_failed', message: String(error) })
  }
}

/** Records the folder of a project, which may have moved. Never fails: `cairn status` reports an error. */
async function recordProject(engine: ComposedCheckout): Promise<void> {
  if (engine.isUserMemory) return
  try {
    await engine.projects.note(engine.root)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    engine.semantics.note({ code: 'project_unknown', message: error.message })
  }
}

/** Limits of upkeep after a command: later steps and further entries are left to the next command. */
const MAX_UPKEEP_MS = 500
const MAX_UPKEEP_ENTRIES = 300

/** Never fails: what went wrong is in the log of upkeep, and `cairn status` shows it. */
async function tidyWhenDue(engine: ComposedCheckout): Promise<void> {
  await compactWhenDue(engine, {
    deadlineMs: engine.clock.nowMs() + MAX_UPKEEP_MS,
    mostEntries: MAX_UPKEEP_ENTRIES,
  })
}

/** Closes sessions that were left open, in a background process. */
async function pickUpInBackground(engine: ComposedCheckout): Promise<void> {
  const { sessionsLeft } = await import('../../features/learning/closing.ts')
  if ((await sessionsLeft(engine)).length === 0) return
  const { startCommand } = await import('../../kernel/system/start-command.ts')
  await startCommand(['--root', engine.root, 'session', 'pick-up'])
}

/** Where a model is allowed, it refines closed sessions in a background process. */
async function refineInBackground(engine: ComposedCheckout): Promise<void> {
  if ((await engine.model.standing()).kind !== 'allowed') return
  const { startCommand } = await import('../../kernel/system/start-command.ts')
  await startCommand(['--root', engine.root, 'session', 'refine'])
}

/** By rules in this process, after the answer; with a model in a background process. Never fails: `cairn recall` reports what is left. */
async function recallWhenNeeded(engine: ComposedCheckout): Promise<void> {
  const { isRecallDue, recallWhenDue } = await import('../../features/state/auto-recall.ts')
  const isModel = (await engine.config())['automation.provider'] === 'model'
  if (!isModel || (await engine.model.standing()).kind !== 'allowed')
    return void (await recallWhenDue(engine))
  if (!(await isRecallDue(engine))) return
  const { startCommand } = await import('../../kernel/system/start-command.ts')
  // As automatic recall does, whatever the defaults of the user are.
  const whole = ['--section', 'all', '--source', 'all', '--state-only']
  await startCommand(['--root', engine.root, 'recall', '--provider', 'model', ...whole])
}
