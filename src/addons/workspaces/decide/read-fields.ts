import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import { type Overview, PLAN_STATUSES, type Plan, scopeName } from '../../../kernel/model/workspace.ts'
import { type FrontMatterFields, readPlainFields, splitFrontMatter } from './front-matter.ts'
import type { DocumentPlace } from './place.ts'

/** Reads front matter that is not plain with the full parser, which is loaded when the first file needs it. */
export type YamlReader = typeof import('./yaml-front-matter.ts').readYamlFields

type FieldsReading =
  | { readonly kind: 'read'; readonly fields: FrontMatterFields }
  /** It needs the full parser, and the caller passed none. */
  | { readonly kind: 'not_plain' }
  | { readonly kind: 'none'; readonly problem: Problem }

export const PLAN_FORM =
  'Expected: `---`, then name, description, status (new, in_progress, partial, done or abandoned), created (YYYY-MM-DD), then `---`.'
export const OVERVIEW_FORM = 'Expected: `---`, then name and description, then `---`.'

/** The front matter of one file, or what is wrong with it. `form` describes the expected form. */
export function readFields(
  text: string,
  {
    path,
    form,
    yaml,
    isWhole = true,
  }: { path: string; form: string; yaml?: YamlReader | undefined; isWhole?: boolean },
): FieldsReading {
  const split = splitFrontMatter(text)
  if (split.kind === 'none')
    return none({
      code: 'front_matter_missing',
      path,
      line: 1,
      message: `${path} has no front matter.`,
      hint: `${form} \`cairn workspace migrate\` adds it.`,
    })
  if (split.kind === 'open')
    return none({
      code: 'front_matter_open',
      path,
      line: 1,
      message: isWhole
        ? `${path} has front matter without an end.`
        : `${path} begins a front matter that does not end within 64 KB.`,
      hint: form,
    })
  const plain = readPlainFields(split.yaml)
  if (plain !== undefined) return { kind: 'read', fields: plain }
  if (yaml === undefined) return { kind: 'not_plain' }
  const reading = yaml(split.yaml)
  if (reading.kind === 'read') return reading
  const { line, why } = reading
  return none({
    code: 'front_matter_invalid',
    path,
    line,
    message: `${path}:${line}: the front matter is not YAML: ${why}.`,
    hint: form,
  })
}

function none(problem: Problem): FieldsReading {
  return { kind: 'none', problem }
}

/** The fields of one file. Each is checked when it is read; problems are collected. */
export class FieldReader {
  readonly problems: Problem[] = []

  constructor(
    private readonly fields: FrontMatterFields,
    private readonly path: string,
  ) {}

  /** One line of text; required if `form` is given. */
  text(name: string, form?: string): string | undefined {
    const value = this.fields.get(name)?.value
    if (typeof value === 'string' && value !== '') {
      const text = value.trim()
      return text === '' ? undefined : text
    }
    if (value === undefined || value === null || value === '') {
      if (form !== undefined)
        this.report('field_missing', name, `has no \`${name}\``, `\`${name}:\` with ${form}`)
      return undefined
    }
    // YAML reads a name such as `2026` as a number, but its author meant a word.
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    this.report(
      'field_invalid',
      name,
      `\`${name}\` is ${kindOf(value)}`,
      `\`${name}:\` with ${form ?? 'one line'}`,
    )
    return undefined
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const field = this.fields.get(name)
    const form = `\`${name}:\` with one of ${choices.join(', ')}`
    if (field === undefined || field.value === null) {
      this.report('field_missing', name, `has no \`${name}\``, form)
      return undefined
    }
    const known = choices.find(choice => choice === field.value)
    if (known === undefined)
      this.report(
        'status_unknown',
        name,
        `\`${name}\` is ${shown(field.value)}, which is not a ${name}`,
        form,
      )
    return known
  }

  /** `suggest` provides a date for the hint if there is none. */
  date(name: string, isRequired = false, suggest?: () => string | undefined): string | undefined {
    const value = this.fields.get(name)?.value
    if (typeof value === 'string' && isDate(value)) return value
    if ((value === undefined || value === null) && !isRequired) return undefined
    const suggestion = suggest?.()
    const form = `\`${name}: YYYY-MM-DD\`${suggestion === undefined ? '' : `; by its file name ${suggestion}`}`
    if (value === undefined || value === null) this.report('date_missing', name, 'has no date', form)
    else this.report('date_invalid', name, `\`${name}\` is ${shown(value)}, which is not a date`, form)
    return undefined
  }

  /** A list of words; a number counts as a word. */
  tags(): string[] {
    const field = this.fields.get('tags')
    if (field === undefined || field.value === null) return []
    const { value } = field
    const form = '`tags: [one, two]`'
    const items = Array.isArray(value) ? (value as readonly unknown[]) : undefined
    if (items === undefined) {
      this.report('field_invalid', 'tags', `\`tags\` is ${kindOf(value)}`, form)
      return []
    }
    const words: string[] = []
    for (const item of items) {
      if (typeof item !== 'string' && typeof item !== 'number') {
        this.report('field_invalid', 'tags', '`tags` contains something that is not a word', form)
        continue
      }
      const word = String(item).trim()
      if (word !== '' && !words.includes(word)) words.push(word)
    }
    return words
  }

