import { BUNDLE_SECTIONS, type Bundle, type BundleSection } from '../../kernel/model/bundle.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import type { BundleChange } from './recall.ts'

export const RECALL_PRESENTERS = {
  recall: presentRecall,
  checkpoints: presentCheckpoints,
  'checkpoint show': presentCheckpoint,
} satisfies Partial<Presenters>

const TITLES: Readonly<Record<BundleSection, string>> = {
  project: 'Project',
  projectMap: 'Project map',
  currentFocus: 'Current focus',
  gotchas: 'Gotchas',
  nextSteps: 'Next steps',
  validationCommands: 'Validation commands',
}
/** Lines of one section of a difference; --json has them all. */
const MAX_CHANGED_LINES = 20

function presentRecall(view: AnswerOf<'recall'>, terminal: Terminal): void {
  const { isDryRun, isChanged, restored, folded, changes } = view
  if (restored !== null) {
    const done = isDryRun ? 'Would bring back' : 'Brought back'
    terminal.out(
      isChanged
        ? `${done} ${terminal.accent(visibleName(restored))}.\n`
        : 'The bundle is that of this checkpoint already.\n',
    )
  } else {
    const from = `${counted(folded.events, 'event', 'events')} of ${counted(folded.sources, 'source', 'sources')} and ${counted(folded.entries, 'entry', 'entries')}`
    const done = isDryRun ? 'Would fold in' : 'Folded in'
    terminal.out(
      `${done} ${from}: ${isChanged ? changeTotals(changes) : isDryRun ? 'nothing changes' : 'nothing changed'}.\n`,
    )
  }
  if (view.isDiffWanted) presentChanges(changes, terminal)
  else if (isChanged) terminal.out(terminal.dim(`${sectionsOf(changes)}\n`))
  if (view.model !== null) {
    const { name, rewritten, merged, refused } = view.model
    terminal.out(
      terminal.dim(visible(`${name}: ${rewritten} reworded, ${merged} merged, ${refused} refused.\n`)),
    )
  }
  if (view.imported > 0) terminal.out(terminal.dim(`${view.imported} imported first.\n`))
  for (const [section, left] of Object.entries(view.crowdedOut))
    terminal.out(terminal.dim(`${TITLES[section as BundleSection]}: ${left} more did not fit.\n`))
  if (isDryRun && isChanged) terminal.out(terminal.dim('Run without --dry-run to apply it.\n'))
  else if (!isDryRun && isChanged && view.checkpoint !== null)
    terminal.out(terminal.dim(`Checkpoint ${visibleName(view.checkpoint)}\n`))
  presentNotes(view.problems, terminal)
}

function presentCheckpoints(
  { checkpoints, total, problems }: AnswerOf<'checkpoints'>,
  terminal: Terminal,
): void {
  for (const { id, createdAt, isLatest } of checkpoints) {
    const when = createdAt.slice(0, 16).replace('T', ' ')
    terminal.out(`${when}  ${terminal.accent(visibleName(id))}${isLatest ? terminal.dim('  now') : ''}\n`)
  }
  if (total === 0) terminal.out('No checkpoints yet. `cairn recall` makes the first.\n')
  else if (total > checkpoints.length)
    terminal.out(terminal.dim(`… and ${total - checkpoints.length} older\n`))
  presentNotes(problems, terminal)
}

function presentCheckpoint(view: AnswerOf<'checkpoint show'>, terminal: Terminal): void {
  const { id, createdAt, reason, bundle, changes, problems } = view
  terminal.out(
    `${terminal.accent(visibleName(id))}  ${terminal.dim(visible(`${createdAt.slice(0, 16).replace('T', ' ')} UTC, ${reason}`))}\n`,
  )
  presentBundle(bundle, terminal)
  if (changes.length === 0) terminal.out(terminal.dim('\nThe bundle is the same now.\n'))
  else {
    terminal.out('\nSince then:\n')
    presentChanges(changes, terminal)
  }
  presentNotes(problems, terminal)
}

