import type * as v from 'valibot'
import type { HubOperation } from '../../addons/hub/verbs/hub-operation.ts'
import type { Operation } from '../../verbs/operation.ts'
import type { HubRouteName } from './paths.generated.ts'
import { CONTRACT, HUB_CONTRACT } from './routes.generated.ts'

export { CONTRACT, HUB_CONTRACT }

type Contract = typeof CONTRACT
type BehindOf<Name extends keyof Contract> = Awaited<ReturnType<Contract[Name]['load']>>

/** The calls of the page's client. */
export type Answerable = {
  [Name in keyof Contract]: Contract[Name] extends { readonly kind: 'answer' } ? Name : never
}[keyof Contract]
export type Asked<Name extends Answerable> =
  BehindOf<Name> extends Operation<infer Input, infer _Output> ? v.InferInput<Input> : never
export type Answered<Name extends Answerable> =
  BehindOf<Name> extends Operation<infer _Input, infer Output> ? v.InferOutput<Output> : never

type HubContract = typeof HUB_CONTRACT
type HubBehindOf<Name extends HubRouteName> = Awaited<ReturnType<HubContract[Name]['load']>>

/** The calls of the page to a hub. */
export type HubAsked<Name extends HubRouteName> =
  HubBehindOf<Name> extends HubOperation<infer Input, infer _Output> ? v.InferInput<Input> : never
export type HubAnswered<Name extends HubRouteName> =
  HubBehindOf<Name> extends HubOperation<infer _Input, infer Output> ? v.InferOutput<Output> : never
