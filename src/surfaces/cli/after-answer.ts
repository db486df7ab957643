import type { ComposedCheckout } from '../../compose/composed.ts'
import { askConflicts } from '../../features/conflicts/find-conflicts.ts'
import { embedWaiting } from '../../features/search/meaning.ts'
import { compactWhenDue } from '../../features/upkeep/upkeep.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { AfterAnswer } from '../../verbs/operation.ts'

/** What one command may do beyond its own answer, when that is out: a person hardly notices, and a queue stays short. */
const MAX_ENTRIES = 4
/** For vectors, and again for comparing: on a slow machine too, what was just kept is compared. */
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
  project: noteProject,
  recall: recallSoon,
  refine: refineElsewhere,
  pickUp: pickUpElsewhere,
}

/** Vectors for what was just kept, and whether it is against something. Never fails: what is left waits for the next command, and `cairn status` tells. */
async function makeVectors(memory: ComposedCheckout): Promise<void> {
  const soon = () => memory.clock.nowMs() + MAX_MS
  try {
    const { waiting } = await memory.semantics.vectors.state()
    const documents = (await memory.shelf.vectors.state()).waiting <= MAX_QUEUE_LENGTH
    if (waiting <= MAX_QUEUE_LENGTH)
      await embedWaiting(memory, { limit: MAX_ENTRIES, deadlineMs: soon(), documents })
    // Of a long queue only what was just kept, which comes first.
    const limit = (await memory.conflicts.waiting()) > MAX_QUEUE_LENGTH ? 1 : MAX_ENTRIES
    const endMs = soon()
    await askConflicts(memory, () => memory.clock.nowMs() >= endMs, { limit })
  } catch (error) {
    memory.semantics.note({ code: 'vectors_failed', message: String(error) })
  }
}

/** A project that was moved is known by its new place from now on. Never fails: `cairn status` tells how it stands. */
async function noteProject(memory: ComposedCheckout): Promise<void> {
  if (memory.isUserMemory) return
  try {
    await memory.projects.note(memory.root)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    memory.semantics.note({ code: 'project_unknown', message: error.message })
  }
}

/** Upkeep beside a command: steps that have not begun by then, and entries beyond these, are left to the next. */
const MAX_UPKEEP_MS = 500
const MAX_UPKEEP_ENTRIES = 300

/** Never fails: what went wrong is in the log of upkeep, and `cairn status` shows it. */
async function tidyWhenDue(memory: ComposedCheckout): Promise<void> {
  await compactWhenDue(memory, {
    deadlineMs: memory.clock.nowMs() + MAX_UPKEEP_MS,
    mostEntries: MAX_UPKEEP_ENTRIES,
  })
}

/** Sessions that nobody closed are closed by whoever begins the next one, in a process of its own: nobody waits for it. */
async function pickUpElsewhere(memory: ComposedCheckout): Promise<void> {
  const { sessionsLeft } = await import('../../features/learning/closing.ts')
  if ((await sessionsLeft(memory)).length === 0) return
  const { startCommand } = await import('../../kernel/system/start-command.ts')
  await startCommand(['--root', memory.root, 'session', 'pick-up'])
}

/** Where a model is allowed, it goes over closed sessions in a process of its own, which ends by itself: nobody waits for it. */
async function refineElsewhere(memory: ComposedCheckout): Promise<void> {
  if ((await memory.model.standing()).kind !== 'allowed') return
  const { startCommand } = await import('../../kernel/system/start-command.ts')
  await startCommand(['--root', memory.root, 'session', 'refine'])
}

/** By rules beside the command, which has answered by now; with a model in a process of its own. Never fails: what waits is told by `cairn recall`. */
async function recallSoon(memory: ComposedCheckout): Promise<void> {
  const { isRecallDue, recallWhenDue } = await import('../../features/state/auto-recall.ts')
  const isModel = (await memory.config())['automation.provider'] === 'model'
  if (!isModel || (await memory.model.standing()).kind !== 'allowed')
    return void (await recallWhenDue(memory))
  if (!(await isRecallDue(memory))) return
  const { startCommand } = await import('../../kernel/system/start-command.ts')
  // As recall by itself does, whatever a person folds in by default.
  const whole = ['--section', 'all', '--source', 'all', '--state-only']
  await startCommand(['--root', memory.root, 'recall', '--provider', 'model', ...whole])
}