function presentBundle(bundle: Bundle, terminal: Terminal): void {
  const { project, projectMap } = bundle
  terminal.out(
    `\n${visible(project.name)}${project.description === undefined ? '' : terminal.dim(visible(`: ${project.description}`))}\n`,
  )
  const languages = projectMap.languages.map(({ name, files }) => `${name} ${files}`).join(', ')
  if (languages !== '') terminal.out(terminal.dim(visible(`${languages}\n`)))
  for (const section of ['currentFocus', 'gotchas', 'nextSteps'] as const) {
    if (bundle[section].length === 0) continue
    terminal.out(`\n${TITLES[section]}\n`)
    for (const { text } of bundle[section]) terminal.out(`  ${visible(text)}\n`)
  }
  if (bundle.validationCommands.length === 0) return
  terminal.out(`\n${TITLES.validationCommands}\n`)
  for (const { command, lastOutcome } of bundle.validationCommands) {
    const how =
      lastOutcome === undefined
        ? ''
        : `  ${lastOutcome === 'failed' ? terminal.bad('failed') : terminal.dim('passed')}`
    terminal.out(`  ${visible(command)}${how}\n`)
  }
}

const SIGNS = { added: '+', removed: '-', changed: '~' } as const

function presentChanges(changes: readonly BundleChange[], terminal: Terminal): void {
  for (const section of BUNDLE_SECTIONS) {
    const own = changes.filter(change => change.section === section)
    if (own.length === 0) continue
    terminal.out(`\n${TITLES[section]}\n`)
    for (const { change, text, before, why } of own.slice(0, MAX_CHANGED_LINES)) {
      const line = `${SIGNS[change]} ${visible(text)}`
      const shown =
        change === 'added' ? terminal.accent(line) : change === 'removed' ? terminal.bad(line) : line
      terminal.out(`  ${shown}${why === undefined ? '' : terminal.dim(visible(`  (${why})`))}\n`)
      if (before !== undefined) terminal.out(terminal.dim(`    was: ${visible(before)}\n`))
    }
    if (own.length > MAX_CHANGED_LINES)
      terminal.out(terminal.dim(`  … and ${own.length - MAX_CHANGED_LINES} more\n`))
  }
  if (changes.length > 0) terminal.out('\n')
}

function changeTotals(changes: readonly BundleChange[]): string {
  return (['added', 'changed', 'removed'] as const)
    .map(change => [changes.filter(one => one.change === change).length, change] as const)
    .filter(([number]) => number > 0)
    .map(([number, change]) => `${number} ${change}`)
    .join(', ')
}

function sectionsOf(changes: readonly BundleChange[]): string {
  return BUNDLE_SECTIONS.flatMap(section => {
    const own = changes.filter(change => change.section === section)
    return own.length === 0 ? [] : [`${TITLES[section]}: ${changeTotals(own)}`]
  }).join(' · ')
}

function presentNotes(problems: readonly Problem[], terminal: Terminal): void {
  for (const { message, hint } of problems)
    terminal.err(`${terminal.dim('note:')} ${visible(message)} ${terminal.dim(visible(hint))}\n`)
}

