import { projectAt } from '../../features/projects/resolve-project.ts'
import type { Memory } from '../../kernel/memory.ts'
import { rootOf } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import type { HubAddress, LinkLog } from './decide/link-state.ts'
import type { LinkPorts, SyncPorts } from './decide/ports.ts'
import { SYNC_PROTOCOL } from './decide/protocol.ts'
import { findOutgoing } from './find-outgoing.ts'
import { sidesOf } from './sides.ts'

/** Timeout for a running sync: it continues with its old address and token. */
export const PATIENCE_MS = 20_000

interface LinkWishes {
  readonly url: string
  /** The name of the project on the hub; default: the previous link, or the folder's name. */
  readonly project: string
  readonly token: string
  readonly isInsecure: boolean
}

/** Links the project to a hub that answers, and stores the identity of its project. Nothing is sent yet. */
export async function linkHub(
  memory: Memory & LinkPorts,
  { url, project, token, isInsecure }: LinkWishes,
): Promise<{ readonly address: HubAddress; readonly before: HubAddress | null }> {
  refuseUntrusted(memory)
  const client = await memory.hubClient({ url, project }, token)
  const { identity, protocol } = await client.hello()
  if (protocol !== SYNC_PROTOCOL) throw otherLanguage(protocol)
  return memory.hubLink.alone(async () => {
    const before = (await memory.hubLink.address()) ?? null
    const address = { url, project, identity, isInsecure, since: utcMinute(memory.clock.nowMs()) }
    await memory.hubLink.keep(address, token)
    return { address, before }
  }, PATIENCE_MS)
}

export async function unlinkHub(memory: LinkPorts): Promise<HubAddress> {
  // First: without a link there may be no memory to lock.
  await getAddress(memory)
  return memory.hubLink.alone(async () => {
    const address = await getAddress(memory)
    await memory.hubLink.remove()
    return address
  }, PATIENCE_MS)
}

/** Throws `not_linked`. */
export async function getAddress(memory: LinkPorts): Promise<HubAddress> {
  const address = await memory.hubLink.address()
  if (address !== undefined) return address
  throw new CairnError({
    code: 'not_linked',
    message: 'This project is not linked to a hub on this machine.',
    hint: '`cairn link <hub-url>` links it.',
  })
}

interface LinkStatus {
  readonly address: HubAddress | null
  readonly log: LinkLog | null
  /** What the next sync would send, as far as this machine knows. */
  readonly waiting: number
}

/** Without contacting the hub: the last known state and the local changes. */
export async function linkStatus(memory: Memory & SyncPorts): Promise<LinkStatus> {
  const address = (await memory.hubLink.address()) ?? null
  if (address === null) return { address, log: null, waiting: 0 }
  const sides = await sidesOf(memory, address, { isOffline: true })
  try {
    const { changed, removed, documents } = await findOutgoing(sides)
    const log = (await memory.hubLink.log()) ?? null
    return { address, log, waiting: changed.length + removed.length + documents.length }
  } finally {
    sides.state.close()
  }
}

/** Content from strangers is never sent, and a hub never writes into an untrusted memory. Throws `not_trusted`, `not_initialised`. */
export function refuseUntrusted(memory: Memory): void {
  if (memory.isUserMemory)
    throw new CairnError({
      code: 'invalid_input',
      message: 'Your user memory cannot be linked to a hub: it is private.',
      hint: 'Link a project.',
    })
  const root = rootOf(memory) ?? ''
  const { standing } = projectAt(root)
  if (standing === 'trusted') return
  if (standing === 'none')
    throw new CairnError({
      code: 'not_initialised',
      message: `There is no memory in ${root} yet.`,
      hint: '`cairn init` creates one.',
    })
  throw new CairnError({
    code: 'not_trusted',
    message: `The memory in ${root} is not trusted, so it cannot be linked to a hub.`,
    hint: '`cairn trust` shows its content and asks for your consent.',
  })
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** `https://…`, or plain HTTP to this machine; elsewhere only with the option. Throws `invalid_input`. */
export function parseHubUrl(
  text: string,
  { isInsecure }: { readonly isInsecure: boolean },
): { readonly url: string; readonly project: string | undefined } {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw badUrl('is not the address of a hub', 'It looks like https://hub.example.org.')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw badUrl('contains more than an address', 'Give only the address, and the token with --token-file.')
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !isInsecure)
    throw badUrl(
      'would send the token and the memory unencrypted',
      'Use https, or add --insecure-http in a network that you trust.',
    )
  // The address of the project's page is accepted too.
  const [, before = '', name] = /^(.*?)(?:\/p\/([^/]+))?\/*$/.exec(url.pathname) ?? []
  return {
    url: `${url.origin}${before.replace(/\/+$/, '')}`,
    project: name === undefined ? undefined : decoded(name),
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch (error) {
    if (error instanceof URIError)
      throw badUrl('is not the address of a hub', 'It contains an invalid % escape.')
    throw error
  }
}

function badUrl(why: string, hint: string): CairnError {
  return new CairnError({ code: 'invalid_input', message: `The text ${why}.`, hint })
}

function otherLanguage(protocol: number): CairnError {
  return new CairnError({
    code: 'hub_refused',
    message: `The hub uses version ${protocol} of the sync protocol; this Cairn uses version ${SYNC_PROTOCOL}.`,
    hint: protocol > SYNC_PROTOCOL ? 'Update Cairn here.' : 'Ask for an update of the hub.',
  })
}
