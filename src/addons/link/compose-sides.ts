import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { versionHash } from '../../kernel/system/digest.ts'
import { mayHoldSecret } from '../../kernel/text/redaction/may-hold-secret.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { HubClient } from './decide/hub-client.ts'
import type { HubAddress } from './decide/link-state.ts'
import type { SyncPorts } from './decide/ports.ts'
import { engineVault } from './engine-vault.ts'
import type { Sides } from './sides.ts'

/** The memory here and the hub it is linked to. Whoever has them closes the state. */
export async function sidesOf(
  memory: Memory & SyncPorts,
  address: HubAddress,
  { isOffline = false }: { readonly isOffline?: boolean } = {},
): Promise<Sides> {
  const options = redactionOptions(await memory.config())
  const hub = isOffline ? NOBODY : await memory.hubClient(address, await memory.hubLink.token(address))
  const state = await memory.hubLink.state()
  state.open(address.identity)
  const unique = () => `${memory.clock.nowMs().toString(36)}-${randomWord(memory)}-${randomWord(memory)}`
  return {
    local: engineVault(memory, { batch: `${memory.clock.nowMs()}-hub-${randomWord(memory)}`, state }),
    state,
    hub,
    print: versionHash,
    holdsSecret: async text =>
      redact(text, options).redacted.length > 0 ||
      (mayHoldSecret(text) && (await memory.secondNet(text)).redacted.length > 0),
    newPushId: unique,
  }
}

export function randomWord({ clock }: Memory): string {
  return clock.random(2 ** 48).toString(36)
}

const refuse = async (): Promise<never> => {
  throw new CairnError({
    code: 'hub_unreachable',
    message: 'The hub is not asked for this.',
    hint: '`cairn sync` asks it.',
  })
}
const NOBODY: HubClient = { hello: refuse, pull: refuse, versions: refuse, push: refuse, giveUp: refuse }
