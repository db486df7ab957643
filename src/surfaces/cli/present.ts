import type { ColdHit } from '../../model/cold.ts'
import type { Entry } from '../../model/entry.ts'
import type { Freshness } from '../../model/freshness.ts'
import { provenanceOf } from '../../model/provenance.ts'
import type { Degradation } from '../../model/search.ts'
import { unmergedNote, unmergedSideOf } from '../../model/unmerged.ts'
import { ACROSS_PRESENTERS } from './present-across.ts'
import { AGENT_PRESENTERS } from './present-agent.ts'
import { BACKUP_PRESENTERS } from './present-backup.ts'
import { presentBrief, presentBriefs, presentFeedback, presentWhy } from './present-brief.ts'
import { COLD_PRESENTERS, presentColdHits } from './present-cold.ts'
import { presentConflicts, presentResolved } from './present-conflicts.ts'
import { presentDocument } from './present-document.ts'
import { presentEmbedderAllow, presentEmbedderForbid, presentEmbedderStatus } from './present-embedder.ts'
import { labels, marksText, noteLine, presentDegraded, presentHits } from './present-found.ts'
import { freshnessNote, presentConfirmed, presentFresh } from './present-freshness.ts'
import { presentGraph, presentLinks } from './present-graph.ts'
import { HOT_PRESENTERS } from './present-hot.ts'
import { HUB_PRESENTERS } from './present-hub.ts'
import { presentDiscovered, presentEvents, presentImport, presentMigrated } from './present-import.ts'
import { LINK_PRESENTERS } from './present-link.ts'
import { MERGE_DRIVER_PRESENTERS } from './present-merge-driver.ts'
import { MODEL_PRESENTERS } from './present-model.ts'
import { OBSIDIAN_PRESENTERS } from './present-obsidian.ts'
import { PROJECT_PRESENTERS } from './present-projections.ts'
import { presentCheckpoint, presentCheckpoints, presentRecall } from './present-recall.ts'
import { REVIEW_PRESENTERS } from './present-review.ts'
import { SESSION_PRESENTERS } from './present-sessions.ts'
import { SETTING_PRESENTERS } from './present-settings.ts'
import { SETUP_PRESENTERS } from './present-setup.ts'
import { presentUse, type ShownView } from './present-shown.ts'
import { SOURCE_PRESENTERS } from './present-source.ts'
import { STALE_PRESENTERS } from './present-stale.ts'
import { presentStatus } from './present-status.ts'
import { presentCompact, presentRestore } from './present-upkeep.ts'
import { presentValidate } from './present-validate.ts'
import { WORK_PRESENTERS } from './present-work.ts'
import { WORKSPACE_PRESENTERS } from './present-workspaces.ts'
import type { Terminal } from './terminal.ts'
import { visible, visibleName } from './visible.ts'

/** How the answer of each verb looks to a person. Programs ask for --json. */
export function present(verb: string, output: unknown, terminal: Terminal): void {
  const show = PRESENTERS[verb]
  if (show === undefined) throw new Error(`no presenter for ${verb}`)
  show(output as never, terminal)
  const { degraded } = output as { degraded?: readonly Degradation[] }
  presentDegraded(degraded ?? [], terminal)
}

type FoundView = Parameters<typeof presentHits>[0] & { readonly cold?: readonly ColdHit[] }

type Presenter = (output: never, terminal: Terminal) => void

