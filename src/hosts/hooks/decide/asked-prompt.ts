import { FENCES } from '../../../kernel/text/memory-context-lines.ts'

/** What hosts put around or in place of a prompt, and no user typed. */
const OF_THE_HOST =
  /^<(?:task-notification|command-name|command-message|command-args|local-command-\w+|bash-\w+|system-reminder|session_context|environment_context|user_instructions|hook_context|skill|background-\w+)\b/i
/** A slash command, or one of a skill: `/x`, `/plugin:x`, `$x`. Not a path, and not an amount. */
const COMMAND = /^[/$][A-Za-z][\w:-]*(?:\s|$)/
const HOOK_CONTEXT = /^\s*<hook_context>[\s\S]*?<\/hook_context>\s*/
const USER_QUERY = /^\s*<user_query>\s*([\s\S]*?)\s*<\/user_query>\s*$/
/** More rounds than any host wraps. */
const MAX_WRAPPINGS = 8

/**
 * The prompt as the user typed it, without what the host put around it; undefined where it is not from a user: a command, a notice.
 *
 *   <hook_context>…</hook_context>\n\nhello   →  hello        (Gemini, where the start brief comes before the prompt)
 *   <user_query>hello</user_query>            →  hello        (Cursor)
 *   /remember x, <task-notification>…         →  undefined
 */
export function askedPrompt(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  let asked = text
  for (let round = 0; round < MAX_WRAPPINGS; round++) {
    const bare = withoutFence(asked.replace(HOOK_CONTEXT, '')).replace(USER_QUERY, '$1')
    if (bare === asked) break
    asked = bare
  }
  asked = asked.trim()
  if (asked === '' || OF_THE_HOST.test(asked) || COMMAND.test(asked)) return undefined
  return asked
}

/** Removes a brief of ours before the prompt. */
function withoutFence(text: string): string {
  const trimmed = text.trimStart()
  for (const { open, close } of Object.values(FENCES)) {
    if (!trimmed.startsWith(open)) continue
    const end = trimmed.indexOf(close)
    if (end !== -1) return trimmed.slice(end + close.length).trimStart()
  }
  return text
}
