import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import {
  type Learning,
  type Overview,
  type Plan,
  type Scope,
  scopeName,
} from '../../kernel/model/workspace.ts'
import {
  answerLearning,
  answerOverview,
  answerPlans,
  type LearningAnswer,
  type LearningFilter,
  type OverviewAnswer,
  type PlanAnswer,
  type PlanFilter,
  selectLearnings,
  selectPlans,
  tierOf,
} from './decide/answers.ts'
import { learningDocuments } from './decide/documents.ts'
import { readLearnings } from './decide/learnings-file.ts'
import type { DocumentPlace, PlaceKind } from './decide/place.ts'
import type { WorkspacePorts } from './decide/ports.ts'
import { type Read, readOverview, readPlan, tooLarge, type YamlReader } from './decide/read-fields.ts'
import type { Rest } from './decide/render-answers.ts'
import { isWithin } from './decide/scope.ts'
import type { FileText, WorkspaceFolder, WorkspaceSnapshot } from './decide/workspace-folder.ts'
import { cleaner } from './redacted-fields.ts'

/** The maximum number of problems in an answer; the rest is counted. */
const MAX_PROBLEMS = 50
const MAX_OVERVIEW_LENGTH = 32_000
const MAX_LEARNING_LENGTH = 8_000
/** A name is a few words and an abstract one or two sentences, but a file may contain more. */
const MAX_NAME_LENGTH = 300
const MAX_ABSTRACT_LENGTH = 2_000
const MAX_TAGS = 50

/** The size of one answer; smaller for an agent than for a person. */
export interface AnswerBounds {
  readonly overviewCharacters?: number
  readonly learningCharacters?: number
  readonly problems?: number
}

/** Plans of a scope and of the scopes below it; reads only their front matter. */
export async function retrievePlans(
  memory: Memory & WorkspacePorts,
  { scope, limit, ...filter }: PlanFilter & { readonly scope: Scope; readonly limit: number },
  bounds: AnswerBounds = {},
): Promise<Rest & { readonly plans: readonly PlanAnswer[] }> {
  const folder = await memory.workspaces()
  const survey = snapshotOf(folder, scope, ['plan'])
  const places = survey.places.filter(place => isWithin(place.scope, scope))
  const { values, problems, leftOut } = await readAll<Plan>(
    places,
    place => folder.readHead(place.path),
    readPlan,
  )
  const { plans, total } = selectPlans(values, filter, limit)
  const cut: Problem[] = []
  const answered = answerPlans(
    plans.map(plan => withinBounds(plan, cut)),
    values,
  )
  const clean = await cleaner(memory)
  return {
    plans: clean(answered.plans),
    total,
    leftOut,
    problems: clean(
      atMost(
        [...survey.problems, ...problems, ...answered.problems, ...cut],
        folder.roots.resources,
        bounds.problems,
      ),
    ),
  }
}

/** The subject of a scope: its overview in full, those below as abstracts. */
export async function retrieveOverview(
  memory: Memory & WorkspacePorts,
  { scope, limit }: { readonly scope: Scope; readonly limit: number },
  { overviewCharacters = MAX_OVERVIEW_LENGTH, ...bounds }: AnswerBounds = {},
): Promise<Rest & { readonly overviews: readonly OverviewAnswer[] }> {
  const folder = await memory.workspaces()
  const survey = snapshotOf(folder, scope, ['overview'])
  const places = survey.places.filter(place => isWithin(place.scope, scope) || isWithin(scope, place.scope))
  const inFull = (place: DocumentPlace) => tierOf(place.scope, scope) === 'T1'
  const ordered = [...places].sort((a, b) => (scopeName(a.scope) < scopeName(b.scope) ? -1 : 1))
  const { values, problems, leftOut } = await readAll<Overview>(
    ordered.slice(0, limit),
    place => (inFull(place) ? folder.readText(place.path) : folder.readHead(place.path)),
    readOverview,
    inFull,
  )
  const cut: Problem[] = []
  const overviews = values.map(overview => {
    const tier = tierOf(overview.scope, scope)
    if (tier === 'T0') return answerOverview(withinBounds(overview, cut), tier)
    const content = shortened(overview.content, overviewCharacters, overview.path, cut)
    return answerOverview({ ...overview, content }, tier)
  })
  const clean = await cleaner(memory)
  return {
    overviews: clean(overviews),
    total: places.length - leftOut,
    leftOut,
    problems: clean(
      atMost([...survey.problems, ...problems, ...cut], folder.roots.resources, bounds.problems),
    ),
  }
}

