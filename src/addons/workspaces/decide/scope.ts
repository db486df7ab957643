import { CairnError } from '../../../kernel/model/errors.ts'
import type { Scope } from '../../../kernel/model/workspace.ts'

const MAX_NAME_LENGTH = 100
const NOT_IN_A_NAME = /[\u0000-\u001f\u007f-\u009f/\\:*?"<>|]/

/**
 * The name of a workspace, domain or repository: a folder name that every operating system accepts. `_plans` and similar names are
 * folders of a scope, not scopes; hidden folders are ignored.
 */
export function isScopeName(name: string): boolean {
  return (
    name !== '' &&
    name.length <= MAX_NAME_LENGTH &&
    name !== '.' &&
    name !== '..' &&
    !/^[_.\s]|[\s.]$/.test(name) &&
    !NOT_IN_A_NAME.test(name)
  )
}

export interface ScopeInput {
  /** `devtools/common/metan`; or its parts. */
  readonly scope?: string | undefined
  readonly workspace?: string | undefined
  readonly domain?: string | undefined
  readonly repository?: string | undefined
}

/** The scope that the caller names, or undefined if none. Throws `scope_invalid`. */
export function readScope({ scope, ...parts }: ScopeInput): Scope | undefined {
  if (scope !== undefined && Object.values(parts).some(part => part !== undefined))
    throw invalid('A scope is named once: in one word, or in parts.')
  const [workspace, domain, repository, ...more] =
    scope === undefined ? [parts.workspace, parts.domain, parts.repository] : scope.split('/')
  if (more.length > 0) throw invalid(`"${shown(scope ?? '')}" has more than three parts.`)
  if (workspace === undefined) {
    if (domain === undefined && repository === undefined) return undefined
    throw invalid('A domain or a repository is named with its workspace.')
  }
  if (repository !== undefined && domain === undefined)
    throw invalid('A repository is named with its domain.')
  for (const [part, name] of Object.entries({ workspace, domain, repository })) {
    if (name !== undefined && !isScopeName(name))
      throw invalid(`"${shown(name)}" cannot be the name of a ${part}.`)
  }
  return {
    workspace: workspace.normalize('NFC'),
    ...(domain !== undefined && { domain: domain.normalize('NFC') }),
    ...(repository !== undefined && { repository: repository.normalize('NFC') }),
  }
}

function shown(name: string): string {
  return name.slice(0, 60)
}

function invalid(message: string): CairnError {
  return new CairnError({
    code: 'scope_invalid',
    message,
    hint: 'A scope is `workspace`, `workspace/domain` or `workspace/domain/repository`: names of folders, without `..`, and not beginning with `_` or a dot.',
  })
}

/** The workspace, the domain and the repository: decisions for a scope are in one of these. */
export function scopeParts(scope: Scope): string[] {
  return [scope.workspace, scope.domain, scope.repository].filter(part => part !== undefined)
}

/** `inner` is `outer` or below it. */
export function isWithin(inner: Scope, outer: Scope): boolean {
  const parts = scopeParts(inner)
  return scopeParts(outer).every((part, at) => part === parts[at])
}

export function scopeOf([workspace = '', domain, repository]: readonly string[]): Scope {
  return {
    workspace,
    ...(domain !== undefined && { domain }),
    ...(repository !== undefined && { repository }),
  }
}
