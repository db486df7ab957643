import type { HostId } from '../../../kernel/model/host.ts'
import { HOSTS } from '../../hosts.ts'

/** The prompt was a command of ours and was executed: the host shows this instead of asking its model. Only at a prompt event. */
export function printDone(reason: string): string {
  return `${JSON.stringify({ decision: 'block', reason })}\n`
}

export function asksAtStop(host: HostId): boolean {
  return HOSTS[host].hooks.questionEvent !== undefined
}

/**
 * A question at the end of a turn: the host gives it to its model instead of ending. Two in a row are an endless loop in Codex: the
 * caller has persisted that the session is asked before it prints this.
 */
export function printStopQuestion(host: HostId, name: string, question: string): string {
  if (question === '' || HOSTS[host].hooks.questionEvent !== name) return ''
  return `${JSON.stringify({ decision: 'block', reason: question })}\n`
}

/**
 * What the process prints: the host's own form on one line, or nothing at all. Never a word next to it: Claude Code would inject it,
 * Codex reject it.
 */
export function printAnswer(host: HostId, name: string, context: string): string {
  const { answer } = HOSTS[host].hooks
  if (context === '' || !answer.events.has(name)) return ''
  return `${JSON.stringify(answer.print(name, context))}\n`
}
