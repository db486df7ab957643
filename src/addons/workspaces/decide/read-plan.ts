import type { Problem } from '../../../kernel/model/search.ts'
import { type Overview, PLAN_STATUSES, type Plan, scopeName } from '../../../kernel/model/workspace.ts'
import type { DocumentPlace } from './place.ts'
import {
  dateOfName,
  FieldReader,
  OVERVIEW_FORM,
  PLAN_FORM,
  readFields,
  type YamlReader,
} from './read-fields.ts'

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