/** Decisions and lessons that apply to a scope: its own, those above it and those below it. */
export async function retrieveLearnings(
  memory: Memory & WorkspacePorts,
  { scope, limit, ...filter }: LearningFilter & { readonly scope: Scope; readonly limit: number },
  { learningCharacters = MAX_LEARNING_LENGTH, ...bounds }: AnswerBounds = {},
): Promise<
  Rest & {
    readonly scope: string
    readonly decisions: readonly LearningAnswer[]
    readonly lessons: readonly LearningAnswer[]
  }
> {
  const folder = await memory.workspaces()
  const survey = snapshotOf(folder, scope, ['decision', 'lesson'])
  const problems: Problem[] = [...survey.problems]
  const learnings: Learning[] = []
  const idOf = new Map<Learning, string>()
  let leftOut = 0
  for (const place of survey.places) {
    if (!isWithin(place.scope, scope) && !isWithin(scope, place.scope)) continue
    const file = folder.readText(place.path)
    if (file.kind === 'gone') continue
    if (file.kind === 'unreadable') {
      problems.push(file.problem)
      leftOut++
      continue
    }
    const read = readLearnings(file.text, place)
    problems.push(
      ...lostLetters(file, place.path),
      ...read.problems,
      ...(file.isWhole ? [] : [tooLarge(place.path)]),
    )
    const documents = learningDocuments(read.learnings)
    for (const [at, learning] of read.learnings.entries()) {
      learnings.push(learning)
      idOf.set(learning, documents[at]?.id ?? '')
    }
  }
  const ofKind = (kind: Learning['kind']) => {
    const chosen = selectLearnings(
      learnings.filter(learning => learning.kind === kind),
      filter,
      limit,
    )
    const answers = chosen.learnings.map(learning => {
      const text = shortened(learning.text, learningCharacters, learning.path, problems)
      return answerLearning({ ...learning, text }, idOf.get(learning) ?? '')
    })
    return { answers, total: chosen.total }
  }
  const [decisions, lessons] = [ofKind('decision'), ofKind('lesson')]
  const clean = await cleaner(memory)
  return {
    scope: scopeName(scope),
    decisions: clean(decisions.answers),
    lessons: clean(lessons.answers),
    total: decisions.total + lessons.total,
    leftOut,
    problems: clean(atMost(problems, folder.roots.learnings, bounds.problems)),
  }
}

/** Reads every file with the plain parser first; the full parser is loaded only if one of them needs it. */
export async function readAll<T>(
  places: readonly DocumentPlace[],
  textOf: (place: DocumentPlace) => FileText,
  read: (file: {
    text: string
    place: DocumentPlace
    yaml?: YamlReader | undefined
    isWhole: boolean
  }) => Read<T>,
  isReadWhole: (place: DocumentPlace) => boolean = () => false,
): Promise<{
  readonly values: readonly T[]
  readonly problems: readonly Problem[]
  readonly leftOut: number
}> {
  const values: T[] = []
  const problems: Problem[] = []
  let leftOut = 0
  let yaml: YamlReader | undefined
  for (const place of places) {
    const file = textOf(place)
    if (file.kind === 'gone') continue
    if (file.kind === 'unreadable') {
      problems.push(file.problem)
      leftOut++
      continue
    }
    const { text, isWhole } = file
    problems.push(...lostLetters(file, place.path))
    let result = read({ text, place, isWhole, yaml })
    if (result.kind === 'not_plain') {
      yaml ??= (await import('./decide/yaml-front-matter.ts')).readYamlFields
      result = read({ text, place, isWhole, yaml })
    }
    if (!isWhole && isReadWhole(place)) problems.push(tooLarge(place.path))
    if (result.kind === 'read') {
      values.push(result.value)
      if (result.problems.length > 0) problems.push(...result.problems)
    } else if (result.kind === 'left_out') {
      problems.push(result.problem)
      leftOut++
    }
  }
  return { values, problems, leftOut }
}

/** The files in, above and below a scope. Throws `workspace_not_found` with the existing names. */
export function snapshotOf(
  folder: WorkspaceFolder,
  scope: Scope,
  kinds: readonly PlaceKind[],
): WorkspaceSnapshot {
  const survey = folder.survey({ around: scope, kinds: new Set(kinds) })
  if (!hasScope(survey, scope)) {
    // A scope may have learnings and no resources, or the other way round.
    const all = folder.survey({ around: scope, kinds: new Set() })
    if (!hasScope(all, scope)) throw scopeNotFound(folder, scope)
  }
  return survey
}

