import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { PLAN_STATUSES, type Scope } from '../../../kernel/model/workspace.ts'
import { text } from '../../../verbs/operation.ts'
import { readScope, type ScopeInput } from '../decide/scope.ts'

/** A scope in one word or in parts. */
export const scopeFields = {
  scope: v.optional(text('The scope in one word: devtools, devtools/common or devtools/common/metan')),
  workspace: v.optional(text('The workspace, for example devtools')),
  domain: v.optional(text('A domain of the workspace, for example common')),
  repository: v.optional(text('A repository of the domain, for example metan')),
}

const STATUS_CHOICE = v.picklist(PLAN_STATUSES, `one of ${PLAN_STATUSES.join(', ')}`)
export const planStatus = (description: string) => v.pipe(STATUS_CHOICE, v.description(description))
export const planStatuses = (description: string) =>
  v.pipe(v.array(STATUS_CHOICE), v.description(description))

/** Throws `scope_invalid` if no scope is named. */
export function askedScope(input: ScopeInput): Scope {
  const scope = readScope(input)
  if (scope !== undefined) return scope
  throw new CairnError({
    code: 'scope_invalid',
    message: 'No workspace was named.',
    hint: 'Name one: `devtools`, or --workspace devtools. `cairn workspaces` lists them.',
  })
}

export const metaSchema = v.pipe(
  v.object({
    document_path: v.pipe(v.string(), v.description('Where it lies, relative to the project')),
    document_id: v.string(),
  }),
  v.description('Where it comes from: returned, and never searched'),
)

export const removedSchema = v.pipe(
  v.array(v.object({ type: v.string(), field: v.string(), line: v.number(), column: v.number() })),
  v.readonly(),
  v.description('Secrets that were taken out before anything was written'),
)
