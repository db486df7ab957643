import { defineOperation } from '../../../operations/operation.ts'
import { closeNamed, sessionCloseOperation } from '../../../operations/session-close.ts'

/** Closing a conversation in the page leaves the seed's handoff: its last six messages. */
export const sessionCloseRouteOperation = defineOperation({
  ...sessionCloseOperation,
  run: (engine, input) => closeNamed(engine, input, { handoffForm: 'messages' }),
})