export function hasScope(survey: WorkspaceSnapshot, scope: Scope): boolean {
  return survey.scopes.some(known => scopeName(known) === scopeName(scope))
}

const MAX_NAMES = 20

export function scopeNotFound(folder: WorkspaceFolder, scope: Scope): CairnError {
  const { scopes } = folder.survey({ kinds: new Set() })
  const isKnown = (name: string) => scopes.some(known => scopeName(known) === name)
  const { workspace, domain, repository } = scope
  const isDomainMissing =
    isKnown(workspace) && (repository === undefined || !isKnown(`${workspace}/${domain}`))
  const [what, inside, name] = !isKnown(workspace)
    ? ['workspace', undefined, workspace]
    : isDomainMissing
      ? ['domain', workspace, domain]
      : ['repository', `${workspace}/${domain}`, repository]
  const depth = inside === undefined ? 1 : inside.split('/').length + 1
  const names = scopes
    .map(scopeName)
    .filter(
      known => known.split('/').length === depth && (inside === undefined || known.startsWith(`${inside}/`)),
    )
    .map(known => known.slice(known.lastIndexOf('/') + 1))
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : ''
  return new CairnError({
    code: 'workspace_not_found',
    message: `Not found: ${what} ${name}${inside === undefined ? '' : ` in ${inside}`}.`,
    hint:
      names.length === 0
        ? `There is none at all${inside === undefined ? ` under ${folder.roots.resources}` : ''}; \`cairn workspace overview set ${inside === undefined ? '' : `${inside}/`}${name} --description "…"\` begins it.`
        : `There are: ${names.slice(0, MAX_NAMES).join(', ')}${more}. \`cairn workspace overview set\` begins a new one.`,
    details: { known: names.slice(0, MAX_NAMES) },
  })
}

/** The filter saw the whole text; the answer contains at most what a person would have written. */
function withinBounds<T extends Pick<Plan, 'description' | 'tags' | 'path'> & { readonly name?: string }>(
  answer: T,
  problems: Problem[],
): T {
  const { name = '', description = '', tags, path } = answer
  if (name.length <= MAX_NAME_LENGTH && description.length <= MAX_ABSTRACT_LENGTH && tags.length <= MAX_TAGS)
    return answer
  const cut: Problem[] = []
  const bounded = {
    ...answer,
    ...(name !== '' && { name: shortened(name, MAX_NAME_LENGTH, path, cut) }),
    ...(description !== '' && { description: shortened(description, MAX_ABSTRACT_LENGTH, path, cut) }),
    tags: tags.slice(0, MAX_TAGS),
  }
  problems.push(cut[0] ?? contentCut(path, `${MAX_TAGS} tags`))
  return bounded
}

function shortened(text: string, most: number, path: string, problems: Problem[]): string {
  if (text.length <= most) return text
  problems.push(contentCut(path, `${most} characters`))
  return `${text.slice(0, most).trimEnd()}\n[…]`
}

function contentCut(path: string, most: string): Problem {
  return {
    code: 'content_cut',
    path,
    message: `${path} says more than an answer takes (${most}); the rest was left out.`,
    hint: 'Read the file itself, or move detail out of it.',
  }
}

/** Replacement characters for bytes that are not UTF-8. The last one may be a character that was cut in two. */
function lostLetters({ text, isWhole }: { text: string; isWhole: boolean }, path: string): Problem[] {
  const at = text.indexOf('\ufffd')
  if (at < 0 || (!isWhole && at === text.length - 1)) return []
  const line = text.slice(0, at).split('\n').length
  return [
    {
      code: 'not_text',
      path,
      line,
      message: `${path}:${line}: bytes that are not UTF-8 were dropped; the rest is shown.`,
      hint: 'Expected: Markdown in UTF-8. Save it so.',
    },
  ]
}

export function atMost(
  problems: readonly Problem[],
  root: string,
  most: number = MAX_PROBLEMS,
): readonly Problem[] {
  if (problems.length <= most) return problems
  return [
    ...problems.slice(0, most),
    {
      code: 'more_problems',
      path: root,
      message: `${problems.length - most} more problems are not shown.`,
      hint: 'Name a narrower scope.',
    },
  ]
}
