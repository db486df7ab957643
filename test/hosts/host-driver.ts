import type { HostId } from '../../src/kernel/model/host.ts'
import type { HostWorld } from './host-world.ts'

/** What a run takes besides the program itself. */
export interface HostStart {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** How one of the real programs is run without a person before it. */
export interface HostDriver {
  readonly id: HostId
  /** Files of this user before Cairn comes, below the home: what the program needs to start, and what people have there. */
  readonly files: Readonly<Record<string, string>>
  start(world: HostWorld, prompt: string): HostStart
  /** The same for a command of ours, or why that cannot be run without a person. */
  startCommand(world: HostWorld, name: string, text: string): HostStart | string
  /** Its prompt hook can answer in the model's place. */
  readonly doesCommandsItself?: boolean
  /** The tool by which this host's model runs a shell command, and its input. */
  shell(command: string): { readonly call: string; readonly with: Readonly<Record<string, unknown>> }
}
