import type { Problem } from '../../model/search.ts'
import { type Overview, PLAN_STATUSES, type Plan, scopeName } from '../../model/workspace.ts'
import type { Place } from './place.ts'
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
  /** To be read again with the whole parser. */
  | { readonly kind: 'not_plain' }
  | { readonly kind: 'left_out'; readonly problem: Problem }

interface FileInput {
  readonly text: string
  readonly place: Place
  readonly yaml?: YamlReader | undefined
  readonly isWhole?: boolean
}

/** What the front matter of a plan says (seed B, section 4.5). The text below it is not looked at. */
export function readPlan({ text, place, yaml, isWhole }: FileInput): Read<Plan> {
  const { path, scope, id = '' } = place
  const reading = readFields(text, { path, form: PLAN_FORM, yaml, ...(isWhole !== undefined && { isWhole }) })
  if (reading.kind === 'not_plain') return reading
  if (reading.kind === 'none') return { kind: 'left_out', problem: leftOut(reading.problem) }
  const fields = new FieldReader(reading.fields, path)
  const name = fields.text('name', { required: true, form: 'the name of the plan' })
  const description = fields.text('description', { required: true })
  const status = fields.choice('status', PLAN_STATUSES)
  const created = fields.date('created', { required: true, suggest: () => dateOfName(id) })
  const updated = fields.date('updated')
  const value: Plan = {
    scope,
    id,
    name: name ?? id,
    ...(description !== undefined && { description }),
    ...(status !== undefined && { status }),
    ...(created !== undefined && { created }),
    ...(updated !== undefined && { updated }),
    tags: fields.tags(),
    path,
  }
  return { kind: 'read', value, problems: fields.problems }
}

/** `OVERVIEW.md`: without front matter its text is still told; only the abstract is missing. */
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
  const name = fields.text('name', {
    required: true,
    form: `the name of the scope, such as "${scopeName(scope)}"`,
  })
  const description = fields.text('description', { required: true })
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
