import type { DocumentPorts } from '../../features/search/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import {
  type Learning,
  type LearningKind,
  type Plan,
  type PlanStatus,
  type Scope,
  scopeName,
} from '../../kernel/model/workspace.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { withoutSecret } from '../../kernel/text/redaction/safe-names.ts'
import { mergeTags } from '../../kernel/text/tags.ts'
import type { EditedText } from './decide/front-matter-edit.ts'
import { appendLearning, readLearnings } from './decide/learnings-file.ts'
import { type DocumentPlace, learningPath, overviewPath, planPath } from './decide/place.ts'
import type { WorkspacePorts } from './decide/ports.ts'
import { isDate, readOverview, readPlan } from './decide/read-fields.ts'
import { isWithin, scopeParts } from './decide/scope.ts'
import type { WorkspaceFolder } from './decide/workspace-folder.ts'
import {
  editOverview,
  editPlan,
  type OverviewPatch,
  type PlanPatch,
  planIdOf,
  renderPlan,
} from './decide/write-documents.ts'
import { readYamlFields } from './decide/yaml-front-matter.ts'
import { type RemovedSecret, redactedFields } from './redacted-fields.ts'
import { hasScope, scopeNotFound } from './retrieve.ts'

/** The result of every write. */
export interface Written {
  /** Relative to the project, with `/`. */
  readonly path: string
  /** The journal record for `cairn undo`; null if nothing changed. */
  readonly record: string | null
  readonly redacted: readonly RemovedSecret[]
}

export async function addPlan(
  memory: Memory & WorkspacePorts & DocumentPorts,
  scope: Scope,
  plan: {
    name: string
    description: string
    status?: PlanStatus | undefined
    tags?: readonly string[] | undefined
    content?: string | undefined
    created?: string | undefined
  },
): Promise<Written & { readonly id: string }> {
  const folder = await memory.workspaces()
  checkKnown(folder, scope)
  const created = plan.created === undefined ? today(memory) : checkedDate('created', plan.created)
  const { fields, redacted } = await redactedFields(memory, {
    name: oneLine('name', plan.name),
    description: oneLine('description', plan.description),
    content: plan.content ?? '',
    tags: plan.tags ?? [],
  })
  const id = planIdOf({ name: fields.name, created })
  const path = planPath(scope, id, folder.roots)
  const text = renderPlan({ ...fields, tags: mergeTags(fields.tags), status: plan.status ?? 'new', created })
  const record = await edit(memory, path, before => {
    if (before === undefined) return text
    throw new CairnError({
      code: 'file_exists',
      message: `There is a plan ${path} already.`,
      hint: `\`cairn workspace plan set ${id}\` changes it; another name makes another plan.`,
    })
  })
  return { id, path, record, redacted }
}

/** Changes the fields that the patch names, and nothing else in the file. */
export async function setPlan(
  memory: Memory & WorkspacePorts & DocumentPorts,
  target: string,
  patch: PlanPatch,
  within?: Scope,
): Promise<Written & { readonly plan: Plan; readonly changed: readonly string[] }> {
  const folder = await memory.workspaces()
  const place = findPlan(folder, target, within)
  const { fields, redacted } = await redactedFields(memory, {
    name: patch.name === undefined ? undefined : oneLine('name', patch.name),
    description: patch.description === undefined ? undefined : oneLine('description', patch.description),
    tags: patch.tags,
  })
  let changed: readonly string[] = []
  let plan: Plan | undefined
  const record = await edit(memory, place.path, before => {
    if (before === undefined) throw planNotFound(target, folder, within)
    const old = planIn(before, place)
    const result = editPlan(
      before,
      old,
      { ...fields, tags: fields.tags && mergeTags(fields.tags), status: patch.status },
      today(memory),
    )
    const text = textOf(result.edited, place.path)
    changed = result.changed
    plan = planIn(text, place)
    return text
  })
  if (plan === undefined) throw new Error('a plan in, a plan out')
  return { plan, path: place.path, changed, record, redacted }
}

