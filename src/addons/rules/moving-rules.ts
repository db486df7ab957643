import type { BriefPorts } from '../../features/brief/decide/ports.ts'
import { planRemember } from '../../features/entries/decide/plan-remember.ts'
import { captureEntries } from '../../features/entries/write-entries.ts'
import type { SearchPorts } from '../../features/search/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { type Entry, isPinnedByAgent } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change } from '../../kernel/model/journal.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { hasRoom, hotHome, ruleName, warmHome } from './decide/advise.ts'
import type { RulePorts } from './decide/ports.ts'
import { type Rule, readRuleFile, withoutRule, withRule } from './decide/rule-file.ts'
import { countedFiles, type ReadRuleFile } from './hot-files.ts'
import { adviceFor, type HotState, hotState, workspacesOf } from './hot-memory.ts'

export interface Moved {
  /** The rule file, relative to the project. */
  readonly file: string
  readonly rule: string
  readonly text: string
  /** The journal record for `cairn undo`; null: nothing was written. */
  readonly record: string | null
}

/** Turns an entry into a rule that is part of every conversation. The entry stays but is unpinned, because it would be injected twice. */
export async function promoteEntry(
  memory: Memory & SearchPorts & BriefPorts & SessionPorts & RulePorts,
  entry: Entry,
  { file: named, dryRun = false }: { readonly file?: string; readonly dryRun?: boolean } = {},
): Promise<Moved> {
  if (entry.status === 'candidate' || isPinnedByAgent(entry)) throw unconfirmed(entry)
  const state = await hotState(memory)
  const known = standing(state).find(({ rule }) => fingerprint(rule.text) === fingerprint(entry.content))
  if (known !== undefined) throw alreadyHot(entry, known.file.path)
  const home = named === undefined ? hotHome(entry.kind, countedFiles(state.set)) : fileNamed(state, named)
  if (home === undefined) throw noRuleFile(state.set.folder)
  if (!hasRoom(entry.content, home, state)) throw await full(memory, state, home.path)
  const rule = readRuleFile(withRule('', entry.content)).rules[0]
  const moved = { file: home.path, rule: rule ? ruleName(home.path, rule) : home.path, text: entry.content }
  if (dryRun) return { ...moved, record: null }
  const record = await memory.store.write(memory.actor, async view => {
    const before = await view.readFile(home.path)
    const now = await view.findEntry(entry.id)
    if (before === undefined || now === undefined || now.content !== entry.content) throw movedOn(home.path)
    const changes: Change[] = [
      { type: 'file', path: home.path, before, after: withRule(before, entry.content) },
    ]
    if (now.status === 'pinned')
      changes.push({ type: 'entry', before: now, after: { ...now, status: 'confirmed' } })
    return { action: 'edit-files', changes }
  })
  return { ...moved, record: record?.id ?? null }
}

interface Demoted extends Moved {
  /** The file that contains it now: a vault file, or a file of a workspace. */
  readonly to: string
  /** The new entry; null in a workspace, or if nothing was written. */
  readonly entry: Entry | null
}

/** Moves a rule out of hot memory: it becomes an entry of the shared vault or a learning of a workspace. One step, one undo. */
export async function demoteRule(
  memory: Memory & RulePorts,
  name: string,
  { workspace, dryRun = false }: { readonly workspace?: string; readonly dryRun?: boolean } = {},
): Promise<Demoted> {
  const state = await hotState(memory)
  const { file, rule } = findRule(state, name)
  const warm = await workspacesOf(memory)
  if (workspace !== undefined && !warm.workspaces.includes(workspace))
    throw noWorkspace(workspace, warm.workspaces)
  const to = warmHome(rule.text, {
    ...warm,
    ...(workspace !== undefined && { workspace }),
  })
  const moved = { file: file.path, rule: ruleName(file.path, rule), text: rule.text, to }
  if (dryRun) return { ...moved, entry: null, record: null }
  const what = to.endsWith('/decisions.md') ? 'decisions' : 'lessons'
  const kind = what === 'decisions' ? 'decision' : 'lesson'
  const [captured] = await captureEntries(memory, [{ content: rule.text, kind, agent: 'shared' }])
  if (captured === undefined) throw new Error('one rule in, one entry out')
  let entry: Entry | null = null
  const record = await memory.store.write(memory.actor, async view => {
    const before = await view.readFile(file.path)
    const found = before && readRuleFile(before).rules.find(({ key }) => key === rule.key)
    if (before === undefined || found === undefined || found === '') throw movedOn(file.path)
    const removal: Change = { type: 'file', path: file.path, before, after: withoutRule(before, found) }
    if (!to.startsWith('.memory/')) {
      const learned = await view.readFile(to)
      const date = new Date(memory.clock.nowMs()).toISOString().slice(0, 10)
      const after = withLearning(learned, { text: captured.entry.content, date, what })
      return {
        action: 'edit-files',
        changes: [removal, { type: 'file', path: to, before: learned ?? null, after }],
      }
    }
    const print = fingerprint(captured.entry.content)
    const plan = planRemember(captured.entry, await view.findDuplicate(print, ['shared']), {
      newId: () => view.newId(),
      nowMs: memory.clock.nowMs(),
    })
    entry = plan.after
    const kept: Change = {
      type: 'entry',
      before: plan.kind === 'merged' ? plan.before : null,
      after: plan.after,
    }
    return { action: 'edit-files', changes: [removal, kept] }
  })
  return { ...moved, entry, record: record?.id ?? null }
}

