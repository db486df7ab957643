import type { LearningKind, ResourceKind, Scope } from '../../../kernel/model/workspace.ts'
import { isScopeName, scopeOf } from './scope.ts'

/** Relative to the project, with `/`. */
export interface WorkspaceRoots {
  readonly resources: string
  readonly learnings: string
}

export type PlaceKind = 'plan' | 'overview' | 'abstract' | LearningKind | ResourceKind

/** What a workspace file is, judged by its path. */
export interface DocumentPlace {
  readonly kind: PlaceKind
  readonly scope: Scope
  /** Relative to the project, with `/`. */
  readonly path: string
  /** For a file in a document folder: its name, with the subfolders before it. */
  readonly id?: string
}

const PLANS_FOLDER = '_plans'
/** The folders of a scope in which every Markdown file is a document. */
const DOCUMENT_FOLDERS: Readonly<Record<string, 'plan' | ResourceKind>> = {
  [PLANS_FOLDER]: 'plan',
  _features: 'feature',
  _spikes: 'spike',
  _architecture: 'architecture',
}
/** The maximum depth of subfolders. */
const MAX_PLAN_DEPTH = 3
/** `decisions.md`, and files that a review split off it: `decisions-2025.md`, `decisions-2025-03.md`. */
const LEARNING_FILE = /^(decision|lesson)s(?:-\d{4}(?:-\d{2})?)?\.md$/i

/** undefined: not a workspace file. `README.md`, `_project.md` and other folders belong to people. */
export function placeOf(path: string, roots: WorkspaceRoots): DocumentPlace | undefined {
  return resourceAt(path, below(path, roots.resources)) ?? learningAt(path, below(path, roots.learnings))
}

function below(path: string, root: string): readonly string[] | undefined {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1).split('/') : undefined
}

function resourceAt(path: string, parts: readonly string[] | undefined): DocumentPlace | undefined {
  if (parts === undefined) return undefined
  const folder = parts.findIndex(part => kindOfFolder(part) !== undefined)
  const kind = kindOfFolder(parts[folder] ?? '')
  if (folder > 0 && kind !== undefined) {
    const scope = scopeAt(parts.slice(0, folder))
    const names = parts.slice(folder + 1)
    if (scope === undefined || names.length > MAX_PLAN_DEPTH + 1) return undefined
    const name = names.at(-1) ?? ''
    if (!isPlanName(name) || names.slice(0, -1).some(folder => !isPlanFolder(folder))) return undefined
    const id = [...names.slice(0, -1), name.replace(/\.md$/i, '')].join('/')
    return { kind, scope, path, id }
  }
  const scope = scopeAt(parts.slice(0, -1))
  const name = (parts.at(-1) ?? '').toLowerCase()
  if (scope === undefined) return undefined
  if (name === 'overview.md') return { kind: 'overview', scope, path }
  return name === 'abstract.md' ? { kind: 'abstract', scope, path } : undefined
}

/** The kind of the files in this folder of a scope. */
export function kindOfFolder(name: string): 'plan' | ResourceKind | undefined {
  return Object.hasOwn(DOCUMENT_FOLDERS, name) ? DOCUMENT_FOLDERS[name] : undefined
}

function learningAt(path: string, parts: readonly string[] | undefined): DocumentPlace | undefined {
  const scope = parts && scopeAt(parts.slice(0, -1))
  const kind = LEARNING_FILE.exec(parts?.at(-1) ?? '')?.[1]?.toLowerCase() as LearningKind | undefined
  return scope === undefined || kind === undefined ? undefined : { kind, scope, path }
}

function scopeAt(parts: readonly string[]): Scope | undefined {
  if (parts.length < 1 || parts.length > 3 || !parts.every(isScopeName)) return undefined
  return scopeOf(parts.map(part => part.normalize('NFC')))
}

/** Whether a file in a document folder is a document. Names that begin with `_`, and files that describe the folder, are not. */
export function isPlanName(name: string): boolean {
  return /\.md$/i.test(name) && !/^[_.]|^readme\.md$|^\.md$/i.test(name)
}

export function isPlanFolder(name: string): boolean {
  return !/^[_.]/.test(name)
}

/** The path of the overview of a scope. */
export function overviewPath(scope: Scope, roots: WorkspaceRoots): string {
  return [roots.resources, ...partsOf(scope), 'OVERVIEW.md'].join('/')
}

export function planPath(scope: Scope, id: string, roots: WorkspaceRoots): string {
  return [roots.resources, ...partsOf(scope), PLANS_FOLDER, `${id}.md`].join('/')
}

export function learningPath(scope: Scope, kind: LearningKind, roots: WorkspaceRoots): string {
  return [roots.learnings, ...partsOf(scope), kind === 'decision' ? 'decisions.md' : 'lessons.md'].join('/')
}

function partsOf({ workspace, domain, repository }: Scope): string[] {
  return [workspace, domain, repository].filter(part => part !== undefined)
}
