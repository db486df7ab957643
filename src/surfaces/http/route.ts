import type { HubOperation, HubVerbRoute } from '../../addons/hub/verbs/hub-operation.ts'
import type { Operation, VerbRoute } from '../../verbs/operation.ts'
import type { EventStream } from './event-stream.ts'
import { timed } from './request-times.ts'

type RouteRules = Pick<VerbRoute, 'access' | 'onHub' | 'ignoresUnknown'> & Pick<Operation, 'runs'>

/** A verb behind a path: its schemas are the contract. */
export interface Route<Verb = Operation> extends RouteRules {
  readonly kind: 'answer'
  load(): Promise<Verb>
}

/** Events behind a path, sent for as long as a client listens or there is something to send. */
export interface StreamRoute<Stream = EventStream> extends RouteRules {
  readonly kind: 'stream'
  load(): Promise<Stream>
}

/** A route of the hub itself. */
export interface HubRoute<Verb = HubOperation> extends Pick<HubVerbRoute, 'scope' | 'isOfAnyProject'> {
  load(): Promise<Verb>
}

export function route<Verb>(rules: RouteRules, load: () => Promise<Verb>): Route<Verb> {
  let loaded: Promise<Verb> | undefined
  return {
    kind: 'answer',
    ...rules,
    load: () => {
      loaded ??= load().then(timed)
      return loaded
    },
  }
}

export function streamRoute<Stream>(rules: RouteRules, load: () => Promise<Stream>): StreamRoute<Stream> {
  return { kind: 'stream', ...rules, load }
}

export function hubRoute<Verb>(
  rules: Pick<HubVerbRoute, 'scope' | 'isOfAnyProject'>,
  load: () => Promise<Verb>,
): HubRoute<Verb> {
  return { ...rules, load }
}
