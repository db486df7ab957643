/** One message of a conversation, as a host passes it on. */
export interface Message {
  /** `user`, `agent` (or `assistant`), `tool`, `system`; any other name counts as an agent. */
  readonly role: 'user' | 'agent' | 'tool' | 'system' | (string & {})
  readonly text: string
  /** Between agents, or from the host itself: never in a checkpoint or a handoff, never distilled. */
  readonly internal?: boolean
  /** UTC ISO. */
  readonly at?: string
  /** The tool run of a message with the role `tool`: the text is then the command and the end of its output. */
  readonly run?: ToolRun
}

/** One use of a tool by an agent: a command, an edit, a search. */
export interface ToolRun {
  /** As the host names it: `Bash`, `shell`, `Edit`. */
  readonly tool: string
  /** The command line, if it was a command. */
  readonly command?: string
  /** false: it failed (an exit code other than 0, or the host reported it). Absent: the host did not report it. */
  readonly ok?: boolean
  readonly exitCode?: number
  /** The end of its output. */
  readonly output?: string
  /** Files that it read or changed, relative to the project if they are inside it. */
  readonly files?: readonly string[]
  /** Whether it changed those files. */
  readonly isEdit?: boolean
}

export type Speaker = 'user' | 'agent' | 'tool' | 'system'

const SPEAKERS: Readonly<Record<string, Speaker>> = {
  user: 'user',
  human: 'user',
  person: 'user',
  tool: 'tool',
  tool_result: 'tool',
  function: 'tool',
  command: 'tool',
  system: 'system',
  developer: 'system',
}

export function speakerOf(role: string): Speaker {
  const name = role.toLowerCase()
  return Object.hasOwn(SPEAKERS, name) ? (SPEAKERS[name] ?? 'agent') : 'agent'
}
