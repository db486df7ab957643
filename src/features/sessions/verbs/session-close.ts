import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import {
  AFTER_STORING,
  count,
  defineOperation,
  degradedSchema,
  flag,
  problemsSchema,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import { type CloseOptions, closeSession, pickUpSessions } from '../../learning/closing.ts'
import type { ClosingPorts } from '../../learning/decide/ports.ts'
import { refineRecent, refineSession } from '../../learning/refining.ts'

const findingSchema = v.object({
  id: v.string(),
  content: v.string(),
  category: v.pipe(v.string(), v.description('Its kind')),
  file: v.exactOptional(v.picklist(CATEGORIES)),
  importance: v.number(),
  confidence: v.number(),
  promotedToProjectMemory: v.boolean(),
  promotedEntryId: v.exactOptional(v.string()),
  agent: v.exactOptional(v.string()),
  speaker: v.exactOptional(v.string()),
  message: v.exactOptional(v.pipe(v.number(), v.description('Index of the message, from 0'))),
  signals: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
  rejectedBy: v.exactOptional(v.string()),
  archived: v.exactOptional(v.pipe(v.string(), v.description('Why the review does not show it by default'))),
  quarantine: v.exactOptional(
    v.pipe(v.string(), v.description('Why it looks like an instruction to an agent')),
  ),
})

export const closedSchema = v.object({
  session: v.string(),
  agents: v.pipe(v.array(v.string()), v.readonly()),
  messages: v.number(),
  wasClosed: v.pipe(v.boolean(), v.description('Nothing was said since it was closed before')),
  findings: v.pipe(v.array(findingSchema), v.readonly()),
  added: v.pipe(v.array(v.string()), v.readonly(), v.description('Entries: what you asked for')),
  strengthened: v.pipe(
    v.array(v.string()),
    v.readonly(),
    v.description('Candidates that you asked for: they are confirmed now'),
  ),
  replaced: v.pipe(
    v.array(v.string()),
    v.readonly(),
    v.description('Suggestions that a model reworded or dropped'),
  ),
  handoffs: v.pipe(v.array(v.string()), v.readonly()),
  summary: v.string(),
  record: recordSchema,
  problems: problemsSchema,
  degraded: degradedSchema,
})

export const sessionCloseOperation = defineOperation({
  name: 'session close',
  group: 'Sessions',
  agent: 'reports',
  after: [...AFTER_STORING, 'recall', 'refine'],
  summary: 'Close a session: what you asked for is stored, real work leaves a handoff',
  description:
    'The conversation is read by rules, without a model. What you asked for (#remember, "Remember that …") becomes a confirmed entry. Up to 3 other findings wait in `cairn review` as suggestions, which are never injected. Closing again changes nothing; one `cairn undo` undoes it.',
  positionals: ['session'],
  input: v.object({
    session: v.optional(text('Which one (default: CAIRN_SESSION)')),
    dryRun: v.optional(flag('Show what would become of it, and change nothing')),
  }),
  output: closedSchema,
  examples: [
    { command: 'cairn session close ab12', does: 'with what it taught' },
    { command: 'cairn session close ab12 --dry-run', does: 'look first' },
  ],
  run: (memory, input) => closeNamed(memory, input),
})

/** Throws `invalid_input` when no session is named. */
export async function closeNamed(
  memory: Memory & ClosingPorts,
  { session, dryRun }: { readonly session?: string | undefined; readonly dryRun?: boolean | undefined },
  options: Pick<CloseOptions, 'handoffForm'> = {},
): Promise<v.InferOutput<typeof closedSchema>> {
  const id = session ?? memory.actor.session
  if (id === undefined) {
    throw new CairnError({
      code: 'invalid_input',
      message: 'session close: no session was named.',
      hint: '`cairn sessions` lists them; CAIRN_SESSION names one for all commands.',
    })
  }
  return shown(await closeSession(memory, id, { ...options, isTrial: dryRun === true }))
}

export const sessionPickUpOperation = defineOperation({
  name: 'session pick-up',
  group: 'Sessions',
  agent: 'reports',
  after: [...AFTER_STORING, 'recall', 'refine'],
  summary: 'Close the sessions that nobody closed',
  description:
    'Those whose process ended without time to close them, and those idle for longer than `session.idleHours`; one that was put to sleep waits as long as its checkpoint holds.',
  positionals: [],
  input: v.object({ most: v.optional(count('At most so many', 10_000)) }),
  output: v.object({
    closed: v.array(closedSchema),
    problems: v.pipe(problemsSchema, v.description('What stays open, and why')),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn session pick-up', does: 'after a crash' }],
  async run(memory, { most }) {
    const { closed, problems } = await pickUpSessions(memory, most === undefined ? {} : { most })
    return { closed: closed.map(shown), problems, degraded: memory.store.takeDegraded() }
  },
})

export const sessionRefineOperation = defineOperation({
  name: 'session refine',
  group: 'Sessions',
  agent: 'reports',
  summary: 'Go over closed sessions with the configured model',
  description:
    'Only where a model is configured and allowed (`cairn model status`), within what it may cost in a day. After `cairn session close` this happens by itself, in a process of its own. Without a session: all that were closed in the last week and that no model has gone over.',
  positionals: ['session'],
  input: v.object({ session: v.optional(text('Only this one')) }),
  output: v.object({
    refined: v.array(
      v.object({
        session: v.string(),
        isRefined: v.boolean(),
        added: v.pipe(v.array(v.string()), v.readonly()),
        replaced: v.pipe(v.array(v.string()), v.readonly()),
        record: recordSchema,
        tokens: v.number(),
        costMicroUsd: v.number(),
      }),
    ),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn session refine ab12', does: 'now, and wait for it' }],
  async run(memory, { session }) {
    const all = session === undefined ? await refineRecent(memory) : [await refineSession(memory, session)]
    return {
      refined: all.map(({ session: id, isRefined, calls, learnt }) => ({
        session: id,
        isRefined,
        added: learnt?.added ?? [],
        replaced: learnt?.replaced ?? [],
        record: learnt?.record ?? null,
        tokens: calls.reduce((sum, call) => sum + call.inputTokens + call.outputTokens, 0),
        costMicroUsd: calls.reduce((sum, call) => sum + call.costMicroUsd, 0),
      })),
      degraded: all.flatMap(({ degraded }) => degraded),
    }
  },
})

/** Without what only the session's file needs. */
function shown(closed: Awaited<ReturnType<typeof closeSession>>): v.InferOutput<typeof closedSchema> {
  return {
    ...closed,
    findings: closed.findings.map(({ fingerprint: _f, filePaths: _p, tags: _t, ...finding }) => finding),
  }
}
