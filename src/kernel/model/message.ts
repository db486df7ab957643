/** One turn of a conversation, as a host hands it over. */
export interface Message {
  /** `user`, `agent` (or `assistant`), `tool`, `system`; any other name is taken for an agent's. */
  readonly role: 'user' | 'agent' | 'tool' | 'system' | (string & {})
  readonly text: string
  /** Between agents, or of the host itself: never in a checkpoint or a handoff, never distilled. */
  readonly internal?: boolean
  /** UTC ISO. */
  readonly at?: string
  /** What the agent ran, on a message of the role `tool`: the text is then the command and the end of its output. */
  readonly run?: ToolRun
}

/** One use of a tool by an agent: a command, an edit, a search. */
export interface ToolRun {
  /** As the host names it: `Bash`, `shell`, `Edit`. */
  readonly tool: string
  /** What was run, when it was a command. */
  readonly command?: string
  /** false: it failed (an exit code other than 0, or the host says so). Absent: the host did not tell. */
  readonly ok?: boolean
  readonly exitCode?: number
  /** The end of what it printed. */
  readonly output?: string
  /** Files it read or changed, relative to the project where they are in it. */
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
