import { COMMAND_LINE } from '../../model/hub.ts'
import type { HubCommand } from '../../operations/hub-operation.ts'
import { type OperationContext, parseInput } from '../../operations/operation.ts'
import { getStoreAddress } from '../../system/store-address.ts'

/** A verb over the database of a hub: no memory is looked for, and none is opened. */
export async function runHubVerb(
  command: HubCommand,
  input: Record<string, unknown>,
  context: OperationContext,
): Promise<unknown> {
  return command.runWith(
    async given => {
      const { openDesk } = await import('../../compose-hub.ts')
      return openDesk(getStoreAddress(given), { principal: COMMAND_LINE })
    },
    parseInput(command, input) as Readonly<Record<string, unknown>>,
    context,
  )
}
