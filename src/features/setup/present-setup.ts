import { homedir } from 'node:os'
import * as path from 'node:path'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import { DISTRUST_WORDS } from '../projects/verbs/project-view.ts'
import type { projectsOperation } from '../projects/verbs/projects.ts'
import type { trustOperation } from '../projects/verbs/trust.ts'
import type { initOperation } from './verbs/init.ts'
import type { uninstallOperation } from './verbs/uninstall.ts'

type Answer<T extends { run: (...values: never[]) => Promise<unknown> }> = Awaited<ReturnType<T['run']>>
type Init = Answer<typeof initOperation>
type Uninstall = Answer<typeof uninstallOperation>
type Trust = Answer<typeof trustOperation>
type Look = Trust['look']

const LABEL_WIDTH = 10
/** Changes that the user has just confirmed are not listed in full. */
const MAX_LISTED = 12

/** Short forms: `~/.claude/settings.json`, `AGENTS.md`. */
function shownPath(file: string, root?: string): string {
  if (root !== undefined && file !== root && file.startsWith(`${root}${path.sep}`))
    return visibleName(file.slice(root.length + 1))
  const home = homedir()
  return visibleName(file.startsWith(`${home}${path.sep}`) ? `~${file.slice(home.length)}` : file)
}

function line(terminal: Terminal, label: string, text: string): void {
  terminal.out(`  ${terminal.dim(label.padEnd(LABEL_WIDTH))} ${text}\n`)
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

const entries = (count: number) => plural(count, 'entry', 'entries')

function presentInit(init: AnswerOf<'init'>, terminal: Terminal): void {
  const title = init.isDone ? 'Set up in' : init.isInPlace ? 'Already set up in' : 'cairn init will change'
  terminal.out(`${terminal.bold(title)} ${terminal.dim(shownPath(init.checkout))}\n\n`)
  line(terminal, 'Memory', memoryWords(init))
  if (init.memory.does === 'trust' && init.memory.look !== null && !init.isDone)
    presentLook(init.memory.look, terminal)
  if (init.memory.forgotten !== null && init.memory.does === 'create')
    line(
      terminal,
      '',
      `one with ${entries(init.memory.forgotten.entries)} was forgotten on ${init.memory.forgotten.at.slice(0, 10)}; --bring-back restores it`,
    )
  if (init.cloneOf !== null)
    line(
      terminal,
      '',
      `a clone of ${visibleName(init.cloneOf.name)}; --share uses the memory in ${shownPath(init.cloneOf.root)}`,
    )
  if (!init.isRepository)
    line(terminal, '', 'not a git repository, so there is no merge driver and no history')
  line(terminal, 'Hosts', hostWords(init))
  if (init.hosts.every(({ does }) => does === 'not_found'))
    line(
      terminal,
      '',
      'searched for programs on the path, and ~/.claude, ~/.codex, ~/.gemini, ~/.config/opencode, ~/.copilot, ~/.cursor',
    )
  if (init.isDone && init.changed.length > MAX_LISTED)
    line(terminal, 'Changed', `${init.changed.length} files and settings`)
  else presentChanges(init.isDone ? 'Changed' : 'Changes', init, init.root, terminal)
  const remarks = init.isInPlace ? init.remarks.filter(({ kind }) => kind === 'to-do') : init.remarks
  presentNotes({ remarks, failures: init.failures }, terminal)
  if (init.movedAside !== null)
    terminal.out(
      `\nThe list of your projects could not be read and was saved as ${shownPath(init.movedAside)}\n`,
    )
  if (init.isDone && init.failures.length === 0)
    terminal.out(
      `\n${terminal.good('Done.')} Start an agent here. ${terminal.dim('`cairn status` and `cairn doctor` show its state, `cairn uninstall` removes it.')}\n`,
    )
}

function memoryWords({ memory, root, checkout, shares, by, isDone }: Init): string {
  const where = `${shownPath(path.join(root, '.memory'), checkout)}/`
  const count = memory.look?.entries ?? 0
  switch (memory.does) {
    case 'create':
      return `${where}, new`
    case 'bring_back':
      return `${where}, ${entries(memory.forgotten?.entries ?? 0)}${isDone ? ' restored' : ', will be restored'}`
    case 'trust':
      return `${where} exists with ${entries(count)}. ${isDone ? 'Agents can read it now.' : 'Agents will be able to read it.'}`
    case 'share':
      return `${where}, shared with ${visibleName(shares?.name ?? '')}: this is another clone of it. ${isDone ? '' : '--own makes a separate one.'}`.trim()
    default:
      return `${where}, ${entries(count)}${by === 'worktree' ? ', of the main checkout' : ''}`
  }
}

function hostWords({ hosts, level }: Init): string {
  const named = (does: readonly string[]) =>
    hosts.filter(host => does.includes(host.does)).map(({ title }) => title)
  const parts = [
    [named(['install']), ''],
    [named(['in_place']), ' already set up'],
    [named(['failed']), ' failed'],
    [named(['skipped']), ' skipped'],
  ] as const
  const words = parts
    .filter(([titles]) => titles.length > 0)
    .map(([titles, what]) => `${titles.join(', ')}${what}`)
  if (words.length === 0) return 'none found on this machine; run `cairn init` again after you install one'
  return `${words.join(' · ')} (${level === 'user' ? 'for all projects that you initialise or trust' : 'only in this project'})`
}

const SIGN = { create: '+', edit: '~', remove: '-' } as const

interface Row {
  readonly sign: string
  readonly name: string
  readonly what: string
  readonly diff: readonly string[]
}

function presentChanges(
  title: string,
  { changes }: Pick<Init, 'changes'>,
  root: string,
  terminal: Terminal,
): void {
  if (changes.length === 0) return
  terminal.out(`\n${terminal.bold(title)}\n`)
  const rows = rowsOf(changes, root)
  const width = Math.min(44, Math.max(...rows.map(({ name }) => name.length)))
  for (const { sign, name, what, diff } of rows) {
    terminal.out(`  ${sign} ${name.padEnd(width)}  ${terminal.dim(visible(what))}\n`)
    for (const changed of diff)
      terminal.out(
        `      ${changed.startsWith('+') ? terminal.good(visible(changed)) : terminal.bad(visible(changed))}\n`,
      )
  }
}

/** One row per file; files of commands and skills share a row per folder, so that the list fits a screen. */
function rowsOf(changes: Init['changes'], root: string): Row[] {
  const rows = new Map<string, { sign: string; name: string; words: string[]; diff: string[] }>()
  for (const { path: file, change, what, diff = [] } of changes) {
    const [, kind, name = ''] =
      /^(command|skill|rule) (\S+)/.exec(what.length === 1 ? (what[0] ?? '') : '') ?? []
    const isNamed = kind !== undefined
    const folder = path.basename(file) === 'SKILL.md' ? path.dirname(path.dirname(file)) : path.dirname(file)
    const shown = isNamed ? `${shownPath(folder, root)}/` : shownPath(file, root)
    const row = rows.get(`${change} ${shown}`) ?? { sign: SIGN[change], name: shown, words: [], diff: [] }
    row.words.push(isNamed ? name : summed(what))
    row.diff.push(...diff)
    rows.set(`${change} ${shown}`, row)
  }
  return [...rows.values()].map(({ words, ...row }) => ({ ...row, what: words.join(', ') }))
}

const MAX_NAMED = 4

/** Long lists of hooks are counted: `hooks SessionStart, Stop, …` becomes `9 hooks`. */
function summed(what: readonly string[]): string {
  return what
    .map(words => {
      const [, names = ''] = /^hooks (.+)$/.exec(words) ?? []
      const count = names.split(', ').length
      return count > MAX_NAMED ? `${count} hooks` : words.replace(/ \([^)]*\)$/, '')
    })
    .join(', ')
}

