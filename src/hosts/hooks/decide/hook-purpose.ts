/**
 * What Cairn does at a moment of a host, whatever the host calls that moment.
 *
 *   start         a session begins, is resumed, or goes on after its context was compacted: the start brief
 *   prompt        a person asks something: the brief for it
 *   agent-start   a sub-agent begins: its brief
 *   tool          a tool was run: an event, and the warnings of the files it touched where that is wanted
 *   compact       the host is about to compact its context: a checkpoint, and what was told counts as gone
 *   turn-end      the agent has answered: the conversation is saved
 *   agent-end     a sub-agent has answered: what it found is saved
 *   end           the session is over: it is closed
 */
export const HOOK_PURPOSES = [
  'start',
  'prompt',
  'agent-start',
  'tool',
  'compact',
  'turn-end',
  'agent-end',
  'end',
] as const
export type HookPurpose = (typeof HOOK_PURPOSES)[number]
