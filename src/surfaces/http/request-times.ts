import { performance } from 'node:perf_hooks'
import type { Operation } from '../../verbs/operation.ts'

/** So many of each are remembered, the newest. */
const WINDOW = 500

const samplesByVerb = new Map<string, number[]>()

/** How long the verbs of this server took of late, by their name. */
export function requestTimes(): ReadonlyMap<string, readonly number[]> {
  return samplesByVerb
}

/** The same verb, with a clock beside it. What failed is not counted: it says nothing about the work. */
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
