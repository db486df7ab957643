import type { Entry } from '../../kernel/model/entry.ts'
import type { Freshness } from '../../kernel/model/freshness.ts'
import { provenanceOf } from '../../kernel/model/provenance.ts'
import { unmergedNote, unmergedSideOf } from '../../kernel/model/unmerged.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import { freshnessNote, preview } from '../freshness/present-freshness.ts'
import { labels, marksText, noteLine, presentDocument } from '../search/present-hits.ts'

export const ENTRY_PRESENTERS = {
  remember: presentRemembered,
  save: presentSaved,
  edit: presentEdited,
  list: presentList,
  show: ({ entry, document, isCut, marks, use, backlinks, freshness }, terminal) => {
    if (document !== undefined) return presentDocument({ entry, document, isCut: isCut === true }, terminal)
    presentEntry(entry, terminal, freshness)
    for (const text of marksText(marks)) terminal.out(`\n${terminal.bad(text)}\n`)
    presentUse(use, terminal)
    if (backlinks > 0)
      terminal.out(
        terminal.dim(
          `\n${backlinks} ${backlinks === 1 ? 'link leads' : 'links lead'} here: cairn links ${visibleName(entry.id)}\n`,
        ),
      )
  },
  forget: ({ entry, removed }, terminal) => {
    terminal.out(`${removed ? 'Forgotten' : 'Would forget'}: ${headline(entry, terminal)}\n`)
    if (removed) terminal.out(`${terminal.dim('`cairn undo` brings it back.')}\n`)
  },
  pin: ({ entry, pinned }, terminal) => {
    terminal.out(`${pinned ? 'Pinned' : 'Unpinned'}: ${headline(entry, terminal)}\n`)
  },
  'task add': ({ entry, duplicate }, terminal) => {
    terminal.out(`${duplicate ? 'Known already' : 'Added'}: ${headline(entry, terminal)}\n`)
  },
  'task done': ({ task }, terminal) => terminal.out(taskLine(task, terminal)),
  'task list': ({ tasks }, terminal) => {
    for (const task of tasks) terminal.out(taskLine(task, terminal))
    if (tasks.length === 0) terminal.out('No open tasks.\n')
  },
  'alias list': ({ aliases }, terminal) => {
    for (const alias of aliases) {
      terminal.out(
        `${visible(alias.word).padEnd(16)} ${visible(alias.meanings.join(', '))}${alias.default ? '' : terminal.dim('  (yours)')}\n`,
      )
    }
  },
  'alias add': ({ alias }, terminal) => {
    terminal.out(`${visible(alias.word)} now also means ${visible(alias.meanings.join(', '))}.\n`)
  },
  'alias remove': ({ word, left }, terminal) => {
    terminal.out(
      visible(
        left.length === 0 ? `${word} means only itself now.\n` : `${word} still means ${left.join(', ')}.\n`,
      ),
    )
  },
  export: ({ entries, files }, terminal) => {
    if (files !== undefined)
      terminal.out(
        files.length === 0 ? 'There are no entries.\n' : files.map(file => `${visible(file)}\n`).join(''),
      )
    for (const entry of entries) terminal.out(`${JSON.stringify(importLine(entry))}\n`)
  },
  log: presentLog,
  undo: ({ undone, record, skipped }, terminal) => {
    terminal.out(`${record === null ? 'Would undo' : 'Undone'}: ${logLine(undone, terminal)}`)
    if (skipped !== undefined)
      terminal.out(
        terminal.dim(
          `Skipped ${skipped} ${skipped === 1 ? 'change' : 'changes'} made outside Cairn; \`cairn undo <record>\` reverts one, \`cairn log\` has the records.\n`,
        ),
      )
  },
} satisfies Partial<Presenters>

type TaskView = AnswerOf<'task done'>['task']

type LogView = AnswerOf<'undo'>['undone']

type Use = AnswerOf<'show'>['use']

function presentUse(use: Use, terminal: Terminal): void {
  if (use === undefined) return
  const { accessCount, lastAccessedAt, importance } = use
  const times = `${accessCount} ${accessCount === 1 ? 'time' : 'times'}`
  const fetched =
    lastAccessedAt === null ? 'never fetched before' : `fetched ${times}, last ${lastAccessedAt.slice(0, 16)}`
  terminal.out(terminal.dim(`\n${fetched}; effective importance ${importance}\n`))
}

/** The line of an entry in the form that `cairn import` takes. */
function importLine(entry: Entry): { text: string; metadata: Record<string, unknown> } {
  const {
    content,
    category,
    kind,
    tags,
    files,
    date,
    session,
    agent,
    importance,
    status,
    origin,
    confidence,
    anchors,
    commit,
  } = entry
  const provenance = provenanceOf(entry)
  return {
    text: content,
    metadata: {
      category,
      kind,
      tags,
      files,
      date,
      ...(session !== undefined && { session }),
      agent,
      importance,
      ...(status !== 'confirmed' && { status }),
      ...(origin !== 'person' && { origin }),
      ...(confidence !== undefined && { confidence }),
      ...(anchors !== undefined && { anchors }),
      ...(commit !== undefined && { commit }),
      ...(provenance !== undefined && { provenance }),
    },
  }
}

