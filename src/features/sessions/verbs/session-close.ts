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
  archived: v.exactOptional(v.pipe(v.string(), v.description('Why the review hides it by default'))),
  quarantine: v.exactOptional(
    v.pipe(v.string(), v.description('Why it looks like an instruction to an agent')),
  ),
})

const closedSchema = v.object({
  session: v.string(),
  agents: v.pipe(v.array(v.string()), v.readonly()),
  messages: v.number(),
  wasClosed: v.pipe(v.boolean(), v.description('True: no messages since the last closing')),
  findings: v.pipe(v.array(findingSchema), v.readonly()),
  added: v.pipe(v.array(v.string()), v.readonly(), v.description('Entries that you asked for')),
  strengthened: v.pipe(
    v.array(v.string()),
    v.readonly(),
    v.description('Candidates that are confirmed because you asked for them'),
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
  summary: 'Close a session: store what you asked for, and a handoff of real work',
  description:
    'Rules read the conversation, without a model. A text that you asked to remember (#remember, "Remember that …") becomes a confirmed entry. Up to 3 other findings wait in `cairn review` as suggestions, which are never injected. Closing again changes nothing; one `cairn undo` undoes it.',
  positionals: ['session'],
  input: v.object({
    session: v.optional(text('The session (default: CAIRN_SESSION)')),
    dryRun: v.optional(flag('Show the result without changing anything')),
  }),
  output: closedSchema,
  examples: [
    { command: 'cairn session close ab12', does: 'close one session' },
    { command: 'cairn session close ab12 --dry-run', does: 'show the result first' },
  ],
  run: (memory, input) => closeNamed(memory, input),
})

/** Throws `invalid_input` without a session. */
export async function closeNamed(
  memory: Memory & ClosingPorts,
  { session, dryRun }: { readonly session?: string | undefined; readonly dryRun?: boolean | undefined },
  options: Pick<CloseOptions, 'handoffForm'> = {},
): Promise<v.InferOutput<typeof closedSchema>> {
  const id = session ?? memory.actor.session
  if (id === undefined) {
    throw new CairnError({
      code: 'invalid_input',
      message: 'session close: no session was given.',
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
  summary: 'Close sessions that were left open',
  description:
    'Closes sessions whose process ended before it could close them, and sessions idle for longer than `session.idleHours`. A sleeping session stays open until its checkpoint expires.',
  positionals: [],
  input: v.object({ most: v.optional(count('The maximum number of sessions', 10_000)) }),
  output: v.object({
    closed: v.array(closedSchema),
    problems: v.pipe(problemsSchema, v.description('The sessions that stay open, and why')),
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
  summary: 'Refine closed sessions with the configured model',
  description:
    'Needs a model that is configured and allowed (`cairn model status`), and stays within its daily caps. After `cairn session close` this happens automatically in a background process. Without a session: all sessions of the last week that no model has refined.',
  positionals: ['session'],
  input: v.object({ session: v.optional(text('Only this session')) }),
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
  examples: [{ command: 'cairn session refine ab12', does: 'refine it now and wait' }],
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

/** Without the fields that only the session's file needs. */
function shown(closed: Awaited<ReturnType<typeof closeSession>>): v.InferOutput<typeof closedSchema> {
  return {
    ...closed,
    findings: closed.findings.map(({ fingerprint: _f, filePaths: _p, tags: _t, ...finding }) => finding),
  }
}
