import { closeNamed, sessionCloseOperation } from '../../../features/sessions/verbs/session-close.ts'
import { defineOperation } from '../../../verbs/operation.ts'

/** Closing a conversation in the page creates the seed's handoff: its last six messages. */
export const sessionCloseRouteOperation = defineOperation({
  ...sessionCloseOperation,
  route: { at: 'POST /api/sessions/:session/close', access: 'write' },
  run: (memory, input) => closeNamed(memory, input, { handoffForm: 'messages' }),
})
