import type { Terminal } from '../../kernel/system/terminal.ts'
import type { Waiting } from './verbs/waiting-view.ts'

/** One line each, and none for what is not there. */
export function presentWaiting(
  { sessions, waiting }: { readonly sessions: number; readonly waiting: Waiting },
  terminal: Terminal,
): void {
  const line = (what: string, verb: string) =>
    terminal.out(`${what} ${terminal.dim('→')} \`cairn ${verb}\`\n`)
  if (waiting.sessionsLeft > 0)
    line(`Sessions ${sessions}, ${waiting.sessionsLeft} left open`, 'session pick-up')
  else if (sessions > 0) terminal.out(`Sessions ${sessions}\n`)
  if (waiting.review > 0) line(`Review ${waiting.review} waiting`, 'review')
  if (waiting.upgrade > 0)
    line(
      `Upgrade ${waiting.upgrade} ${waiting.upgrade === 1 ? 'entry' : 'entries'} of 0.1.0`,
      'migrate --dry-run',
    )
  if (waiting.conflicts > 0) line(`Conflicts ${waiting.conflicts} open`, 'conflicts')
}
