import type { HostId } from '../../../kernel/model/host.ts'

/** What a process of ours sees of the run that it belongs to. */
export interface RunSigns {
  readonly isCi: boolean
  /** Claude Code says whether a person is there. */
  readonly isClaudeAttended: boolean | undefined
}

/**
 * Whether a person sits before the host; undefined: nothing says so.
 *
 *   claude-code   CLAUDE_CODE_SESSION_ATTENDED and CLAUDE_CODE_ENTRYPOINT in the environment; `entrypoint` in the transcript (`sdk-cli`: `claude -p`)
 *   codex         `originator` in the first line of the transcript (`codex_exec`: `codex exec`)
 *   the others    nothing
 *
 * `text` is the beginning of the transcript, where there is one.
 */
export function isAttended(
  host: HostId,
  { isCi, isClaudeAttended }: RunSigns,
  text: string | undefined,
): boolean | undefined {
  if (isCi) return false
  if (host === 'claude-code') {
    if (isClaudeAttended !== undefined) return isClaudeAttended
    const [, entrypoint] = /"entrypoint":"([\w-]{1,40})"/.exec(text ?? '') ?? []
    return entrypoint === undefined ? undefined : !entrypoint.startsWith('sdk')
  }
  if (host === 'codex') {
    const [, originator] = /"originator":"([\w .-]{1,60})"/.exec(text ?? '') ?? []
    return originator === undefined ? undefined : !/exec|sdk/i.test(originator)
  }
  return undefined
}