/** Writes the overview of a scope; creates the file and the folder if necessary. */
export async function setOverview(
  memory: Memory & WorkspacePorts & DocumentPorts,
  scope: Scope,
  patch: OverviewPatch,
): Promise<Written & { readonly isNew: boolean }> {
  const folder = await memory.workspaces()
  for (const part of scopeParts(scope)) withoutSecret('name of the scope', part)
  const survey = folder.survey({ around: scope, kinds: new Set(['overview']) })
  const known = survey.places.find(place => scopeName(place.scope) === scopeName(scope))
  const path = known?.path ?? overviewPath(scope, folder.roots)
  if (known === undefined && patch.description === undefined)
    throw new CairnError({
      code: 'invalid_input',
      message: `${scopeName(scope)} has no overview yet: it begins with a description.`,
      hint: 'Add --description with one or two sentences.',
    })
  if (known === undefined && scope.domain !== undefined) checkKnown(folder, { workspace: scope.workspace })
  const { fields, redacted } = await redactedFields(memory, {
    name: patch.name === undefined ? undefined : oneLine('name', patch.name),
    description: patch.description === undefined ? undefined : oneLine('description', patch.description),
    tags: patch.tags,
    content: patch.content,
  })
  let isNew = false
  const record = await edit(memory, path, before => {
    isNew = before === undefined
    // An unreadable file is not overwritten.
    if (before !== undefined) {
      const read = readOverview({
        text: before,
        place: { kind: 'overview', scope, path },
        yaml: readYamlFields,
      })
      const damage =
        read.kind === 'read'
          ? read.problems.find(({ code }) => /^front_matter_(?:invalid|open)$/.test(code))
          : undefined
      if (damage !== undefined) throw refused(path, damage.line ?? 1, damage.message)
    }
    return textOf(
      editOverview(before, scope, { ...fields, tags: fields.tags && mergeTags(fields.tags) }, today(memory)),
      path,
    )
  })
  return { path, isNew, record, redacted }
}

/** Adds a decision or a lesson, unless one with the same words already applies to the scope. */
export async function learn(
  memory: Memory & WorkspacePorts & DocumentPorts,
  scope: Scope,
  kind: LearningKind,
  entry: {
    title: string
    content?: string | undefined
    category: string
    tags?: readonly string[] | undefined
    date?: string | undefined
  },
): Promise<Written & { readonly learning: Learning; readonly duplicate: boolean }> {
  const folder = await memory.workspaces()
  checkKnown(folder, scope)
  const date = entry.date === undefined ? today(memory) : checkedDate('date', entry.date)
  const { fields, redacted } = await redactedFields(memory, {
    title: oneLine('title', entry.title),
    content: (entry.content ?? '').trim(),
    category: oneLine('category', entry.category),
    tags: entry.tags ?? [],
  })
  const survey = folder.survey({ around: scope, kinds: new Set([kind]) })
  const above = survey.places.filter(place => isWithin(scope, place.scope))
  const own = above.find(place => scopeName(place.scope) === scopeName(scope))
  const path = own?.path ?? learningPath(scope, kind, folder.roots)
  const place: DocumentPlace = { kind, scope, path }
  const { title, content: text } = fields
  // Folded after redaction, because a lower-case key is no longer recognised as a secret.
  const category = fields.category.toLowerCase()
  const tags = mergeTags(fields.tags)
  const print = fingerprint(`${title} ${text}`)
  const isSame = (known: Learning) => fingerprint(`${known.title} ${known.text}`) === print
  const inherited = above
    .filter(other => other !== own)
    .flatMap(other => {
      const file = folder.readText(other.path)
      return file.kind === 'read' ? readLearnings(file.text, other).learnings : []
    })
    .find(isSame)
  let learning: Learning | undefined = inherited
  let duplicate = inherited !== undefined
  if (inherited !== undefined)
    return { learning: inherited, duplicate, path: inherited.path, record: null, redacted }
  const record = await edit(memory, path, before => {
    const known = before === undefined ? undefined : readLearnings(before, place).learnings.find(isSame)
    duplicate = known !== undefined
    if (known !== undefined) {
      learning = known
      return before
    }
    const after = appendLearning(before, { title, text, date, category, tags })
    learning = readLearnings(after, place).learnings.at(-1)
    return after
  })
  if (learning === undefined) throw new Error('an entry in, an entry out')
  return { learning, duplicate, path, record, redacted }
}

/** Writes one file under the writer's lock and updates the index, which other projects read. The same text again is not a change. */
async function edit(
  memory: Memory & DocumentPorts,
  path: string,
  change: (before: string | undefined) => string | undefined,
): Promise<string | null> {
  const record = await memory.store.write(memory.actor, async view => {
    const before = await view.readFile(path)
    const after = change(before)
    if (after === undefined || after === before) return null
    return { action: 'edit-files', changes: [{ type: 'file', path, before: before ?? null, after }] }
  })
  if (record === null) return null
  await memory.documentSearch.refresh()
  return record.id
}

