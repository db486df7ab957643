import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import { type PlanStatus, scopeName } from '../../../kernel/model/workspace.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { extractTags } from '../../../kernel/text/tags.ts'
import { bodyOf, type FrontMatterFields } from './front-matter.ts'
import { type FieldValue, renderFrontMatter, setFields } from './front-matter-edit.ts'
import type { DocumentPlace } from './place.ts'
import { dateOfName, OVERVIEW_FORM, PLAN_FORM, readFields } from './read-fields.ts'
import { scopeParts } from './scope.ts'
import { readYamlFields } from './yaml-front-matter.ts'

const MAX_TAGS = 8
/** An abstract is one or two sentences. A longer one is an overview, and a person must decide about it. */
const MAX_ABSTRACT_LENGTH = 1_200

export interface MigrationFile {
  readonly place: DocumentPlace
  readonly text: string
  /** `YYYY-MM-DD`: the first commit, and the last change on disk. */
  readonly committed?: string | undefined
  readonly modified?: string | undefined
}

/** One field to add, and the origin of its value. */
interface AddedField {
  readonly field: string
  readonly value: FieldValue
  readonly from: string
}

export interface MigrationStep {
  readonly path: string
  readonly does: 'edit' | 'create' | 'remove'
  readonly adds: readonly AddedField[]
  /** Why a file is removed. */
  readonly why?: string
  readonly before: string | null
  readonly after: string | null
}

interface MigrationPlan {
  readonly steps: readonly MigrationStep[]
  /** What was left unchanged, and why. */
  readonly problems: readonly Problem[]
}

/**
 * The migrations of seed B, section 7: adds missing front matter, and moves `ABSTRACT.md` into the overview next to it. Existing values
 * never change, an unreadable file is left alone, and a second run changes nothing.
 */
export function planMigration(
  files: readonly MigrationFile[],
  /** Redacts text: front matter taken from a file is shown to every agent. */
  clean: (text: string) => string,
): MigrationPlan {
  const steps: MigrationStep[] = []
  const problems: Problem[] = []
  const overviewByScope = new Map(
    files.filter(({ place }) => place.kind === 'overview').map(file => [scopeName(file.place.scope), file]),
  )
  const abstractByScope = new Map(
    files.filter(({ place }) => place.kind === 'abstract').map(file => [scopeName(file.place.scope), file]),
  )
  for (const file of files) {
    const scope = scopeName(file.place.scope)
    if (file.place.kind === 'plan') add(planStep(file, clean))
    else if (file.place.kind === 'overview') add(overviewSteps(file, abstractByScope.get(scope), clean))
    else if (file.place.kind === 'abstract' && !overviewByScope.has(scope)) add(begunOverview(file, clean))
  }
  function add(outcome: MigrationPlan): void {
    steps.push(...outcome.steps)
    problems.push(...outcome.problems)
  }
  return { steps, problems }
}

function planStep(file: MigrationFile, clean: (text: string) => string): MigrationPlan {
  const { place, text } = file
  const read = fieldsOf(file, PLAN_FORM)
  if (read.kind === 'left') return { steps: [], problems: [read.problem] }
  const body = bodyOf(text)
  const adds: AddedField[] = []
  const problems: Problem[] = []
  const id = place.id ?? ''
  if (isMissing(read.fields, 'name')) adds.push(nameFrom(body, wordsOf(id), 'its file name', clean))
  if (isMissing(read.fields, 'description')) {
    const description = firstParagraph(body)
    if (description === undefined) problems.push(nothingToSay(place.path, PLAN_FORM))
    else adds.push({ field: 'description', value: clean(description), from: 'its first paragraph' })
  }
  if (isMissing(read.fields, 'status')) {
    const stated = statedStatus(body)
    adds.push({
      field: 'status',
      value: stated?.status ?? 'new',
      from: stated?.from ?? 'assumed: no other source',
    })
  }
  if (isMissing(read.fields, 'created')) {
    const created = createdOf(file)
    if (created !== undefined) adds.push({ field: 'created', ...created })
  }
  if (isMissing(read.fields, 'tags')) adds.push(tagsFrom(body))
  return withStep(file, adds, problems)
}

