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

/** How long a sync that is under way is waited for: it goes on with the address and the token that it began with. */
export const PATIENCE_MS = 20_000

export interface LinkWishes {
  readonly url: string
  /** The name of the project on the hub; absent: the link of before tells, or the folder's name. */
  readonly project: string
  readonly token: string
  readonly isInsecure: boolean
}

/** Links the project to a hub that answers, and remembers which one it is. Nothing is sent yet. */
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
  // First: where nothing is linked there may be no memory whose turn could be waited for.
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

export interface LinkStatus {
  readonly address: HubAddress | null
  readonly log: LinkLog | null
  /** What the next sync would send, as far as this machine knows. */
  readonly waiting: number
}

/** Without asking the hub: it says how it was, and what waits. */
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

/** What a stranger wrote into a memory is sent nowhere, and nothing of a hub is written into it. Throws `not_trusted`, `not_initialised`. */
export function refuseUntrusted(memory: Memory): void {
  if (memory.isUserMemory)
    throw new CairnError({
      code: 'invalid_input',
      message: 'The memory of a person is linked to no hub: it is yours alone.',
      hint: 'Link a project.',
    })
  const root = rootOf(memory) ?? ''
  const { standing } = projectAt(root)
  if (standing === 'trusted') return
  if (standing === 'none')
    throw new CairnError({
      code: 'not_initialised',
      message: `There is no memory in ${root} yet.`,
      hint: '`cairn init` makes one.',
    })
  throw new CairnError({
    code: 'not_trusted',
    message: `The memory in ${root} came from elsewhere, so it is not linked to a hub.`,
    hint: '`cairn trust` shows what is in it, and asks.',
  })
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** `https://…`, or plain HTTP to this machine; elsewhere only where it was said. Throws `invalid_input`. */
export function parseHubUrl(
  text: string,
  { isInsecure }: { readonly isInsecure: boolean },
): { readonly url: string; readonly project: string | undefined } {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw badUrl('is no address of a hub', 'It looks like https://hub.example.org.')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw badUrl('holds more than an address', 'Give the address alone, and the token with --token-file.')
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !isInsecure)
    throw badUrl(
      'would send the token and the memory in the clear',
      'Use https, or say --insecure-http where the network is your own.',
    )
  // The address of the project's page will do as well.
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
    if (error instanceof URIError) throw badUrl('is no address of a hub', 'A % in it stands for nothing.')
    throw error
  }
}

function badUrl(why: string, hint: string): CairnError {
  return new CairnError({ code: 'invalid_input', message: `What was given ${why}.`, hint })
}

function otherLanguage(protocol: number): CairnError {
  return new CairnError({
    code: 'hub_refused',
    message: `The hub speaks version ${protocol} of the language for links; this Cairn speaks ${SYNC_PROTOCOL}.`,
    hint: protocol > SYNC_PROTOCOL ? 'Update Cairn here.' : 'Have the hub updated.',
  })
}
