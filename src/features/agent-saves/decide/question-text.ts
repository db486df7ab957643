import type { RunSigns } from '../../../hosts/host-adapter.ts'
import { HOSTS } from '../../../hosts/hosts.ts'
import { type HostId, isHostId } from '../../../kernel/model/host.ts'

/** The name that this host gives to the tool `remember` of the MCP server `cairn`. */
export function toolNameIn(host: string): string {
  return isHostId(host) ? HOSTS[host].rememberTool : 'remember'
}

const WHAT_TO_SAVE =
  "Save only what would make a future session act differently. First, standing rules or corrections in the user's words, even if also written to a file (name it). Then outside facts (accounts, environments, versions, ports, limits). Then causes proven by a command's output or the user's word, with the exact command, setting or name that fixed it. Then choices where the user rejected an alternative: name it and why. Skip one-off wishes, how this chat or its tools behaved, what the diff shows, and anything you merely reported as done. One fact per entry, at most 5, usually 0-2."
const HANDOFF = 'Handoff: asked / verified / claimed but unverified / left.'

/**
 * The only question that the agent of a session gets. `near`, `rules` and `closing` must be neutralised by the caller.
 *
 *   prompt   with the next prompt of the session; the agent answers the prompt too
 *   start    with the first prompt of another session, about the one before
 *   stop     instead of the end of a turn, once
 */
export function questionText({
  moment,
  tool,
  near,
  rules,
  closing,
}: {
  readonly moment: 'prompt' | 'start' | 'stop'
  readonly tool: string
  readonly near: readonly string[]
  readonly rules: readonly string[]
  readonly closing: string
}): string {
  const call = `call the tool \`${tool}\` once with \`entries\` and a \`handoff\``
  const opening = {
    prompt: `Cairn asks once in this session: if the work so far taught something lasting, ${call}, then go on with the prompt. If not, go on and do not mention this.`,
    start: `Cairn: the last session ended without saving; its closing message was: "${closing}". If that or the files show something lasting, ${call}, then go on with the prompt. If not, go on and do not mention this.`,
    stop: `Cairn asks once before this session ends: if it taught something lasting, ${call}, then stop. If not, stop and do not mention this.`,
  }[moment]
  const stored =
    near.length === 0 ? [] : [`Already stored; do not repeat, supersede by id: ${near.join(' ; ')}`]
  const said =
    rules.length === 0
      ? []
      : [
          `The user said: ${rules.map(rule => `"${rule}"`).join(' ; ')}. Save each that holds beyond its task.`,
        ]
  return [opening, WHAT_TO_SAVE, ...said, ...stored, HANDOFF].join('\n')
}

/** Whether a user is present; undefined: unknown. `text` is the start of the transcript, if there is one. */
export function isAttended(host: HostId, signs: RunSigns, text: string | undefined): boolean | undefined {
  return signs.isCi ? false : HOSTS[host].isAttended?.(signs, text)
}