function presentRemembered({ entry, duplicate, redacted }: AnswerOf<'remember'>, terminal: Terminal): void {
  terminal.out(
    `${duplicate ? 'Known already, strengthened' : terminal.good('Remembered')}: ${headline(entry, terminal)}\n`,
  )
  presentRemoved(redacted, terminal)
}

function presentSaved({ stored, refused, similar, handoff }: AnswerOf<'save'>, terminal: Terminal): void {
  for (const entry of stored) terminal.out(`${terminal.good('Stored')}: ${headline(entry, terminal)}\n`)
  for (const { statement, reason } of refused)
    terminal.out(`${terminal.bad('Refused')}: ${visible(statement.slice(0, 60))}\n      ${visible(reason)}\n`)
  for (const entry of similar) terminal.out(`Similar: ${headline(entry, terminal)}\n`)
  if (handoff !== null) terminal.out('Handoff stored.\n')
}

function presentEdited(output: AnswerOf<'edit'>, terminal: Terminal): void {
  terminal.out(`Changed: ${headline(output.entry, terminal)}\n`)
  presentRemoved(output.redacted, terminal)
}

/** A line and a column say where it stood in the content; elsewhere the field says it. */
function presentRemoved(redacted: AnswerOf<'remember'>['redacted'], terminal: Terminal): void {
  for (const { type, field, line, column } of redacted) {
    const where = field === 'content' ? `at ${line}:${column}` : `from the ${field}`
    terminal.out(`${terminal.bad('Removed')} ${type} ${where}\n`)
  }
}

function presentList({ entries, total, freshness = {} }: AnswerOf<'list'>, terminal: Terminal): void {
  if (entries.length === 0) terminal.out('No entries found.\n')
  for (const entry of entries)
    terminal.out(
      `${labels(entry, terminal)}\n      ${preview(entry, terminal)}\n${noteLine(freshness[entry.id], terminal)}`,
    )
  if (total > entries.length)
    terminal.out(terminal.dim(`${entries.length} of ${total}; --limit and --offset show more.\n`))
}

function presentEntry(entry: Entry, terminal: Terminal, freshness: Freshness | undefined): void {
  const facts = [
    `${visibleName(entry.kind)} in ${entry.agent}/${entry.category}`,
    entry.status,
    `importance ${entry.importance}`,
    entry.date,
    ...(entry.updated === undefined ? [] : [`changed ${entry.updated}`]),
    ...(entry.session === undefined ? [] : [`session ${entry.session}`]),
  ]
  terminal.out(`${terminal.accent(visibleName(entry.id))}  ${terminal.dim(visible(facts.join(' · ')))}\n`)
  if (entry.tags.length > 0) terminal.out(`${visible(entry.tags.map(tag => `#${tag}`).join(' '))}\n`)
  if (entry.files.length > 0) terminal.out(`${visible(entry.files.join(', '))}\n`)
  const note = freshnessNote(freshness, terminal)
  if (note !== undefined) terminal.out(`${note}\n`)
  const side = unmergedSideOf(entry)
  if (side !== undefined) terminal.out(`${terminal.bad(unmergedNote(side))}\n`)
  const { tool, file, id } = provenanceOf(entry) ?? {}
  if (tool !== undefined)
    terminal.out(terminal.dim(`imported from ${visible([tool, file, id].filter(Boolean).join(' · '))}\n`))
  terminal.out(`\n${visible(entry.content)}\n`)
}

function presentLog({ records }: AnswerOf<'log'>, terminal: Terminal): void {
  if (records.length === 0) terminal.out('No changes found.\n')
  for (const record of records) terminal.out(logLine(record, terminal))
}

function logLine(record: LogView, terminal: Terminal): string {
  const who = visible(
    [record.by.principal, record.by.host, record.by.agent, record.by.session]
      .filter(part => part !== undefined)
      .join('/'),
  )
  const [first] = record.entries
  const what =
    record.changes === 1 && first !== undefined
      ? `${first.change} ${terminal.dim(visibleName(first.id))} ${visible(first.preview)}`.trimEnd()
      : record.action === 'edit-files' && first !== undefined
        ? `${first.change} ${terminal.dim(visibleName(first.id))} and ${record.changes - 1} more`
        : `${record.changes} entries`
  return `${terminal.accent(record.id)}  ${record.at.slice(0, 16)}  ${record.action.padEnd(7)} ${who}  ${what}${record.undone ? terminal.dim('  (undone)') : ''}\n`
}

function taskLine(task: TaskView, terminal: Terminal): string {
  return `${task.done ? terminal.good('[x]') : '[ ]'} ${visible(task.text)}  ${terminal.dim(`${task.agent} ${task.id}`)}\n`
}

function headline(entry: Entry, terminal: Terminal): string {
  return `${terminal.accent(visibleName(entry.id))}  ${visibleName(entry.kind)} in ${entry.agent}/${entry.category}\n      ${preview(entry, terminal)}`
}
