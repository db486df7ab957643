import type { HostId } from '../../src/model/host.ts'
import type { HostWorld } from './host-world.ts'

/** How one of the real programs is run without a person before it. */
export interface HostDriver {
  readonly id: HostId
  /** Files of this user before Cairn comes, below the home: what the program needs to start, and what people have there. */
  readonly files: Readonly<Record<string, string>>
  /** What a run with one prompt takes besides the program itself. */
  start(
    world: HostWorld,
    prompt: string,
  ): {
    readonly words: readonly string[]
    readonly environment: Readonly<Record<string, string>>
  }
  /** The tool by which this host's model runs a shell command, and its input. */
  shell(command: string): { readonly call: string; readonly with: Readonly<Record<string, unknown>> }
}