function planIn(text: string, place: DocumentPlace): Plan {
  const read = readPlan({ text, place, yaml: readYamlFields })
  if (read.kind === 'read') return read.value
  throw refused(
    place.path,
    read.kind === 'left_out' ? (read.problem.line ?? 1) : 1,
    read.kind === 'left_out' ? read.problem.message : '',
  )
}

function textOf(edited: EditedText, path: string): string {
  if (edited.kind === 'edited') return edited.text
  throw refused(
    path,
    edited.line,
    `${path}:${edited.line}: the front matter cannot be edited: ${edited.why}.`,
  )
}

function refused(path: string, line: number, message: string): CairnError {
  return new CairnError({
    code: 'front_matter_invalid',
    message: `${message} Nothing was written.`,
    hint: `Fix ${path}, line ${line}, by hand: \`key: value\` lines between two lines of \`---\`. \`cairn workspace migrate\` adds what is missing.`,
  })
}

/** The only plan that a name can mean: its path, or its id with or without the scope. */
function findPlan(folder: WorkspaceFolder, target: string, within?: Scope): DocumentPlace {
  const wanted = target
    .trim()
    .replace(/^plan:/, '')
    .normalize('NFC')
  const places = plansOf(folder, within)
  const names = (place: DocumentPlace) => {
    const id = (place.id ?? '').normalize('NFC')
    return [place.path, `${scopeName(place.scope)}/${id}`, id, id.slice(id.lastIndexOf('/') + 1)]
  }
  for (const at of [0, 1, 2, 3]) {
    const found = places.filter(place => names(place)[at] === wanted)
    const [only] = found
    if (found.length === 1 && only !== undefined) return only
    if (found.length > 1) throw ambiguous(wanted, found)
  }
  throw planNotFound(target, folder, within)
}

function plansOf(folder: WorkspaceFolder, within: Scope | undefined): readonly DocumentPlace[] {
  const { places } = folder.survey({ around: within, kinds: new Set(['plan']) })
  return within === undefined ? places : places.filter(place => isWithin(place.scope, within))
}

function ambiguous(wanted: string, found: readonly DocumentPlace[]): CairnError {
  const candidates = found
    .slice(0, 5)
    .map(place => ({ id: `${scopeName(place.scope)}/${place.id}`, snippet: place.path }))
  return new CairnError({
    code: 'ambiguous_match',
    message: `"${wanted.slice(0, 80)}" is the name of ${found.length} plans:\n${candidates.map(({ id }) => `  ${id}`).join('\n')}`,
    hint: 'Name one with its scope.',
    details: { candidates },
  })
}

function planNotFound(target: string, folder: WorkspaceFolder, within: Scope | undefined): CairnError {
  const wanted = target.toLowerCase()
  const ids = plansOf(folder, within).map(place => place.id ?? '')
  const near = ids
    .filter(id => id.toLowerCase().includes(wanted) || wanted.includes(id.toLowerCase()))
    .slice(0, 5)
  return new CairnError({
    code: 'plan_not_found',
    message: `Plan not found: ${target.slice(0, 80)}${within === undefined ? '' : ` in ${scopeName(within)}`}.`,
    hint:
      near.length > 0
        ? `Did you mean ${near.join(' or ')}?`
        : '`cairn retrieve plans <workspace>` shows the plans with their ids.',
  })
}

function checkKnown(folder: WorkspaceFolder, scope: Scope): void {
  if (!hasScope(folder.survey({ around: scope, kinds: new Set() }), scope)) throw scopeNotFound(folder, scope)
}

function today(memory: Memory): string {
  return utcMinute(memory.clock.nowMs()).slice(0, 10)
}

function checkedDate(field: string, date: string): string {
  if (isDate(date)) return date
  throw new CairnError({
    code: 'invalid_input',
    message: `\`${field}\`: "${date.slice(0, 40)}" is not a date.`,
    hint: 'Expected: YYYY-MM-DD, for example 2026-02-08.',
  })
}

const MAX_LINE_LENGTH = 2_000

function oneLine(field: string, text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line !== '' && line.length <= MAX_LINE_LENGTH) return line
  throw new CairnError({
    code: 'invalid_input',
    message: `\`${field}\` ${line === '' ? 'is empty' : `is longer than ${MAX_LINE_LENGTH} characters`}.`,
    hint: `Give the ${field} in a line of words.`,
  })
}
