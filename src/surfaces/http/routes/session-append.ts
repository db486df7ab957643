import * as v from 'valibot'
import { appendMessages } from '../../../features/sessions/sessions.ts'
import { sessionAppendOperation } from '../../../features/sessions/verbs/session.ts'
import { closeNamed, sessionCloseOperation } from '../../../features/sessions/verbs/session-close.ts'
import { keyOf } from '../../../features/sessions/verbs/session-fields.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Message } from '../../../kernel/model/message.ts'
import { defineOperation } from '../../../verbs/operation.ts'

const MAX_MESSAGES = 1_000

/** The verb reads several messages from standard input; a request has them in its body. */
export const sessionMessagesOperation = defineOperation({
  name: 'session messages',
  agent: 'reports',
  route: { name: 'sessionAppend', at: 'POST /api/sessions/:session/messages', access: 'write' },
  summary: 'Add messages to a session',
  description:
    'One with `role` and `text`, or several as `messages`. <private> text and secrets are removed first. The session is created if necessary. With `at`, sending the same messages again adds nothing.',
  positionals: ['session'],
  input: v.object({
    ...sessionAppendOperation.input.entries,
    messages: v.optional(
      v.pipe(
        v.array(
          v.object({
            role: v.string(),
            text: v.string(),
            internal: v.optional(v.boolean()),
            at: v.optional(v.pipe(v.string(), v.description('UTC ISO'))),
          }),
        ),
        v.minLength(1, 'at least one'),
        v.maxLength(MAX_MESSAGES, `at most ${MAX_MESSAGES}`),
        v.description('Instead of `text`: several, in order'),
      ),
    ),
  }),
  output: sessionAppendOperation.output,
  examples: [],
  async run(memory, { messages, ...one }, context) {
    if (one.text !== undefined && messages === undefined)
      return sessionAppendOperation.run(memory, one, context)
    if (messages === undefined || one.text !== undefined) throw whichOne()
    const { role: _role, text: _text, internal: _internal, at, ...named } = one
    const key = await keyOf(memory, named)
    const { skipped, added, count, seen, redacted, checkpoint, cut } = await appendMessages(
      memory,
      key,
      messages as readonly Message[],
      { at },
    )
    return {
      ...key,
      added,
      count,
      seen,
      redacted,
      checkpoint,
      cut,
      skipped: skipped.length,
      problems: skipped.map(({ index, code, message }) => ({ line: index + 1, code, message })),
      degraded: memory.store.takeDegraded(),
    }
  },
})

function whichOne(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: 'session messages: either `text` or `messages` is needed.',
    hint: 'For example: { "role": "user", "text": "Why is the build slow?" }',
  })
}

/** Closing a conversation in the page creates the seed's handoff: its last six messages. */
export const sessionCloseRouteOperation = defineOperation({
  ...sessionCloseOperation,
  route: { at: 'POST /api/sessions/:session/close', access: 'write' },
  run: (memory, input) => closeNamed(memory, input, { handoffForm: 'messages' }),
})