  private report(code: NoticeCode, name: string, what: string, form: string): void {
    const line = this.fields.get(name)?.line ?? 1
    const subject = what.startsWith('has') ? `${this.path} ${what}` : `${this.path}:${line}: ${what}`
    this.problems.push({
      code,
      path: this.path,
      line,
      message: `${subject}; the field was left out.`,
      hint: `Expected: ${form}.`,
    })
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a group of fields'
  if (typeof value === 'boolean') return 'yes or no'
  return typeof value === 'number' ? 'a number' : 'text'
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value.slice(0, 40)}"` : kindOf(value)
}

const DAY = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const SHORT_MONTHS: ReadonlySet<string> = new Set(['04', '06', '09', '11'])

/** `2026-02-30` is not a date. Uses no `Date` and usually one comparison, because thousands of plans are checked. */
export function isDate(text: string): boolean {
  if (!DAY.test(text)) return false
  const day = text.slice(8)
  if (day <= '28') return true
  const month = text.slice(5, 7)
  if (month !== '02') return day <= '30' || !SHORT_MONTHS.has(month)
  const year = Number(text.slice(0, 4))
  return day === '29' && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** `260208-workflow-engine` → `2026-02-08`. */
export function dateOfName(id: string): string | undefined {
  const match = /^(\d{2})(\d{2})(\d{2})-/.exec(id.slice(id.lastIndexOf('/') + 1))
  if (match === null) return undefined
  const date = `20${match[1]}-${match[2]}-${match[3]}`
  return isDate(date) ? date : undefined
}

export function tooLarge(path: string): Problem {
  return {
    code: 'file_too_large',
    path,
    message: `${path} is larger than 1 MiB; what comes after that was left out.`,
    hint: 'Expected: a page or two. Split it, or move everything that is not a plan, overview or learning elsewhere.',
  }
}

export type Read<T> =
  | { readonly kind: 'read'; readonly value: T; readonly problems: readonly Problem[] }
  /** Read again with the full parser. */
  | { readonly kind: 'not_plain' }
  | { readonly kind: 'left_out'; readonly problem: Problem }

/** Built field by field: one answer makes thousands of them. */
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

interface FileInput {
  readonly text: string
  readonly place: DocumentPlace
  readonly yaml?: YamlReader | undefined
  readonly isWhole?: boolean
}

/** The front matter of a plan (seed B, section 4.5). The body is not read. */
export function readPlan({ text, place, yaml, isWhole = true }: FileInput): Read<Plan> {
  const { path, scope, id = '' } = place
  const reading = readFields(text, { path, form: PLAN_FORM, yaml, isWhole })
  if (reading.kind === 'not_plain') return reading
  if (reading.kind === 'none') return { kind: 'left_out', problem: leftOut(reading.problem) }
  const fields = new FieldReader(reading.fields, path)
  const name = fields.text('name', 'the name of the plan')
  const description = fields.text('description', 'one or two sentences')
  const status = fields.choice('status', PLAN_STATUSES)
  const created = fields.date('created', true, () => dateOfName(id))
  const updated = fields.date('updated')
  const value: Mutable<Plan> = { scope, id, name: name ?? id, tags: fields.tags(), path }
  if (description !== undefined) value.description = description
  if (status !== undefined) value.status = status
  if (created !== undefined) value.created = created
  if (updated !== undefined) value.updated = updated
  return { kind: 'read', value, problems: fields.problems }
}

/** `OVERVIEW.md`. Without front matter its text is still returned; only the abstract is missing. */
export function readOverview({ text, place, yaml }: FileInput): Read<Overview> {
  const { path, scope } = place
  const reading = readFields(text, { path, form: OVERVIEW_FORM, yaml })
  if (reading.kind === 'not_plain') return reading
  const content = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  if (reading.kind === 'none')
    return {
      kind: 'read',
      value: { scope, tags: [], content, path },
      problems: [withoutAbstract(reading.problem)],
    }
  const fields = new FieldReader(reading.fields, path)
  const name = fields.text('name', `the name of the scope, such as "${scopeName(scope)}"`)
  const description = fields.text('description', 'one or two sentences')
  const updated = fields.date('updated')
  const value: Overview = {
    scope,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    tags: fields.tags(),
    ...(updated !== undefined && { updated }),
    content,
    path,
  }
  return { kind: 'read', value, problems: fields.problems }
}

function leftOut(problem: Problem): Problem {
  return { ...problem, message: `${problem.message} The plan was left out.` }
}

function withoutAbstract(problem: Problem): Problem {
  return { ...problem, message: `${problem.message} Its abstract was left out.` }
}
