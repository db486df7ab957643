import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

interface DescribedView {
  readonly file: string
  readonly of: 'memory' | 'hub'
  readonly name: string
  readonly at: string
  readonly version: string
  readonly files: number
  readonly bytes: number
}

const MAX_SHOWN = 20

function presentBackup(
  { file, files, bytes, size, left, isDryRun }: AnswerOf<'backup'>,
  terminal: Terminal,
): void {
  terminal.out(
    isDryRun
      ? `Would put ${files} files (${amount(bytes)}) into ${visibleName(file)}.\n`
      : `${files} files in ${visibleName(file)} (${amount(size)}).\n`,
  )
  for (const path of left.slice(0, MAX_SHOWN))
    terminal.err(`${terminal.dim('note:')} ${visibleName(path)} is a link or no file, and not in it\n`)
}

function presentCheck(view: AnswerOf<'backup check'>, terminal: Terminal): void {
  terminal.out(`${visibleName(view.file)} is complete.\n${describe(view)}`)
  for (const { name, entries, rows } of view.projects.slice(0, MAX_SHOWN))
    terminal.out(`  ${terminal.accent(visibleName(name))}  ${entries} entries, ${rows} rows\n`)
  if (view.projects.length > MAX_SHOWN)
    terminal.out(terminal.dim(`  … and ${view.projects.length - MAX_SHOWN} more\n`))
}

function presentRestored(view: AnswerOf<'backup restore'>, terminal: Terminal): void {
  terminal.out(describe(view))
  if (!view.isDone) return
  terminal.out(`It is now the memory of ${visibleName(view.root)}.\n`)
  if (view.before !== null)
    terminal.out(`What was here is in ${visibleName(view.before)}: restore that file to undo this.\n`)
  if (!view.isTrusted)
    terminal.out(terminal.dim('`cairn trust` shows what is in it and lets agents read it.\n'))
}

function describe({ of, name, at, version, files, bytes }: DescribedView): string {
  const what = of === 'hub' ? 'Of a hub' : `The memory of ${visible(name)}`
  const size = of === 'hub' ? '' : `: ${files} files, ${amount(bytes)}`
  return `${what}, ${visible(at.slice(0, 16).replace('T', ' '))} UTC, by Cairn ${visible(version)}${size}\n`
}

function amount(bytes: number): string {
  if (bytes < 10_000) return `${bytes} B`
  return bytes < 10_000_000 ? `${Math.round(bytes / 1_000)} KB` : `${Math.round(bytes / 1_000_000)} MB`
}

interface HubBackupView {
  readonly file: string
  readonly projects: readonly { readonly name: string; readonly entries: number }[]
  readonly rows: number
  readonly tokens: number
}

function presentHubBackup(view: AnswerOf<'hub backup'>, terminal: Terminal): void {
  terminal.out(`${counted(view)} in ${visibleName(view.file)} (${amount(view.size)}).\n`)
  presentProjects(view, terminal)
}

function presentHubRestored(view: AnswerOf<'hub backup restore'>, terminal: Terminal): void {
  const when = `${visible(view.at.slice(0, 16).replace('T', ' '))} UTC`
  terminal.out(`${view.isDone ? 'Restored' : 'Would restore'} ${counted(view)}, as they were ${when}.\n`)
  presentProjects(view, terminal)
}

function counted({ projects, rows, tokens }: HubBackupView): string {
  const ending = tokens === 0 ? '' : ` and ${tokens} token${tokens === 1 ? '' : 's'}`
  return `${projects.length} project${projects.length === 1 ? '' : 's'} with ${rows} rows${ending}`
}

function presentProjects({ projects }: HubBackupView, terminal: Terminal): void {
  for (const { name, entries } of projects.slice(0, MAX_SHOWN))
    terminal.out(`  ${terminal.accent(visibleName(name))}  ${entries} entries\n`)
  if (projects.length > MAX_SHOWN) terminal.out(terminal.dim(`  … and ${projects.length - MAX_SHOWN} more\n`))
}

export const BACKUP_PRESENTERS = {
  'hub backup': presentHubBackup,
  'hub backup restore': presentHubRestored,
  backup: presentBackup,
  'backup check': presentCheck,
  'backup restore': presentRestored,
} satisfies Partial<Presenters>
