import type * as v from 'valibot'
import type { Operation } from './operation.ts'
import { VERBS } from './verbs.generated.ts'

export { VERBS }

/** By name, for callers that are given the name. */
export const OPERATIONS: Readonly<Record<string, () => Promise<Operation>>> = VERBS

export type VerbName = keyof typeof VERBS

/** What a verb answers. */
export type AnswerOf<Name extends VerbName> =
  Awaited<ReturnType<(typeof VERBS)[Name]>> extends Operation<infer _Input, infer Output>
    ? v.InferOutput<Output>
    : never
