/**
 * The slash commands. Every host's files are rendered from this table, and so is the page docs/guide/slash-commands.md.
 *
 * What a user types behind a command is text, and may contain quotes, backticks or `$(…)`. No file puts it into a shell line: the model
 * passes it to a tool of the MCP server, or to `cairn memory -` on standard input.
 */
export interface SlashCommand {
  readonly name: 'remember' | 'forget' | 'pin' | 'cairn'
  readonly argument: string
  readonly description: string
  /** Tools of the MCP server that it may call. */
  readonly tools: readonly string[]
  /** The verb that does the same at a command line. */
  readonly verb: string
  /** The instructions of the model for the text. */
  readonly steps: string
}

/** `/memory` is a command of Claude Code's and Gemini's own: ours is `/cairn`, on every host the same. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'remember',
    argument: '<text>',
    description: 'Keep something in the project memory',
    tools: ['remember'],
    verb: 'cairn remember -',
    steps:
      'Call the tool `remember` of the MCP server `cairn` with it as `content`, word for word. Then say in one line what was kept, with its id.',
  },
  {
    name: 'forget',
    argument: '<id or words>',
    description: 'Remove an entry of the project memory',
    tools: ['forget'],
    verb: 'cairn forget -',
    steps:
      'Call the tool `forget` of the MCP server `cairn` with it as `target`. Where several entries fit, show them and let the user choose one. Then say in one line what was removed; `cairn undo` brings it back.',
  },
  {
    name: 'pin',
    argument: '<id or words>',
    description: 'Pin an entry of the project memory, or unpin it',
    tools: ['get', 'pin'],
    verb: 'cairn pin -',
    steps:
      'Look at the entry with the tool `get` of the MCP server `cairn` (`target`), then call `pin` with its id; where it is pinned already, with `off` true. Where several entries fit, show them and let the user choose one. Say in one line what it is now.',
  },
  {
    name: 'cairn',
    argument: 'status|list|search|budget|alias|auto|config',
    description: 'Look at the project memory and set it up',
    tools: [],
    verb: 'cairn memory -',
    steps: `Run the shell command named below, and show its output as it is. It knows:
- \`status\`
- \`list [decisions|lessons|tasks|projects|handoffs]\`
- \`search <question>\`
- \`budget [tokens|default]\`: the most that a brief may take
- \`alias add <word> <meanings>\`, \`alias list\`, \`alias remove <word>\`
- \`auto [on|off]\`: whether sessions are distilled by themselves
- \`config [conservative|balanced|aggressive]\`: how much must speak for a finding`,
  },
]

/**
 * Prompts that the MCP server offers. Gemini makes a command of each, by its bare name, and where a file has the same name it gives
 * the name to neither.
 */
export const SERVER_PROMPTS: readonly string[] = ['remember', 'recall', 'save_memory']
