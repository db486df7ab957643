import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { HookView } from './verbs/hook-view.ts'

/** Nothing where no host has ever called. */
export function presentHooks({ calls, waiting, failures }: HookView, terminal: Terminal): void {
  if (calls.length > 0) {
    const told = calls.map(
      ({ host, at, event }) => `${visibleName(host)} ${moment(at)} (${visibleName(event)})`,
    )
    const left =
      waiting === 0 ? '' : `; of ${waiting} ${waiting === 1 ? 'session' : 'sessions'} something waits`
    terminal.out(`Hooks last called: ${told.join(', ')}${left}\n`)
  }
  for (const { at, host, event, code, message } of failures)
    terminal.out(
      `${terminal.bad('hook failed')} ${moment(at)} ${visibleName(host)} ${visibleName(event)}: ${visible(message)} ${terminal.dim(`(${visibleName(code)})`)}\n`,
    )
}

function moment(iso: string): string {
  return visibleName(iso).slice(0, 16).replace('T', ' ')
}