function presentNotes({ remarks, failures }: Pick<Init, 'remarks' | 'failures'>, terminal: Terminal): void {
  const toDo = remarks.filter(({ kind }) => kind === 'to-do')
  const rest = remarks.filter(({ kind }) => kind !== 'to-do')
  if (toDo.length > 0) terminal.out(`\n${terminal.bold('To do')}\n`)
  for (const { message, hint } of toDo)
    terminal.out(`  ${visible(message)}\n    ${terminal.dim('→')} ${visible(hint)}\n`)
  if (rest.length > 0) terminal.out('\n')
  for (const { message, hint } of rest)
    terminal.out(`  ${terminal.dim(visible(message))}\n    ${terminal.dim(`→ ${visible(hint)}`)}\n`)
  if (failures.length > 0) terminal.out(`\n${terminal.bad('Failed')}\n`)
  for (const { message, hint } of failures)
    terminal.out(`  ${visible(message)}\n    ${terminal.dim('→')} ${visible(hint)}\n`)
}

function presentLook(look: Look, terminal: Terminal): void {
  const agents = look.agents.map(({ agent, entries: count }) => `${visibleName(agent)} ${count}`)
  if (agents.length > 0) line(terminal, 'By', agents.join(', '))
  look.newest.forEach(({ date, agent, kind, text }, at) => {
    line(
      terminal,
      at === 0 ? 'Newest' : '',
      `${terminal.dim(`${visibleName(date.slice(0, 10))} ${visibleName(agent)} ${visibleName(kind)}`)}  ${visibleName(text)}`,
    )
  })
  for (const file of look.linksOut) line(terminal, 'Outside link', terminal.bad(visibleName(file)))
  for (const file of look.unread) line(terminal, 'Unreadable', terminal.bad(visibleName(file)))
}

