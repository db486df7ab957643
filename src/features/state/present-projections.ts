import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import { presentProblems, presentQuery, presentTemplates } from './present-query.ts'

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

const SAID: Readonly<Record<string, string>> = {
  absent: 'not there',
  none: 'no block',
  current: 'up to date',
  behind: 'out of date',
  edited: 'edited by hand',
  foreign: 'not ours',
  newer: 'of a newer Cairn',
  broken: 'markers damaged',
  imports: 'imports it by itself',
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

/** What was done, then the files where something is to be said. */
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
  if (changed.length > 0 && !isDryRun) terminal.out(`${terminal.dim('`cairn undo` takes it back.')}\n`)
}

function presentFile(file: FileView, terminal: Terminal): void {
  const said = SAID[file.state] ?? file.state
  const paint = GOOD.has(file.state) ? terminal.good : BAD.has(file.state) ? terminal.bad : terminal.dim
  const place = file.line === undefined ? '' : `:${file.line}`
  terminal.out(`${visibleName(`${file.path}${place}`).padEnd(36)}  ${paint(said)}\n`)
  if (file.why !== undefined) terminal.out(`    ${visible(file.why)}\n`)
  for (const line of file.diff ?? []) terminal.out(`    ${visible(line)}\n`)
  const others = file.otherBlocks ?? []
  if (others.length > 0)
    terminal.out(`    ${terminal.dim(`line ${others.join(', ')}: a block of agent-memory`)}\n`)
}

const changedFiles =
  (done: Parameters<typeof presentChangedFiles>[0]) => (output: ChangedView, terminal: Terminal) =>
    presentChangedFiles(done, output, terminal)

/** What is asked and shown of the state of the project. */
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
