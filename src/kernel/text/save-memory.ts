/**
 * When and how an agent saves what a conversation taught: the learning cycle of seed B, sections 4.3.1 and 4.3.2. One text for the skill,
 * command or rule file of every host and for the prompt of the MCP server. It is part of contexts: every line costs tokens.
 */
export const SAVE_MEMORY_DESCRIPTION =
  'Save what this conversation taught to the project memory (Cairn). Use when a fix took several attempts, a solution stands in no document, memory contradicts what you see, a design decision was made or confirmed, the session is ending, or the user says "save memory".'

/** `program`: how the host that reads it runs this installation from a shell. */
export const saveMemoryText = (program = 'cairn') => `# Save memory

When:
- Hard-won fix: a bug took several failed attempts. A lesson: the cause, and what solved it.
- Non-obvious solution: it needed knowledge that stands in no document. A lesson.
- Conflict: an entry of the memory contradicts what is so now. Tell the user, and propose to correct or forget that entry.
- Decision: a choice of architecture, tool or convention was made or confirmed. A decision, with its reason.
- End of the session: save what is worth it by yourself.

How, without asking for confirmation:
1. Go over the conversation: what would spare the next session work? No secret, no progress report, nothing that code or documents say.
2. See what is known: the tool \`retrieve_learnings\` for the scope where the project has workspaces, \`search\` everywhere. What is known is not saved again; what is known and wrong is a conflict.
3. Sort: decision, lesson, or a plan whose status changed.
4. Find the scope: the workspace (and domain) of the files it is about; none where it holds for the whole project, or there are no workspaces.
5. Write each as one statement that stands by itself: what, why, and the file or command it is about.
   - No scope: the tool \`remember\` with \`kind\` decision or lesson, and \`files\`.
   - Scope: \`${program} workspace learn decision|lesson '<title>' --scope <workspace/domain> --category <word> --content -\`, the text on standard input.
   - Plan: \`${program} workspace plan set <id> --status new|in_progress|partial|done|abandoned\`.
6. Report in a line or two what was saved, and what was left out because it was known.
`
