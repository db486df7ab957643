import { claudeEvents } from '../claude-code/program.ts'
import { type HostProgram, option } from '../run/decide/host-program.ts'

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
