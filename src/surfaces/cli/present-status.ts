import type { Problem } from '../../model/search.ts'
import type { Waiting } from '../../operations/waiting-view.ts'
import { documentsLine } from './present-document.ts'
import { type ModelView, modelLine } from './present-model.ts'
import { presentUpkeep, type UpkeepView } from './present-upkeep.ts'
import { presentWaiting } from './present-waiting.ts'
import type { Terminal } from './terminal.ts'
import { visible } from './visible.ts'

export function presentStatus(
  status: {
    root: string
    exists: boolean
    entries: number
    agents: readonly { agent: string; counts: Record<string, number> }[]
    statuses: Record<string, number>
    openTasks: number
    index: { mode: string; bytes: number }
    journal: { bytes: number; last: { at: string; action: string } | null }
    vectors: { count: number; waiting: number }
    documents: { count: number; vectors: number; waiting: number }
    briefs: { given: number; silent: number; tokens: number }
    retrieval: { state: string; p95Ms: number | null }
    model: ModelView
    upkeep: UpkeepView
    sessions: number
    waiting: Waiting
    readOnly: { message: string } | null
    problems: readonly Problem[]
  },
  terminal: Terminal,
): void {
  if (!status.exists) {
    terminal.out(`No memory in ${status.root} yet. \`cairn remember "…"\` begins one.\n`)
    return
  }
  terminal.out(
    `${terminal.bold(String(status.entries))} ${status.entries === 1 ? 'entry' : 'entries'} in ${status.root}/.memory, ${status.statuses.pinned ?? 0} pinned, ${status.openTasks} open ${status.openTasks === 1 ? 'task' : 'tasks'}\n`,
  )
  for (const { agent, counts } of status.agents) {
    const parts = Object.entries(counts).filter(([, n]) => n > 0)
    terminal.out(`  ${agent.padEnd(16)} ${parts.map(([category, n]) => `${n} ${category}`).join(', ')}\n`)
  }
  const last = status.journal.last
  terminal.out(
    `Index ${bytes(status.index.bytes)} (${status.index.mode}), journal ${bytes(status.journal.bytes)}${last === null ? '' : `, last: ${last.action} ${last.at.slice(0, 16)}`}\n`,
  )
  const { vectors, briefs, retrieval } = status
  terminal.out(`Vectors ${vectors.count}${vectors.waiting === 0 ? '' : `, ${vectors.waiting} waiting`}\n`)
  if (status.documents.count > 0) terminal.out(documentsLine(status.documents))
  if (briefs.given > 0) {
    const speed =
      retrieval.p95Ms === null ? '' : `, p95 ${Math.round(retrieval.p95Ms)} ms (${retrieval.state})`
    terminal.out(`Briefs ${briefs.given} given, ${briefs.silent} silent, ${briefs.tokens} tokens${speed}\n`)
  }
  terminal.out(`${modelLine(status.model)}\n`)
  presentUpkeep(status.upkeep, terminal)
  presentWaiting(status, terminal)
  if (status.readOnly !== null) terminal.out(`${terminal.bad('Read-only')}: ${status.readOnly.message}\n`)
  for (const problem of status.problems)
    terminal.out(
      `${terminal.bad(problem.code)} ${visible(`${problem.path}${problem.line === undefined ? '' : `:${problem.line}`}: ${problem.message}`)}\n  ${terminal.dim('→')} ${visible(problem.hint)}\n`,
    )
}

function bytes(count: number): string {
  if (count < 1024) return `${count} B`
  return count < 1_048_576 ? `${(count / 1024).toFixed(0)} KB` : `${(count / 1_048_576).toFixed(1)} MB`
}