const PRESENTERS: Readonly<Record<string, Presenter>> = {
  remember: presentRemembered as Presenter,
  save: presentSaved as Presenter,
  edit: presentEdited as Presenter,
  search: (({ cold, ...found }: FoundView, terminal: Terminal) =>
    cold === undefined ? presentHits(found, terminal) : presentColdHits(cold, terminal)) as Presenter,
  ...(ACROSS_PRESENTERS as Readonly<Record<string, Presenter>>),
  ...(COLD_PRESENTERS as Readonly<Record<string, Presenter>>),
  list: presentList as Presenter,
  show: (({ entry, document, isCut, marks, use, backlinks, freshness }: ShownView, terminal: Terminal) => {
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
  }) as Presenter,
  links: presentLinks as Presenter,
  conflicts: presentConflicts as Presenter,
  'conflicts resolve': presentResolved as Presenter,
  graph: presentGraph as Presenter,
  forget: (({ entry, removed }: { entry: Entry; removed: boolean }, terminal: Terminal) => {
    terminal.out(`${removed ? 'Forgotten' : 'Would forget'}: ${headline(entry, terminal)}\n`)
    if (removed) terminal.out(`${terminal.dim('`cairn undo` brings it back.')}\n`)
  }) as Presenter,
  pin: (({ entry, pinned }: { entry: Entry; pinned: boolean }, terminal: Terminal) => {
    terminal.out(`${pinned ? 'Pinned' : 'Unpinned'}: ${headline(entry, terminal)}\n`)
  }) as Presenter,
  ...(AGENT_PRESENTERS as Readonly<Record<string, Presenter>>),
  ...(HUB_PRESENTERS as Readonly<Record<string, Presenter>>),
  ...(SESSION_PRESENTERS as Readonly<Record<string, Presenter>>),
  ...(SETUP_PRESENTERS as Readonly<Record<string, Presenter>>),
  ...(LINK_PRESENTERS as Readonly<Record<string, Presenter>>),
  ...(OBSIDIAN_PRESENTERS as Readonly<Record<string, Presenter>>),
  ...WORKSPACE_PRESENTERS,
  ...(WORK_PRESENTERS as Readonly<Record<string, Presenter>>),
  ...HOT_PRESENTERS,
  'task add': (({ entry, duplicate }: { entry: Entry; duplicate: boolean }, terminal: Terminal) => {
    terminal.out(`${duplicate ? 'Known already' : 'Added'}: ${headline(entry, terminal)}\n`)
  }) as Presenter,
  'task done': (({ task }: { task: TaskView }, terminal: Terminal) =>
    terminal.out(taskLine(task, terminal))) as Presenter,
  'task list': (({ tasks }: { tasks: readonly TaskView[] }, terminal: Terminal) => {
    for (const task of tasks) terminal.out(taskLine(task, terminal))
    if (tasks.length === 0) terminal.out('No open tasks.\n')
  }) as Presenter,
  'alias list': (({ aliases }: { aliases: readonly AliasView[] }, terminal: Terminal) => {
    for (const alias of aliases) {
      terminal.out(
        `${visible(alias.word).padEnd(16)} ${visible(alias.meanings.join(', '))}${alias.default ? '' : terminal.dim('  (yours)')}\n`,
      )
    }
  }) as Presenter,
  'alias add': (({ alias }: { alias: AliasView }, terminal: Terminal) => {
    terminal.out(`${visible(alias.word)} now also means ${visible(alias.meanings.join(', '))}.\n`)
  }) as Presenter,
  'alias remove': (({ word, left }: { word: string; left: readonly string[] }, terminal: Terminal) => {
    terminal.out(
      visible(
        left.length === 0 ? `${word} means only itself now.\n` : `${word} still means ${left.join(', ')}.\n`,
      ),
    )
  }) as Presenter,
  brief: presentBrief as Presenter,
  why: presentWhy as Presenter,
  briefs: presentBriefs as Presenter,
  feedback: presentFeedback as Presenter,
  confirm: presentConfirmed as Presenter,
  fresh: presentFresh as Presenter,
  import: presentImport as Presenter,
  'import discover': presentDiscovered as Presenter,
  ...(BACKUP_PRESENTERS as Readonly<Record<string, Presenter>>),
  ...(SOURCE_PRESENTERS as Readonly<Record<string, Presenter>>),
  migrate: presentMigrated as Presenter,
  embed: (({ embedded, waiting }: { embedded: number; waiting: number }, terminal: Terminal) => {
    terminal.out(`${embedded} ${embedded === 1 ? 'vector' : 'vectors'} made, ${waiting} waiting.\n`)
  }) as Presenter,
  'embedder status': presentEmbedderStatus as Presenter,
  'embedder allow': presentEmbedderAllow as Presenter,
  'embedder forbid': presentEmbedderForbid as Presenter,
  ...(MODEL_PRESENTERS as Readonly<Record<string, Presenter>>),
  ...(MERGE_DRIVER_PRESENTERS as Readonly<Record<string, Presenter>>),
  export: (({ entries, files }: ExportView, terminal: Terminal) => {
    if (files !== undefined)
      terminal.out(
        files.length === 0 ? 'There are no entries.\n' : files.map(file => `${visible(file)}\n`).join(''),
      )
    for (const entry of entries) terminal.out(`${JSON.stringify(importLine(entry))}\n`)
  }) as Presenter,
  recall: presentRecall as Presenter,
  checkpoints: presentCheckpoints as Presenter,
  'checkpoint show': presentCheckpoint as Presenter,
  ...(REVIEW_PRESENTERS as Readonly<Record<string, Presenter>>),
  ...(STALE_PRESENTERS as Readonly<Record<string, Presenter>>),
  compact: presentCompact as Presenter,
  restore: presentRestore as Presenter,
  ...(PROJECT_PRESENTERS as Readonly<Record<string, Presenter>>),
  log: presentLog as Presenter,
  events: presentEvents as Presenter,
  undo: ((
    { undone, record, skipped }: { undone: LogView; record: string | null; skipped?: number },
    terminal: Terminal,
  ) => {
    terminal.out(`${record === null ? 'Would undo' : 'Undone'}: ${logLine(undone, terminal)}`)
    if (skipped !== undefined)
      terminal.out(
        terminal.dim(
          `Skipped ${skipped} ${skipped === 1 ? 'change' : 'changes'} made outside Cairn; \`cairn undo <record>\` reverts one, \`cairn log\` has the records.\n`,
        ),
      )
  }) as Presenter,
  status: presentStatus as Presenter,
  validate: presentValidate as Presenter,
  doctor: presentDoctor as Presenter,
  ...(SETTING_PRESENTERS as Readonly<Record<string, Presenter>>),
  'config list': (({ settings }: { settings: readonly SettingView[] }, terminal: Terminal) => {
    for (const setting of settings)
      terminal.out(`${settingLine(setting, terminal)}  ${terminal.dim(setting.description)}\n`)
  }) as Presenter,
  'config get': presentSetting as Presenter,
  'config set': presentSetting as Presenter,
  'config unset': presentSetting as Presenter,
}

