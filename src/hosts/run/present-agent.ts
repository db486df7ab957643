import type { AgentEvent } from '../../kernel/model/agent-run.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

interface HostView {
  readonly host: string
  readonly name: string
  readonly isInstalled: boolean
  readonly isEnabled: boolean
  readonly isChanged: boolean
  readonly since: string | null
  readonly version?: string
  readonly command: readonly string[]
}

function commandLine({ command }: HostView): string {
  return visible(command.map(word => (/^[\w./=:-]+$/.test(word) ? word : JSON.stringify(word))).join(' '))
}

function presentHosts({ hosts }: AnswerOf<'agent hosts'>, terminal: Terminal): void {
  for (const one of hosts) {
    const state = one.isEnabled
      ? terminal.good(`enabled ${one.since ?? ''}`.trim())
      : one.isChanged
        ? terminal.bad('another program was enabled')
        : one.isInstalled
          ? 'not enabled'
          : terminal.dim('not installed')
    terminal.out(`${one.host.padEnd(12)} ${`${one.name} ${one.version ?? ''}`.trim().padEnd(24)} ${state}\n`)
    if (one.isInstalled) terminal.out(terminal.dim(`             ${commandLine(one)}\n`))
  }
  if (!hosts.some(({ isEnabled }) => isEnabled))
    terminal.out(terminal.dim('Nothing is run until you enable one: cairn agent enable <host>\n'))
}

function presentEnabled({ host }: AnswerOf<'agent enable'>, terminal: Terminal): void {
  terminal.out(
    `${host.isEnabled ? `${terminal.good('Enabled')}: ` : ''}${host.name}, in this project on this machine. This is run, with the prompt on its standard input:\n`,
  )
  terminal.out(`  ${commandLine(host)}\n`)
  terminal.out(
    terminal.dim(
      'A continued chat adds its id. Permissions and sign-in are those you set in the host; its own hooks and settings in this project apply.\n',
    ),
  )
}

function presentDisabled({ host, disabled }: AnswerOf<'agent disable'>, terminal: Terminal): void {
  terminal.out(disabled ? `Nothing is run with ${host} here any more.\n` : `${host} was not enabled here.\n`)
}

/** The text of the answer was shown as it came. */
function presentAnswer(
  { chatId, session, usage, isStopped }: AnswerOf<'agent run'>,
  terminal: Terminal,
): void {
  const used = usage === undefined ? '' : `, ${usage.inputTokens} tokens read, ${usage.outputTokens} written`
  const chat = chatId === null ? '' : `, chat ${visibleName(chatId)}`
  terminal.out('\n')
  printAside(
    terminal,
    terminal.dim(`${isStopped ? 'Stopped. ' : ''}session ${visibleName(session)}${chat}${used}\n`),
  )
}

/** Printed only on a terminal: a pipe gets the answer alone, and --json the ids to continue with. */
function printAside(terminal: Terminal, text: string): void {
  if (terminal.isInteractive) terminal.err(text)
}

function presentAgentEvent(event: AgentEvent, terminal: Terminal): void {
  switch (event.event) {
    case 'text':
      terminal.out(visible(event.data.text))
      break
    case 'tool':
      printAside(
        terminal,
        terminal.dim(`· ${visibleName(`${event.data.name} ${event.data.input ?? ''}`.trim())}\n`),
      )
      break
    case 'remark':
      printAside(terminal, terminal.dim(`${visibleName(event.data.text)}\n`))
      break
    case 'brief':
      printAside(
        terminal,
        terminal.dim(`injected ${event.data.items.length} memories, ${event.data.tokens} tokens\n`),
      )
      break
  }
}

function presentChats({ chats, problems }: AnswerOf<'agent chats'>, terminal: Terminal): void {
  for (const { session, agent, host, chat, activeAt, doing, isRunning } of chats) {
    const state = isRunning ? terminal.good(' at work') : ''
    terminal.out(
      `${activeAt.slice(0, 16)} ${visibleName(agent)} ${terminal.dim(visibleName(host))} ${visibleName(chat)}${state}\n`,
    )
    terminal.out(
      terminal.dim(`  ${visibleName(session)}${doing === undefined ? '' : `: ${visibleName(doing)}`}\n`),
    )
  }
  if (chats.length === 0) terminal.out('No chat can go on.\n')
  for (const { message, hint } of problems)
    terminal.out(`${terminal.bad(visible(message))} ${visible(hint)}\n`)
}

export const AGENT_PRESENTERS = {
  'agent hosts': presentHosts,
  'agent enable': presentEnabled,
  'agent disable': presentDisabled,
  'agent run': { present: presentAnswer, presentEvent: presentAgentEvent },
  'agent chats': presentChats,
} satisfies Partial<Presenters>
