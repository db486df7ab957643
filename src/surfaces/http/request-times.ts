import { performance } from 'node:perf_hooks'
import type { Operation } from '../../verbs/operation.ts'

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