/** The creation date of a plan: from its name, from git, or from the disk. */
function createdOf({ place, committed, modified }: MigrationFile): Omit<AddedField, 'field'> | undefined {
  const named = dateOfName(place.id ?? '')
  if (named !== undefined) return { value: named, from: 'its file name' }
  if (committed !== undefined) return { value: committed, from: 'its first commit' }
  return modified === undefined ? undefined : { value: modified, from: 'when the file was last changed' }
}

function overviewSteps(
  file: MigrationFile,
  abstract: MigrationFile | undefined,
  clean: (text: string) => string,
): MigrationPlan {
  const { place, text } = file
  const read = fieldsOf(file, OVERVIEW_FORM)
  if (read.kind === 'left') return { steps: [], problems: [read.problem] }
  const body = bodyOf(text)
  const adds: AddedField[] = []
  const problems: Problem[] = []
  const own = read.fields.get('description')?.value
  const folded = abstract === undefined ? undefined : foldable(abstract, clean)
  if (folded?.kind === 'left') problems.push(folded.problem)
  const abstractText = folded?.kind === 'text' ? folded.text : undefined
  if (isMissing(read.fields, 'name'))
    adds.push(nameFrom(body, scopeParts(place.scope).at(-1) ?? '', 'its folder', clean))
  if (isMissing(read.fields, 'description')) {
    const description = abstractText || firstParagraph(body)
    if (description === undefined) problems.push(nothingToSay(place.path, OVERVIEW_FORM))
    else
      adds.push({
        field: 'description',
        value: clean(description),
        from: abstractText ? 'ABSTRACT.md' : 'its first paragraph',
      })
  }
  if (isMissing(read.fields, 'tags')) adds.push(tagsFrom(body))
  const edited = withStep(file, adds, problems)
  const isFolded =
    abstractText !== undefined &&
    (abstractText === '' ||
      edited.steps.some(step => step.adds.some(({ from }) => from === 'ABSTRACT.md')) ||
      (typeof own === 'string' && fingerprint(own) === fingerprint(abstractText)))
  if (abstract === undefined || abstractText === undefined) return edited
  if (isFolded)
    return {
      ...edited,
      steps: [...edited.steps, removal(abstract, `it is the description in ${place.path}`)],
    }
  return {
    ...edited,
    problems: [
      ...edited.problems,
      {
        code: 'abstract_differs',
        path: abstract.place.path,
        line: 1,
        message: `${abstract.place.path} says something else than the description in ${place.path}; both were left as they are.`,
        hint: 'Decide which one is valid, write it to the description, and remove ABSTRACT.md.',
      },
    ],
  }
}

/** Makes an overview of an abstract that has none. */
function begunOverview(abstract: MigrationFile, clean: (text: string) => string): MigrationPlan {
  const folded = foldable(abstract, clean)
  if (folded.kind === 'left') return { steps: [], problems: [folded.problem] }
  if (folded.text === '') return { steps: [removal(abstract, 'it is empty')], problems: [] }
  const { scope, path: from } = abstract.place
  const path = `${from.slice(0, from.lastIndexOf('/'))}/OVERVIEW.md`
  const name = nameFrom(bodyOf(abstract.text), scopeParts(scope).at(-1) ?? '', 'its folder', clean)
  const adds: AddedField[] = [
    name,
    { field: 'description', value: folded.text, from: 'ABSTRACT.md' },
    tagsFrom(folded.text),
  ]
  const after = `${renderFrontMatter(valuesOf(adds))}\n# ${name.value as string}\n\n${folded.text}\n`
  return {
    steps: [
      { path, does: 'create', adds, before: null, after },
      removal(abstract, `it is the description in ${path}`),
    ],
    problems: [],
  }
}

