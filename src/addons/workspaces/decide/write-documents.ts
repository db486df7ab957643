import { type PlanStatus, type Scope, scopeName } from '../../../kernel/model/workspace.ts'
import { slugOf } from './documents.ts'
import { splitFrontMatter } from './front-matter.ts'
import { type EditedText, type FieldValue, renderFrontMatter, setFields } from './front-matter-edit.ts'

interface NewPlan {
  readonly name: string
  readonly description: string
  readonly status: PlanStatus
  /** `YYYY-MM-DD` */
  readonly created: string
  readonly tags: readonly string[]
  /** Markdown below the front matter. */
  readonly content: string
}

/** `Workflow Engine` created on 2026-02-08 → `260208-workflow-engine`. */
export function planIdOf({ name, created }: Pick<NewPlan, 'name' | 'created'>): string {
  return `${created.slice(2).replaceAll('-', '')}-${slugOf(name)}`
}

/** A plan as the seed writes it. */
export function renderPlan({ name, description, status, created, tags, content }: NewPlan): string {
  const frontMatter = renderFrontMatter({
    name,
    description,
    status,
    created,
    tags,
  })
  const body = content.trim()
  return `${frontMatter}\n${body.startsWith('# ') ? '' : `# ${name}\n\n`}${body === '' ? description : body}\n`
}

export interface PlanPatch {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly status?: PlanStatus | undefined
  readonly tags?: readonly string[] | undefined
}

/** Sets the fields that the patch names; `updated` is the date of the last status change. */
export function editPlan(
  text: string,
  before: PlanPatch,
  patch: PlanPatch,
  today: string,
): { readonly edited: EditedText; readonly changed: readonly string[] } {
  const fields: Record<string, FieldValue> = {}
  for (const name of ['name', 'description', 'status', 'tags'] as const) {
    const value = patch[name]
    if (value !== undefined && JSON.stringify(value) !== JSON.stringify(before[name])) fields[name] = value
  }
  const changed = Object.keys(fields)
  if (changed.length > 0) fields.updated = today
  return { edited: setFields(text, fields), changed }
}

export interface OverviewPatch {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** The whole text below the front matter. */
  readonly content?: string | undefined
}

/** Sets the fields that the patch names in the overview of a scope; creates it if there is none. */
export function editOverview(
  before: string | undefined,
  scope: Scope,
  { content, ...patch }: OverviewPatch,
  today: string,
): EditedText {
  const fields: Record<string, FieldValue> = {}
  for (const [name, value] of Object.entries(patch)) if (value !== undefined) fields[name] = value
  if (before === undefined) {
    const name = patch.name ?? scopeName(scope)
    const body = content?.trim() ?? `# ${name}\n\n${patch.description ?? ''}`.trim()
    return {
      kind: 'edited',
      text: `${renderFrontMatter({ name, ...fields, tags: patch.tags ?? [], updated: today })}\n${body}\n`,
    }
  }
  const edited = setFields(withBody(before, content), fields)
  if (edited.kind === 'refused' || edited.text === before) return edited
  return setFields(edited.text, { updated: today })
}

function withBody(text: string, content: string | undefined): string {
  if (content === undefined) return text
  const split = splitFrontMatter(text)
  const end = split.kind === 'found' ? split.bodyStart : 0
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const body = `${content.trim()}\n`.replaceAll('\r\n', '\n').replaceAll('\n', lineEnd)
  return `${text.slice(0, end)}${end > 0 ? lineEnd : ''}${body}`
}
