export type ToolEffect = 'reads' | 'writes' | 'removes'

/** The tool is offered only if this exists: another project, a workspace, a task of the work board. */
export type ToolNeed = 'otherProjects' | 'workspaces' | 'work'

/** Written as a method, so that verbs of different answers go into one list. */
type TextForAgents<Answer> = { write(output: Answer): string }['write']

/** A verb that agents can call over MCP. Its input and checks are those of the verb; every session reads this text. */
export interface ToolOfVerb<Answer = unknown> {
  readonly name: string
  /** If several verbs form one tool: the value of `action` that runs this one, which is the default. */
  readonly action?: string
  readonly title: string
  readonly description: string
  /** The fields of its verbs that are listed, each with a short description or none. */
  readonly fields: Readonly<Record<string, string>>
  /** Accepted but not listed. */
  readonly unlisted?: readonly string[]
  readonly effect: ToolEffect
  /** A second identical call changes nothing more. */
  readonly isIdempotent?: true
  /** Values of fields that the call leaves out. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** The field for the name of the agent, unless the call sets it. */
  readonly agentField?: string
  readonly needs?: ToolNeed
  /** Offered by `cairn mcp --all-tools` only. */
  readonly isExtra?: true
  /** The answer as text, in neutral characters. Absent: an outline of all its fields. */
  answer?(): Promise<TextForAgents<Answer>>
}

/** Another action of a tool that a verb describes. */
interface ActionOfTool<Answer> extends Pick<ToolOfVerb<Answer>, 'name' | 'answer'> {
  readonly action: string
}

export type VerbTool<Answer> = ToolOfVerb<Answer> | ActionOfTool<Answer>
