import type { HubCommand } from '../../addons/hub/verbs/hub-operation.ts'
import { COMMAND_LINE } from '../../kernel/model/hub.ts'
import { getStoreAddress } from '../../kernel/system/store-address.ts'
import { type OperationContext, parseInput } from '../../verbs/operation.ts'

/** A verb over the database of a hub: no memory is looked for, and none is opened. */
export async function runHubVerb(
  command: HubCommand,
  input: Record<string, unknown>,
  context: OperationContext,
): Promise<unknown> {
  return command.runWith(
    async given => {
      const { openDesk } = await import('../../compose/compose-hub.ts')
      return openDesk(getStoreAddress(given), { principal: COMMAND_LINE })
    },
    parseInput(command, input) as Readonly<Record<string, unknown>>,
    context,
  )
}
