import { claudeEvents } from '../claude-code/program.ts'
import { option } from '../run/decide/host-command.ts'
import type { HostProgram } from '../run/decide/host-event.ts'

/** From its documentation: no program of it can be run in our tests. Its output has the form of Claude Code's. */
export const cursorProgram: HostProgram = {
  program: 'cursor-agent',
  words: ({ chat, model }) => [
    ...['-p', '--output-format', 'stream-json'],
    ...option('--model', model),
    ...option('--resume', chat),
  ],
  events: claudeEvents,
}
