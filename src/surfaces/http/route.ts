import { performance } from 'node:perf_hooks'
import type { HubOperation, HubVerbRoute } from '../../addons/hub/verbs/hub-operation.ts'
import type { Operation, VerbRoute } from '../../verbs/operation.ts'
import type { EventStream } from './event-stream.ts'

type RouteRules = Pick<VerbRoute, 'access' | 'onHub' | 'ignoresUnknown'> & Pick<Operation, 'runs'>

/** A verb behind a path: its schemas are the contract. */
export interface Route<Verb = Operation> extends RouteRules {
  readonly kind: 'answer'
  load(): Promise<Verb>
}

/** Events behind a path, sent while a client listens and there is something to send. */
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

/** The number of samples per verb. */
const WINDOW = 500

const samplesByVerb = new Map<string, number[]>()

/** How long the verbs of this server took recently, by name. */
export function requestTimes(): ReadonlyMap<string, readonly number[]> {
  return samplesByVerb
}

/** The same verb, timed. Failures are not counted. */
export function timed<Verb>(verb: Verb): Verb {
  const operation = verb as Operation
  return {
    ...operation,
    async run(...given: Parameters<Operation['run']>) {
      const startMs = performance.now()
      const answer = await operation.run(...given)
      note(operation.name, performance.now() - startMs)
      return answer
    },
  } as Verb
}

function note(name: string, ms: number): void {
  const samples = samplesByVerb.get(name) ?? []
  samples.push(ms)
  if (samples.length > WINDOW) samples.shift()
  samplesByVerb.set(name, samples)
}
