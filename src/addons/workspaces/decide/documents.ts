import {
  type Learning,
  type Overview,
  type Plan,
  type ResourceKind,
  scopeName,
  type WorkspaceDocument,
} from '../../../kernel/model/workspace.ts'
import { bodyOf } from './front-matter.ts'
import { contentOf } from './learnings-file.ts'
import type { DocumentPlace } from './place.ts'
import { dateOfName, type FieldReader } from './read-fields.ts'

/** The searchable form of a plan: its front matter and body. */
export function planDocument(plan: Plan, body: string): WorkspaceDocument {
  const { scope, name, description, status, tags, path } = plan
  const date = plan.updated ?? plan.created
  return {
    id: `plan:${scopeName(scope)}/${plan.id}`,
    kind: 'plan',
    scope,
    title: name,
    text: joined(description, body),
    tags,
    ...(status !== undefined && { status }),
    ...(date !== undefined && { date }),
    path,
  }
}

export function overviewDocument(overview: Overview, body: string): WorkspaceDocument {
  const { scope, name, description, tags, updated, path } = overview
  return {
    id: `overview:${scopeName(scope)}`,
    kind: 'overview',
    scope,
    title: name ?? scopeName(scope),
    text: joined(description, body),
    tags,
    ...(updated !== undefined && { date: updated }),
    path,
  }
}

/** A file in any form: its front matter, if any, and all of its text. */
export function resourceDocument(
  { scope, path, id = '' }: DocumentPlace,
  kind: ResourceKind,
  { text, fields }: { readonly text: string; readonly fields: FieldReader | undefined },
): WorkspaceDocument {
  const whole = bodyOf(text)
  // Removes the heading if it repeats the title, which is shown first anyway.
  const [heading = '', headed] = /^\s*#[ \t]+(.+)/.exec(whole) ?? []
  const named = fields?.text('name') ?? fields?.text('title')
  const title = named ?? headed?.trim() ?? id
  const body = named === undefined ? whole.slice(heading.length) : whole
  const date = fields?.date('updated') ?? fields?.date('created') ?? fields?.date('date') ?? dateOfName(id)
  return {
    id: `${kind}:${scopeName(scope)}/${id}`,
    kind,
    scope,
    title,
    text: joined(fields?.text('description'), body),
    tags: fields?.tags() ?? [],
    ...(date !== undefined && { date }),
    path,
  }
}

/** Gives each learning an id from its date and title, with a number if that is not unique. */
export function learningDocuments(learnings: readonly Learning[]): WorkspaceDocument[] {
  const seen = new Map<string, number>()
  return learnings.map(learning => {
    const { scope, kind, title, date, category, tags, path, line } = learning
    const stem = `${kind}:${scopeName(scope)}/${date ?? 'undated'}-${slugOf(title)}`
    const times = (seen.get(stem) ?? 0) + 1
    seen.set(stem, times)
    return {
      id: times === 1 ? stem : `${stem}-${times}`,
      kind,
      scope,
      title,
      text: contentOf(learning),
      tags,
      ...(category !== undefined && { category }),
      ...(date !== undefined && { date }),
      path,
      line,
    }
  })
}

const MAX_SLUG_LENGTH = 60

/** `Workflow Engine: part 2` → `workflow-engine-part-2`. */
export function slugOf(text: string): string {
  const slug = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'untitled' : slug
}

function joined(description: string | undefined, body: string): string {
  const text = body.replaceAll('\r\n', '\n').trim()
  return description === undefined ? text : text === '' ? description : `${description}\n\n${text}`
}
