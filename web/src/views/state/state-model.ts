import type { Answered } from '../../api/client.ts'

export type Change = Answered<'recall'>['changes'][number]
export type Section = Change['section']
export type ScopeView = Answered<'workspaces'>['scopes'][number]

export const SECTIONS: readonly Section[] = [
  'project',
  'projectMap',
  'currentFocus',
  'gotchas',
  'nextSteps',
  'validationCommands',
]

/** Changes by section, in the order of the bundle. Sections without changes are left out. */
export function bySection(
  changes: readonly Change[],
): readonly { readonly section: Section; readonly changes: readonly Change[] }[] {
  return SECTIONS.map(section => ({
    section,
    changes: changes.filter(change => change.section === section),
  })).filter(group => group.changes.length > 0)
}

type Source =
  | { readonly kind: 'entry'; readonly id: string }
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'other'; readonly text: string }

/** The source of an item of the bundle: `entry:<id>`, `event:<id>`. */
export function readSource(text: string): Source {
  const [, kind = '', id = ''] = /^(entry|session):(.+)$/.exec(text) ?? []
  if (kind === 'entry' || kind === 'session') return { kind, id }
  return { kind: 'other', text }
}

export interface ScopeNode {
  readonly scope: string
  /** The last part of the name. */
  readonly name: string
  /** Undefined: this level has no files, only the levels below it. */
  readonly known: ScopeView | undefined
  readonly below: readonly ScopeNode[]
}

/** Nests `devtools/common/metan` below `devtools/common` below `devtools`, including levels without files. */
export function scopeTree(scopes: readonly ScopeView[]): readonly ScopeNode[] {
  const knownByScope = new Map(scopes.map(scope => [scope.scope, scope]))
  const all = new Set(
    scopes.flatMap(({ scope }) => {
      const parts = scope.split('/')
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
    }),
  )
  const below = (parent: string | undefined): ScopeNode[] =>
    [...all]
      .filter(scope =>
        parent === undefined
          ? !scope.includes('/')
          : scope.startsWith(`${parent}/`) && !scope.slice(parent.length + 1).includes('/'),
      )
      .sort()
      .map(scope => ({
        scope,
        name: scope.split('/').at(-1) ?? scope,
        known: knownByScope.get(scope),
        below: below(scope),
      }))
  return below(undefined)
}

/** The front matter is shown as fields, not as text. */
export function withoutFrontMatter(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n?/, '')
}

/** The id of a plan for `show`: its file name, with the scope if two plans have the same name. */
export function planId(scope: string, documentId: string): string {
  return documentId.startsWith(`${scope}/`) ? `plan:${documentId}` : `plan:${scope}/${documentId}`
}
