import type * as v from 'valibot'
import type { AgentRuleOf } from '../../verbs/agent-rules.ts'
import type { ObjectSchema, VerbRoute } from '../../verbs/operation.ts'
import type { MemoryIn, RunsIn } from '../../verbs/runs-in.ts'

/** The data of each event by name. */
type EventSchemas = Readonly<Record<string, v.GenericSchema>>

type EventOf<Events extends EventSchemas> = {
  [Name in keyof Events & string]: { readonly event: Name; readonly data: v.InferOutput<Events[Name]> }
}[keyof Events & string]

/**
 * Server-sent events, defined once like a verb. Besides its own events every stream has `ping` (sent after a period without events),
 * `error` (a failure with code, message and hint; it is the last event) and `bye` (the server ends).
 */
export interface EventStream<
  Input extends ObjectSchema = ObjectSchema,
  Events extends EventSchemas = EventSchemas,
  Runs extends RunsIn = RunsIn,
> {
  readonly name: string
  readonly agent: AgentRuleOf
  readonly route: VerbRoute
  /** Where it can run; absent: in a checkout and on a hub. */
  readonly runs?: Runs
  readonly summary: string
  readonly description?: string
  readonly input: Input
  readonly events: Events
  /**
   * `signal` is aborted when the client disconnected or the server ends; waiting code must then return. An exception is sent as `error`;
   * before the first event it is the answer to the request, with its status.
   */
  open(
    memory: MemoryIn<Runs>,
    input: v.InferOutput<Input>,
    context: { readonly signal: AbortSignal },
  ): AsyncIterable<EventOf<Events>>
}

export function defineStream<
  Input extends ObjectSchema,
  Events extends EventSchemas,
  const Runs extends RunsIn = 'both',
>(stream: EventStream<Input, Events, Runs>): EventStream<Input, Events, Runs> {
  return stream
}
