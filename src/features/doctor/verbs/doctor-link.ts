import type { HubAddress } from '../../../addons/link/decide/link-state.ts'
import type { LinkPorts, SyncPorts } from '../../../addons/link/decide/ports.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { type LinkView, linkView } from '../../status/verbs/link-view.ts'
import type { DoctorCheck } from '../check.ts'

/** A person waits for the answer. */
const ASK_MS = 3_000

/** The link of this project: what is known of it here, and what the hub says to its token. A hub that is away is nothing that is wrong here. */
export async function checkLink(memory: Memory & SyncPorts): Promise<DoctorCheck[]> {
  const address = await memory.hubLink.address()
  const view = await linkView(memory)
  if (address === undefined || view === null) return []
  return [await askHub(memory, address, view)]
}

async function askHub(
  memory: LinkPorts,
  address: HubAddress,
  view: NonNullable<LinkView>,
): Promise<DoctorCheck> {
  const place = `${address.project} at ${address.url}`
  const known = whatIsKnown(view)
  try {
    const client = await memory.hubClient(address, await memory.hubLink.token(address), { onceMs: ASK_MS })
    const { identity } = await client.hello()
    if (identity !== address.identity)
      return {
        name: 'link',
        result: 'warning',
        message: `linked to ${place}, where another hub or project answers; nothing is sent to it; ${known}`,
        hint: '`cairn link <hub-url>` links the one that is there now.',
      }
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    if (error.code === 'hub_unreachable')
      return {
        name: 'link',
        result: 'ok',
        message: `linked to ${place}, which is not reached now; ${known}`,
        hint: 'The memory here answers as before, and what waits is sent when the hub is back.',
      }
    return { name: 'link', result: 'warning', message: `${error.message} ${known}`, hint: error.hint }
  }
  // Reached now: what kept the last sync from ending may be over, or not.
  if (view.failure !== null && view.failure.code !== 'hub_unreachable')
    return {
      name: 'link',
      result: 'warning',
      message: `linked to ${place}, which takes the token; ${known}; the last sync did not end: ${view.failure.message}`,
      hint: view.failure.hint,
    }
  return { name: 'link', result: 'ok', message: `linked to ${place}, which takes the token; ${known}` }
}

function whatIsKnown({ lastSync, waiting }: NonNullable<LinkView>): string {
  const last = lastSync === null ? 'never synced' : `last synced ${lastSync.slice(0, 16)}Z`
  return `${last}, ${waiting} waiting to be sent`
}
