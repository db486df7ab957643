/** The maximum of a role: a file of the project must not fill the context. */
export const PERSONA_CHARACTERS = 8_000

interface PromptParts {
  readonly persona?: string | undefined
  /** The start brief: memory, where to write it, which project is meant. */
  readonly startBrief: string
  /** The brief for this command. */
  readonly promptBrief: string
  readonly command: string
}

/** Seed A, section 5: persona, memory, command. A continued chat gets the command alone. */
export function composePrompt({ persona, startBrief, promptBrief, command }: PromptParts): string {
  const parts = [persona ?? '', startBrief, promptBrief, command]
  return `${parts
    .map(part => part.trim())
    .filter(part => part !== '')
    .join('\n\n')}\n`
}

/** A role without its front matter, which is for the host that reads the file, and without comments. */
export function personaText(file: string): string {
  const text = file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const end = text.startsWith('---\n') ? text.indexOf('\n---', 3) : -1
  const afterFence = end === -1 ? -1 : text.indexOf('\n', end + 1)
  const body = end === -1 ? text : afterFence === -1 ? '' : text.slice(afterFence + 1)
  return bounded(body.replace(/<!--[\s\S]*?-->/g, '').trim())
}

function bounded(text: string): string {
  if (text.length <= PERSONA_CHARACTERS) return text
  const cut = text.slice(0, PERSONA_CHARACTERS)
  const at = cut.lastIndexOf('\n')
  return `${cut.slice(0, at > PERSONA_CHARACTERS / 2 ? at : PERSONA_CHARACTERS).trimEnd()}\n[…]`
}

/** Where a project may define the role of an agent; the first file that exists counts. */
export function personaPaths(agent: string): readonly string[] {
  return [
    `.memory/${agent}/_persona.md`,
    `.claude/agents/${agent}.md`,
    `.cursor/rules/${agent}.mdc`,
    `.opencode/agent/${agent}.md`,
    `.gemini/agents/${agent}.md`,
  ]
}
