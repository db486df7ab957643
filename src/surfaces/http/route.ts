import type { Operation } from '../../verbs/operation.ts'
import type { EventStream } from './event-stream.ts'
import { timed } from './request-times.ts'

/**
 *   open    answered to everybody who reaches the server: it says nothing of the memory
 *   read    answered to whoever is on this machine
 *   write   changes something: needs the token
 *   local   the same, and never for a request that was forwarded from elsewhere
 */
export type Access = 'open' | 'read' | 'write' | 'local'

/** A verb behind a path: its schemas are the contract. */
export interface Route<Verb = Operation> {
  readonly kind: 'answer'
  readonly access: Access
  /** What it does not know in a body is left aside instead of refused. */
  readonly leavesExtras?: true
  load(): Promise<Verb>
}

/** Events behind a path, told for as long as somebody listens or there is something to tell. */
export interface StreamRoute<Stream = EventStream> {
  readonly kind: 'stream'
  readonly access: Access
  readonly leavesExtras?: true
  load(): Promise<Stream>
}

export function route<Verb>(access: Access, load: () => Promise<Verb>): Route<Verb> {
  let loaded: Promise<Verb> | undefined
  return {
    kind: 'answer',
    access,
    load: () => {
      loaded ??= load().then(timed)
      return loaded
    },
  }
}

/** A route of the seed: whoever speaks to it was written for another server, and may send what that one took. */
export function seedRoute<Verb>(access: Access, load: () => Promise<Verb>): Route<Verb> {
  return { ...route(access, load), leavesExtras: true }
}

export function streamRoute<Stream>(access: Access, load: () => Promise<Stream>): StreamRoute<Stream> {
  return { kind: 'stream', access, load }
}

export function seedStreamRoute<Stream>(access: Access, load: () => Promise<Stream>): StreamRoute<Stream> {
  return { ...streamRoute(access, load), leavesExtras: true }
}