interface ExportView {
  readonly entries: readonly Entry[]
  readonly files?: readonly string[]
}

interface TaskView {
  readonly id: string
  readonly agent: string
  readonly text: string
  readonly done: boolean
}
interface AliasView {
  readonly word: string
  readonly meanings: readonly string[]
  readonly default: boolean
}
interface SettingView {
  readonly key: string
  readonly value: unknown
  readonly default: boolean
  readonly description: string
}
interface LogView {
  readonly id: string
  readonly at: string
  readonly action: string
  readonly by: {
    readonly host: string
    readonly agent?: string
    readonly session?: string
    readonly principal?: string
  }
  readonly undone: boolean
  readonly changes: number
  readonly entries: readonly { readonly id: string; readonly change: string; readonly preview: string }[]
}

/** The line of an entry in the form that `cairn import` takes. */
export function importLine(entry: Entry): { text: string; metadata: Record<string, unknown> } {
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

function presentRemembered(
  {
    entry,
    duplicate,
    redacted,
  }: {
    entry: Entry
    duplicate: boolean
    redacted: readonly RemovedView[]
  },
  terminal: Terminal,
): void {
  terminal.out(
    `${duplicate ? 'Known already, strengthened' : terminal.good('Remembered')}: ${headline(entry, terminal)}\n`,
  )
  presentRemoved(redacted, terminal)
}

function presentSaved(
  {
    stored,
    refused,
    similar,
    handoff,
  }: {
    stored: readonly Entry[]
    refused: readonly { readonly statement: string; readonly reason: string }[]
    similar: readonly Entry[]
    handoff: Entry | null
  },
  terminal: Terminal,
): void {
  for (const entry of stored) terminal.out(`${terminal.good('Stored')}: ${headline(entry, terminal)}\n`)
  for (const { statement, reason } of refused)
    terminal.out(`${terminal.bad('Refused')}: ${visible(statement.slice(0, 60))}\n      ${visible(reason)}\n`)
  for (const entry of similar) terminal.out(`Similar: ${headline(entry, terminal)}\n`)
  if (handoff !== null) terminal.out('Handoff stored.\n')
}

function presentEdited(output: { entry: Entry; redacted: readonly RemovedView[] }, terminal: Terminal): void {
  terminal.out(`Changed: ${headline(output.entry, terminal)}\n`)
  presentRemoved(output.redacted, terminal)
}

interface RemovedView {
  readonly type: string
  readonly field: string
  readonly line: number
  readonly column: number
}

/** A line and a column say where it stood in the content; elsewhere the field says it. */
function presentRemoved(redacted: readonly RemovedView[], terminal: Terminal): void {
  for (const { type, field, line, column } of redacted) {
    const where = field === 'content' ? `at ${line}:${column}` : `from the ${field}`
    terminal.out(`${terminal.bad('Removed')} ${type} ${where}\n`)
  }
}

function presentList(
  {
    entries,
    total,
    freshness = {},
  }: { entries: readonly Entry[]; total: number; freshness?: Readonly<Record<string, Freshness>> },
  terminal: Terminal,
): void {
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

function presentLog({ records }: { records: readonly LogView[] }, terminal: Terminal): void {
  if (records.length === 0) terminal.out('Nothing has happened here yet.\n')
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

function presentDoctor(
  {
    healthy,
    checks,
  }: {
    healthy: boolean
    checks: readonly { name: string; result: string; message: string; hint?: string }[]
  },
  terminal: Terminal,
): void {
  for (const { name, result, message, hint } of checks) {
    const mark = result === 'ok' || result === 'fixed' ? terminal.good(result) : terminal.bad(result)
    terminal.out(`${mark}  ${name}: ${visible(message)}\n`)
    if (hint !== undefined) terminal.out(`    ${terminal.dim('→')} ${visible(hint)}\n`)
  }
  terminal.out(healthy ? 'All is well.\n' : 'Something needs your eye.\n')
}

function presentSetting({ setting }: { setting: SettingView }, terminal: Terminal): void {
  terminal.out(`${settingLine(setting, terminal)}\n`)
}

function settingLine({ key, value, default: isDefault }: SettingView, terminal: Terminal): string {
  return `${key} = ${JSON.stringify(value)}${isDefault ? terminal.dim(' (default)') : ''}`
}

function taskLine(task: TaskView, terminal: Terminal): string {
  return `${task.done ? terminal.good('[x]') : '[ ]'} ${visible(task.text)}  ${terminal.dim(`${task.agent} ${task.id}`)}\n`
}

function headline(entry: Entry, terminal: Terminal): string {
  return `${terminal.accent(visibleName(entry.id))}  ${visibleName(entry.kind)} in ${entry.agent}/${entry.category}\n      ${preview(entry, terminal)}`
}

function preview(entry: Entry, terminal: Terminal): string {
  const line = visible(entry.content.slice(0, 2_000).replace(/\s+/g, ' ').trim())
  const room = Math.max(20, terminal.width - 7)
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`
}
