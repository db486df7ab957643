import type { Terminal } from '../../kernel/system/terminal.ts'
import type { Operation } from '../../verbs/operation.ts'
import type { GlobalOptions } from './arguments.ts'

/** A verb with its input, as a person typed it in a host. */
interface TypedVerb {
  readonly verb: string
  readonly input: Readonly<Record<string, unknown>>
}

/** A command that is not a verb over a memory: it is about the command line or starts a program. */
export interface OwnCommand {
  readonly name: string
  readonly group?: Operation['group']
  readonly summary: string
  readonly usage: string
  readonly flags?: readonly string[]
  /** Returns the text to print, or a verb to run instead. */
  run(words: readonly string[], globals: GlobalOptions, terminal: Terminal): Promise<string | TypedVerb>
}