function presentUninstall(answer: AnswerOf<'uninstall'>, terminal: Terminal): void {
  if (answer.isNothing && !answer.isDone) {
    terminal.out(`Cairn is not set up in ${shownPath(answer.checkout)}.\n`)
    presentRemaining(answer, terminal)
    return
  }
  terminal.out(
    `${terminal.bold(answer.isDone ? 'Removed' : 'cairn uninstall will remove')} ${terminal.dim(answer.isEverything ? 'everywhere' : `in ${shownPath(answer.checkout)}`)}\n`,
  )
  if (answer.isDone && answer.changed.length > MAX_LISTED)
    terminal.out(`\n${answer.changed.length} files and settings restored.\n`)
  else presentChanges('Changes', answer, answer.checkout, terminal)
  presentNotes(answer, terminal)
  if (answer.forgets > 0)
    terminal.out(
      `\n${answer.isDone ? 'Agents can no longer read' : 'Agents would no longer be able to read'} ${answer.forgets === 1 ? 'this project' : plural(answer.forgets, 'project')}.\n`,
    )
  presentRemaining(answer, terminal)
}

function presentRemaining({ memory, keptFor, left, isEverything }: Uninstall, terminal: Terminal): void {
  if (memory !== null) {
    const where = shownPath(path.join(memory.root, '.memory'))
    terminal.out(
      memory.does === 'stays'
        ? `The memory stays: ${entries(memory.entries)} in ${where}.\n`
        : memory.putIn === null
          ? `The memory with its ${entries(memory.entries)} would be moved to ~/.cairn/forgotten.\n`
          : `The memory with its ${entries(memory.entries)} is in ${shownPath(memory.putIn)}; \`cairn init --bring-back\` restores it.\n`,
    )
  }
  if (keptFor.length > 0)
    terminal.out(
      `The setup for all your projects stays, because it is used by ${keptFor
        .slice(0, 3)
        .map(root => shownPath(root))
        .join(
          ', ',
        )}${keptFor.length > 3 ? ` and ${keptFor.length - 3} more` : ''}. ${terminal.dim('`cairn uninstall --everything` removes it too.')}\n`,
    )
  if (isEverything && left !== null && left.length > 0)
    terminal.out(
      terminal.dim(`Not removed: ${left.map(name => visibleName(name)).join(', ')} in ~/.cairn.\n`),
    )
}

function presentTrust(trust: AnswerOf<'trust'>, terminal: Terminal): void {
  terminal.out(
    `${terminal.bold(entries(trust.look.entries))} in ${shownPath(path.join(trust.root, '.memory'))}\n`,
  )
  presentLook(trust.look, terminal)
  if (trust.isTrusted)
    terminal.out(
      trust.wasTrusted
        ? 'Already trusted: agents can read it.\n'
        : `${terminal.good('Trusted.')} Agents can read this memory; \`cairn untrust\` undoes that.\n`,
    )
  else if (trust.why !== null) terminal.out(`Agents cannot read this memory: ${DISTRUST_WORDS[trust.why]}.\n`)
  if (trust.movedAside !== null)
    terminal.out(
      `The list of your projects could not be read and was saved as ${shownPath(trust.movedAside)}\n`,
    )
}

function presentUntrust({ root, wasTrusted }: AnswerOf<'untrust'>, terminal: Terminal): void {
  terminal.out(
    wasTrusted
      ? `Agents can no longer read ${shownPath(root)}. The memory was not changed.\n`
      : `${shownPath(root)} was not trusted.\n`,
  )
}

type Projects = Answer<typeof projectsOperation>

function presentProjects({ projects, problems }: AnswerOf<'projects'>, terminal: Terminal): void {
  for (const problem of problems)
    terminal.out(
      `${terminal.bad(visible(problem.message))}\n  ${terminal.dim('→')} ${visible(problem.hint)}\n`,
    )
  if (projects.length === 0 && problems.length === 0)
    terminal.out('No projects yet. Run `cairn init` in one.\n')
  presentRows(projects, terminal)
}

function presentRows(projects: Projects['projects'], terminal: Terminal): void {
  const width = Math.min(24, Math.max(0, ...projects.map(({ name }) => name.length)))
  for (const { name, root, state, lastSeenAt, sharedBy, isOwn } of projects) {
    const shownState = state === 'trusted' ? terminal.good(state.padEnd(9)) : terminal.bad(state.padEnd(9))
    terminal.out(
      `  ${visibleName(name).padEnd(width)}  ${shownState}  ${visibleName(lastSeenAt.slice(0, 10))}  ${shownPath(root)}${isOwn ? terminal.dim(' (own memory)') : ''}\n`,
    )
    for (const checkout of sharedBy)
      terminal.out(`  ${' '.repeat(width)}  ${terminal.dim(`shared with ${shownPath(checkout)}`)}\n`)
  }
}

function presentForgotten({ forgotten, isDryRun }: AnswerOf<'projects forget'>, terminal: Terminal): void {
  if (forgotten.length === 0) {
    terminal.out('No projects to remove.\n')
    return
  }
  terminal.out(`${isDryRun ? 'Would remove' : 'Removed'} from the list; the memory is not changed:\n`)
  presentRows(forgotten, terminal)
}

export const SETUP_PRESENTERS = {
  init: presentInit,
  uninstall: presentUninstall,
  trust: presentTrust,
  untrust: presentUntrust,
  projects: presentProjects,
  'projects forget': presentForgotten,
} satisfies Partial<Presenters>