function standing({ set }: HotState): { readonly file: ReadRuleFile; readonly rule: Rule }[] {
  return set.common.flatMap(file => file.rules.map(rule => ({ file, rule })))
}

/** Finds it by `file#key`, by its key, or by words that only one rule contains. */
function findRule(state: HotState, name: string): { readonly file: ReadRuleFile; readonly rule: Rule } {
  const all = standing(state)
  const wanted = name.trim()
  const exact = all.filter(
    ({ file, rule }) => rule.key === wanted || `${file.path}#${rule.key}`.endsWith(`/${wanted}`),
  )
  const folded = wanted.toLowerCase()
  const found = exact.length > 0 ? exact : all.filter(({ rule }) => rule.text.toLowerCase().includes(folded))
  const [only, ...others] = found
  if (only !== undefined && others.length === 0 && wanted !== '') return only
  const named = found.slice(0, 5).map(({ file, rule }) => ruleName(file.path, rule))
  throw new CairnError({
    code: found.length > 1 ? 'ambiguous_match' : 'record_not_found',
    message:
      found.length > 1
        ? `"${wanted.slice(0, 60)}" fits several rules: ${named.join(', ')}.`
        : `No rule is called "${wanted.slice(0, 60)}".`,
    hint: '`cairn hot --rules` lists the rules with their names.',
  })
}

function fileNamed({ set }: HotState, named: string): ReadRuleFile {
  const file = set.common.find(({ path }) => path === named || path.endsWith(`/${named}`))
  if (file !== undefined) return file
  throw new CairnError({
    code: 'file_not_found',
    message: `Rule file not found: ${named.slice(0, 80)}.`,
    hint: `The rule files are ${set.common.map(({ path }) => path).join(', ') || 'none yet: `cairn hot init`'}.`,
  })
}

function unconfirmed({ id }: Entry): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `Entry ${id} is a candidate. Confirm it first, because agents follow rules without asking.`,
    hint: `\`cairn confirm ${id}\` first, if it is correct.`,
  })
}

function alreadyHot({ id }: Entry, path: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `${path} already contains the text of entry ${id}.`,
    hint: '`cairn hot --rules` lists the rules.',
  })
}

function noRuleFile(folder: string): CairnError {
  return new CairnError({
    code: 'file_not_found',
    message: `${folder} contains no rule file.`,
    hint: '`cairn hot init` lays them out.',
  })
}

async function full(
  memory: Memory & SearchPorts & BriefPorts & SessionPorts & RulePorts,
  state: HotState,
  path: string,
): Promise<CairnError> {
  const [least] = (await adviceFor(memory, state)).demote
  return new CairnError({
    code: 'invalid_input',
    message: `The rule exceeds the budget of ${path}, or that of all rule files together.`,
    hint:
      least === undefined
        ? 'Shorten or demote a rule first: `cairn hot lint` shows the sizes.'
        : `\`cairn hot demote ${least.rule}\` first: ${least.touched} of the last ${least.sessions} sessions were about it.`,
  })
}

function movedOn(path: string): CairnError {
  return new CairnError({
    code: 'file_changed',
    message: `${path} or the entry changed in the meantime; nothing was written.`,
    hint: 'Look at it, then try again.',
  })
}

function noWorkspace(name: string, known: readonly string[]): CairnError {
  return new CairnError({
    code: 'workspace_not_found',
    message: `Workspace not found: "${name.slice(0, 60)}".`,
    hint: known.length === 0 ? 'This project has no workspaces.' : `The workspaces are ${known.join(', ')}.`,
  })
}

const EOL = /\r?\n/
const TITLE_CHARACTERS = 80

/** Appends a rule to a file as a decision or lesson of a workspace (seed B, section 4.5). */
function withLearning(
  file: string | undefined,
  given: { readonly text: string; readonly date: string; readonly what: 'decisions' | 'lessons' },
): string {
  const eol = file?.includes('\r\n') === true ? '\r\n' : '\n'
  const [first = ''] = given.text.split(EOL)
  const title = first.replace(/[*_`#]/g, '').replace(/[.:;,\s]+$/, '')
  const short =
    title.length <= TITLE_CHARACTERS ? title : `${title.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…`
  const entry = [
    `### [${given.date}] ${short}`,
    '',
    `**Category:** ${given.what === 'decisions' ? 'convention' : 'configuration'}`,
    '**Tags:** from-hot-memory',
    '',
    ...given.text.split(EOL),
    '',
    '---',
    '',
  ].join(eol)
  const before = file === undefined || file.trim() === '' ? '' : `${file.replace(/\s+$/, '')}${eol}${eol}`
  return `${before}${entry}`
}
