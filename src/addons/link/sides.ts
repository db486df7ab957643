import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { versionHash } from '../../kernel/system/digest.ts'
import { mayHoldSecret } from '../../kernel/text/redaction/may-hold-secret.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { HubAddress, LinkState } from './decide/link-state.ts'
import type { HubClient, SyncPorts } from './decide/ports.ts'
import type { Print } from './decide/shared-entry.ts'
import { engineVault } from './engine-vault.ts'
import type { LocalVault } from './local-vault.ts'

/** The two sides of a sync. */
export interface Sides {
  readonly local: LocalVault
  readonly state: LinkState
  readonly hub: HubClient
  readonly print: Print
  /** The last check before sending: stored text is already redacted, but a file may be edited by hand. */
  readonly holdsSecret: (text: string) => Promise<boolean>
  /** The id of a push: never used before. */
  readonly newPushId: () => string
}

/** All texts of an entry. */
export function textOf({ content, kind, tags, files, session, extra }: Entry): string {
  // The key matters: `password: …`.
  const named = Object.entries(extra ?? {}).map(([name, value]) => `${name}: ${value}`)
  return [content, kind, ...tags, ...files, session ?? '', ...named].join('\n')
}

/** The local memory and its linked hub. The caller closes the state. */
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
    message: 'This does not contact the hub.',
    hint: '`cairn sync` does.',
  })
}
const NOBODY: HubClient = { hello: refuse, pull: refuse, versions: refuse, push: refuse, giveUp: refuse }
