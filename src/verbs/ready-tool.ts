import type * as v from 'valibot'
import type { Composed } from '../compose/composed.ts'
import type { Operation, OperationContext } from './operation.ts'
import type { ToolEffect, ToolNeed } from './tool.ts'

/** How the answer of a ready tool is written: how each text is cleaned before it becomes YAML, and the maximum length of the whole. */
export interface ReadyAnswerOptions {
  readonly clean?: (text: string) => string
  readonly maxCharacters?: number
}

/** A tool that is more than one verb: it has an input of its own, and its answer is a text. */
export interface ReadyTool<Input extends v.GenericSchema = v.GenericSchema> {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** Accepted but not listed, because every session reads every word. */
  readonly unlisted: readonly string[]
  readonly effect: ToolEffect
  readonly needs: ToolNeed
  /** A valid call, shown to an agent that made an invalid one. */
  readonly example: string
  readonly input: Input
  run(
    memory: Composed,
    input: v.InferOutput<Input>,
    options?: ReadyAnswerOptions,
    context?: OperationContext,
  ): Promise<string>
}

export function defineTool<Input extends v.GenericSchema>(tool: ReadyTool<Input>): ReadyTool<Input> {
  return tool
}

/** The facts of a tool before it is loaded. */
interface Registered {
  readonly effect: ToolEffect
  readonly needs?: ToolNeed
  readonly isExtra?: true
}

/** A row of the registry: the verbs by action, first the one that describes the tool; or a ready tool. */
export type RegisteredTool =
  | (Registered & { readonly verbs: Readonly<Record<string, () => Promise<Operation>>> })
  | (Registered & { readonly ready: () => Promise<ReadyTool> })
