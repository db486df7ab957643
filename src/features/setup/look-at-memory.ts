import type { Memory } from '../../kernel/memory.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { ValidationPorts } from '../validate/decide/ports.ts'
import { validationRun } from '../validate/validation-run.ts'

/** What a person sees of a memory before they say yes to it. */
export interface MemoryLook {
  readonly entries: number
  readonly agents: readonly { readonly agent: string; readonly entries: number }[]
  /** The newest entries, newest first. */
  readonly newest: readonly {
    readonly agent: string
    readonly date: string
    readonly kind: string
    readonly text: string
  }[]
  /** Links that lead out of it: none of them is followed. */
  readonly linksOut: readonly string[]
  /** Files that could not be read or are too large: what is in them is not counted. */
  readonly unread: readonly string[]
}

const MAX_SHOWN = 5
const MAX_CHARACTERS = 100
const MAX_NAMED = 20

/** From the files themselves, without an index: nothing is written where nobody said yes. undefined: there is no memory. */
export async function lookAtMemory(memory: Memory & ValidationPorts): Promise<MemoryLook | undefined> {
  const tree = await memory.memoryTree.open()
  if (tree === undefined) return undefined
  const config = await memory.config()
  const skipped: { what: string; why: string }[] = []
  const nowMs = memory.clock.nowMs()
  const findings: Parameters<typeof validationRun>[0]['findings'] = []
  const files = validationRun({
    memory,
    tree,
    config,
    isDeep: false,
    nowMs,
    findings,
    skipped,
  }).vault()
  const countByAgent = new Map<string, number>()
  for (const { agent, entries } of files)
    countByAgent.set(agent, (countByAgent.get(agent) ?? 0) + entries.length)
  const newest = files
    .flatMap(({ agent, entries }) => entries.map(({ entry }) => ({ agent, entry })))
    .sort((a, b) => (a.entry.date < b.entry.date ? 1 : -1))
    .slice(0, MAX_SHOWN)
  const options = redactionOptions(config)
  return {
    entries: [...countByAgent.values()].reduce((sum, count) => sum + count, 0),
    agents: [...countByAgent]
      .filter(([, entries]) => entries > 0)
      .map(([agent, entries]) => ({ agent, entries })),
    newest: newest.map(({ agent, entry: { date, kind, content } }) => ({
      agent,
      date,
      kind,
      text: redact(content.slice(0, 4 * MAX_CHARACTERS), options)
        .text.replace(/\s+/g, ' ')
        .slice(0, MAX_CHARACTERS),
    })),
    linksOut: tree.items
      .filter(({ leads }) => leads === 'outside')
      .map(({ path }) => path)
      .slice(0, MAX_NAMED),
    unread: [...tree.unreadable.map(({ path }) => path), ...skipped.map(({ what }) => what)].slice(
      0,
      MAX_NAMED,
    ),
  }
}