function counted(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

/** The answer alone on standard output, to be pasted or piped; notes about it on standard error. */
function presentQuery({ output, text, left, problems }: AnswerOf<'query'>, terminal: Terminal): void {
  terminal.out(output === 'json' ? text : visible(text))
  for (const { what, count, why } of left)
    terminal.err(`${terminal.dim(`left out: ${count} ${count === 1 ? one(what) : what}, ${why}`)}\n`)
  presentProblems(problems, terminal)
}

function one(what: string): string {
  return what.replace(/ies$/, 'y').replace(/s$/, '')
}

function presentTemplates({ templates, problems }: AnswerOf<'query templates'>, terminal: Terminal): void {
  for (const { name, instructions, origin } of templates) {
    const own = origin === 'project' ? terminal.dim('  (config.json)') : ''
    terminal.out(
      `${terminal.accent(visibleName(name))}${own}\n    ${visible(instructions.replace(/\s+/g, ' '))}\n`,
    )
  }
  presentProblems(problems, terminal)
}

export function presentProblems(problems: readonly Problem[], terminal: Terminal): void {
  for (const { code, path, message, hint } of problems)
    terminal.err(
      `${terminal.bad(code)} ${visible(`${path}: ${message}`)}\n  ${terminal.dim('→')} ${visible(hint)}\n`,
    )
}

interface FileView {
  readonly path: string
  readonly state: string
  readonly line?: number
  readonly why?: string
  readonly diff?: readonly string[]
  readonly otherBlocks?: readonly number[]
}

interface ChangedView {
  readonly files: readonly FileView[]
  readonly changed: readonly string[]
  readonly isDryRun: boolean
}

const STATE_LABELS: Readonly<Record<string, string>> = {
  absent: 'not there',
  none: 'no block',
  current: 'up to date',
  behind: 'out of date',
  edited: 'edited by hand',
  foreign: 'not ours',
  newer: 'written by a newer Cairn',
  broken: 'markers damaged',
  imports: 'imports it already',
  linked: 'a link to it',
  unreadable: 'cannot be read',
  unknown: 'cannot be compared',
}
const GOOD = new Set(['current', 'imports', 'linked'])
const BAD = new Set(['edited', 'foreign', 'newer', 'broken', 'unreadable'])

function presentProjections({ files, problems }: AnswerOf<'projections'>, terminal: Terminal): void {
  for (const file of files) presentFile(file, terminal)
  if (files.every(({ state }) => state === 'absent'))
    terminal.out(`${terminal.dim('`cairn projections write` makes them.')}\n`)
  else if (files.some(({ state }) => state === 'behind' || state === 'absent'))
    terminal.out(`${terminal.dim('`cairn projections write` brings them up to date.')}\n`)
  presentProblems(problems, terminal)
}

function presentBlocks({ files, problems }: AnswerOf<'entry-block'>, terminal: Terminal): void {
  for (const file of files) presentFile(file, terminal)
  if (files.some(({ state }) => state === 'behind' || state === 'none' || state === 'absent'))
    terminal.out(`${terminal.dim('`cairn entry-block write` writes it.')}\n`)
  presentProblems(problems, terminal)
}

/** The changed files, then the files with a problem. */
function presentChangedFiles(
  done: 'Written' | 'Removed' | 'Written into' | 'Taken out of',
  { files, changed, isDryRun }: ChangedView,
  terminal: Terminal,
): void {
  const verb = isDryRun ? `Would be ${done.toLowerCase()}` : done
  for (const path of changed) terminal.out(`${verb}: ${visibleName(path)}\n`)
  if (changed.length === 0) terminal.out(`Nothing to ${done.startsWith('Written') ? 'write' : 'remove'}.\n`)
  const others = files.filter(
    file => !changed.includes(file.path) && (BAD.has(file.state) || file.otherBlocks !== undefined),
  )
  for (const file of others) presentFile(file, terminal)
  if (changed.length > 0 && !isDryRun) terminal.out(`${terminal.dim('`cairn undo` reverts it.')}\n`)
}

function presentFile(file: FileView, terminal: Terminal): void {
  const label = STATE_LABELS[file.state] ?? file.state
  const paint = GOOD.has(file.state) ? terminal.good : BAD.has(file.state) ? terminal.bad : terminal.dim
  const place = file.line === undefined ? '' : `:${file.line}`
  terminal.out(`${visibleName(`${file.path}${place}`).padEnd(36)}  ${paint(label)}\n`)
  if (file.why !== undefined) terminal.out(`    ${visible(file.why)}\n`)
  for (const line of file.diff ?? []) terminal.out(`    ${visible(line)}\n`)
  const others = file.otherBlocks ?? []
  if (others.length > 0)
    terminal.out(`    ${terminal.dim(`line ${others.join(', ')}: a block of agent-memory`)}\n`)
}

const changedFiles =
  (done: Parameters<typeof presentChangedFiles>[0]) => (output: ChangedView, terminal: Terminal) =>
    presentChangedFiles(done, output, terminal)

/** The screens of the state of the project. */
export const PROJECT_PRESENTERS = {
  query: presentQuery,
  'query templates': presentTemplates,
  projections: presentProjections,
  'projections write': changedFiles('Written'),
  'projections remove': changedFiles('Removed'),
  'entry-block': presentBlocks,
  'entry-block write': changedFiles('Written into'),
  'entry-block remove': changedFiles('Taken out of'),
} satisfies Partial<Presenters>