/** The abstract as one line, or why it stays a file. */
function foldable(
  { place, text }: MigrationFile,
  clean: (text: string) => string,
): { readonly kind: 'text'; readonly text: string } | { readonly kind: 'left'; readonly problem: Problem } {
  const left = (code: NoticeCode, why: string, hint: string) => ({
    kind: 'left' as const,
    problem: {
      code,
      path: place.path,
      line: 1,
      message: `${place.path} ${why}; it was left as it is.`,
      hint,
    },
  })
  const words = bodyOf(text)
    .replace(/^\s*#\s+[^\n]*\n/, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (words.length > MAX_ABSTRACT_LENGTH)
    return left(
      'abstract_too_long',
      `is longer than ${MAX_ABSTRACT_LENGTH} characters`,
      'First move everything that is not an abstract into OVERVIEW.md.',
    )
  if (clean(text) !== text)
    return left(
      'abstract_secret',
      'contains a secret',
      'Take the secret out first, and change it if it was shared.',
    )
  return { kind: 'text', text: words }
}

function removal({ place, text }: MigrationFile, why: string): MigrationStep {
  return { path: place.path, does: 'remove', adds: [], why, before: text, after: null }
}

function withStep(
  file: MigrationFile,
  adds: readonly AddedField[],
  problems: readonly Problem[],
): MigrationPlan {
  const { place, text } = file
  if (adds.length === 0) return { steps: [], problems }
  const edited = setFields(text, valuesOf(adds))
  if (edited.kind === 'refused')
    return {
      steps: [],
      problems: [
        ...problems,
        {
          code: 'front_matter_invalid',
          path: place.path,
          line: edited.line,
          message: `${place.path}:${edited.line}: the front matter cannot be edited: ${edited.why}; it was left as it is.`,
          hint: place.kind === 'plan' ? PLAN_FORM : OVERVIEW_FORM,
        },
      ],
    }
  return { steps: [{ path: place.path, does: 'edit', adds, before: text, after: edited.text }], problems }
}

function fieldsOf(
  { place, text }: MigrationFile,
  form: string,
):
  | { readonly kind: 'read'; readonly fields: FrontMatterFields }
  | { readonly kind: 'left'; readonly problem: Problem } {
  const read = readFields(text, { path: place.path, form, yaml: readYamlFields })
  if (read.kind === 'read') return read
  if (read.kind === 'none' && read.problem.code === 'front_matter_missing')
    return { kind: 'read', fields: new Map() }
  if (read.kind === 'not_plain') throw new Error('the whole parser was given')
  return {
    kind: 'left',
    problem: { ...read.problem, message: `${read.problem.message} It was left as it is.` },
  }
}

function isMissing(fields: FrontMatterFields, name: string): boolean {
  const value = fields.get(name)?.value
  return value === undefined || value === null || value === ''
}

function nameFrom(
  body: string,
  otherwise: string,
  from: string,
  clean: (text: string) => string,
): AddedField {
  const heading = headingOf(body)
  return {
    field: 'name',
    value: clean(heading ?? otherwise),
    from: heading === undefined ? from : 'its heading',
  }
}

function tagsFrom(body: string): AddedField {
  const tags = extractTags(body).slice(0, MAX_TAGS)
  return { field: 'tags', value: tags, from: tags.length === 0 ? 'none found' : 'the #words in it' }
}

/** `2026/260208-workflow-engine` → `workflow engine`. */
function wordsOf(id: string): string {
  const name = id.slice(id.lastIndexOf('/') + 1)
  return (
    name
      .replace(/^\d{6}-/, '')
      .replace(/[-_]+/g, ' ')
      .trim() || name
  )
}

function nothingToSay(path: string, form: string): Problem {
  return {
    code: 'field_missing',
    path,
    line: 1,
    message: `${path} has no description, and no paragraph to take one from.`,
    hint: `${form} Write one by hand.`,
  }
}

function valuesOf(adds: readonly AddedField[]): Record<string, FieldValue> {
  return Object.fromEntries(adds.map(({ field, value }) => [field, value]))
}

const MAX_DESCRIPTION_LENGTH = 300
/** The maximum length that is checked, so that a hostile line cannot slow a pattern down. */
const MAX_LINE_LENGTH = 2_000
/** Lines that do not belong to a paragraph: headings, lists, quotations, tables, rules, comments, `key: value` lines. */
const NOT_PROSE =
  /^(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|>|\||-{3,}\s*$|\*{3,}\s*$|={3,}\s*$|<|!\[|\*\*[^*]+:\*\*|\*\*[^*]+\*\*:|\w+:\s*$)/
const STATUS_LINE = /^\s*(?:[-*]\s+)?(?:\*\*)?status(?:\*\*)?\s*:(?:\*\*)?\s*(.+?)\s*$/i
/** `Status: done` and similar lines are fields; they do not describe the plan. */
const FACT_LINE = /^(?:status|created|updated|date|author|owner|tags|category)\s*:/i
const CHECKBOX = /^\s*[-*+]\s+\[([ xX])\]\s/

/** Only these words, alone on their line: `not done yet` does not match. */
const STATUS_WORDS: Readonly<Record<string, PlanStatus>> = {
  new: 'new',
  todo: 'new',
  planned: 'new',
  draft: 'new',
  proposed: 'new',
  'not started': 'new',
  'in progress': 'in_progress',
  wip: 'in_progress',
  active: 'in_progress',
  ongoing: 'in_progress',
  started: 'in_progress',
  partial: 'partial',
  'partially done': 'partial',
  done: 'done',
  complete: 'done',
  completed: 'done',
  finished: 'done',
  implemented: 'done',
  abandoned: 'abandoned',
  cancelled: 'abandoned',
  canceled: 'abandoned',
  dropped: 'abandoned',
  rejected: 'abandoned',
}

/** The first heading of level one. */
function headingOf(body: string): string | undefined {
  const heading = proseLines(body).find(line => /^#\s+\S/.test(line))
  return (
    heading
      ?.replace(/^#\s+/, '')
      .replace(/\s+#*$/, '')
      .trim() || undefined
  )
}

/** The first paragraph in one line, at most two sentences long if sentences can be told apart. */
function firstParagraph(body: string): string | undefined {
  const words: string[] = []
  for (const line of proseLines(body)) {
    const said = line.trim()
    const isProse = said !== '' && !NOT_PROSE.test(said) && !FACT_LINE.test(said)
    if (isProse) words.push(said)
    else if (words.length > 0) break
  }
  const text = words.join(' ').replace(/\s+/g, ' ')
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text === '' ? undefined : text
  const sentence = /^.{40,299}?[.!?](?=\s)/.exec(text)?.[0]
  return sentence ?? `${text.slice(0, MAX_DESCRIPTION_LENGTH - 1).replace(/\s+\S*$/, '')}…`
}

/** The status according to the text: a line that names it in one word, or the checkboxes. */
function statedStatus(body: string): { readonly status: PlanStatus; readonly from: string } | undefined {
  const lines = proseLines(body)
  for (const line of lines) {
    const said = STATUS_LINE.exec(line)?.[1]
    const words = said
      ?.toLowerCase()
      .replace(/[_-]+/g, ' ')
      .replace(/[^\p{L}\s]+/gu, '')
      .trim()
    if (words !== undefined && Object.hasOwn(STATUS_WORDS, words))
      return { status: STATUS_WORDS[words] as PlanStatus, from: `its line "${line.trim().slice(0, 60)}"` }
  }
  const boxes = lines.flatMap(line => CHECKBOX.exec(line)?.[1] ?? [])
  const ticked = boxes.filter(box => box !== ' ').length
  if (boxes.length === 0) return undefined
  const status = ticked === boxes.length ? 'done' : ticked > 0 ? 'partial' : 'new'
  return { status, from: `its checkboxes: ${ticked} of ${boxes.length}` }
}

/** The lines outside code blocks. */
function proseLines(body: string): string[] {
  const lines: string[] = []
  let fence: string | undefined
  for (const whole of body.split(/\r?\n/)) {
    const line = whole.slice(0, MAX_LINE_LENGTH)
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined && mark !== undefined) fence = mark
    else if (fence === undefined) lines.push(line)
    else if (mark?.startsWith(fence) && line.trim() === mark) {
      fence = undefined
      lines.push('')
    }
  }
  return lines
}
