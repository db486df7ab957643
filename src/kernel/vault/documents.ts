import { configProblems } from '../model/config.ts'
import { CairnError } from '../model/errors.ts'
import type { Problem } from '../model/search.ts'
import { FORMAT_VERSION } from '../model/vault-layout.ts'
import type { DocumentName, JsonObject } from './ports.ts'

interface DocumentRule {
  readonly version: number
  /** From this version on, a document is read without migration: a newer version is about the memory, not the document. */
  readonly oldest?: number
  readonly empty: JsonObject
  /** migrations[n] turns version n into n + 1. */
  readonly migrations: Readonly<Record<number, (document: JsonObject) => JsonObject>>
  /** Sections in a separate file that git ignores (split-document.ts). */
  readonly local?: { readonly file: string; readonly sections: readonly string[] }
}

/**
 * The JSON files of `.memory/`. Version 0 is a manually written file without a version. `config.json` has the version of the vault as a
 * whole: a newer one makes this Cairn read-only.
 */
export const DOCUMENTS: Record<DocumentName, DocumentRule> = {
  'config.json': {
    version: FORMAT_VERSION,
    oldest: 1,
    empty: { version: FORMAT_VERSION },
    migrations: { 0: document => ({ version: 1, ...document }) },
  },
  'curation.json': {
    version: 1,
    empty: { version: 1, aliases: {} },
    migrations: { 0: document => ({ version: 1, aliases: {}, ...document }) },
    local: {
      file: 'local/curation.json',
      sections: ['confirmations', 'feedback', 'rejections', 'dismissals'],
    },
  },
  'history/proposals.json': {
    version: 1,
    empty: { version: 1, waiting: {}, rejected: {} },
    migrations: { 0: document => ({ version: 1, waiting: {}, rejected: {}, ...document }) },
  },
}

export type DocumentReading =
  | { readonly kind: 'read'; readonly document: JsonObject }
  | { readonly kind: 'newer'; readonly document: JsonObject; readonly version: number }
  | { readonly kind: 'damaged'; readonly reason: string }

export function parseMemoryDocument(name: DocumentName, text: string): DocumentReading {
  const rule = DOCUMENTS[name]
  let document: unknown
  try {
    document = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { kind: 'damaged', reason: error.message }
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return { kind: 'damaged', reason: 'not a JSON object' }
  }
  const stored = (document as JsonObject).version ?? 0
  if (typeof stored !== 'number' || !Number.isInteger(stored) || stored < 0) {
    return { kind: 'damaged', reason: '`version` is not a whole number' }
  }
  if (stored > rule.version) return { kind: 'newer', document: document as JsonObject, version: stored }
  let current = document as JsonObject
  for (let version = stored; version < (rule.oldest ?? rule.version); version++) {
    const migrate = rule.migrations[version]
    if (migrate === undefined)
      return { kind: 'damaged', reason: `no migration from version ${version} to ${version + 1}` }
    current = { ...migrate(current), version: version + 1 }
  }
  return { kind: 'read', document: current }
}

export function renderMemoryDocument(document: JsonObject): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`)
}

export function newerVault(name: string, version: number): CairnError {
  return new CairnError({
    code: 'vault_newer',
    message: `${name} has version ${version}: a newer Cairn has written this memory. It is read-only.`,
    hint: 'Update Cairn to write to it.',
  })
}

interface LoadedVersion {
  readonly kind: DocumentReading['kind']
  readonly document?: JsonObject
  readonly version?: number
  readonly file?: string
}

/** Unusable settings, and a `curation.json` of a newer version, which blocks decisions of people. */
export function memoryDocumentProblems(load: (name: DocumentName) => LoadedVersion): Problem[] {
  const problems = configProblems(load('config.json').document ?? {})
  const { kind, file = 'curation.json', version = 0 } = load('curation.json')
  if (kind !== 'newer') return problems
  const newer: Problem = {
    code: 'vault_newer',
    path: file,
    message: `It has version ${version}: a newer Cairn has written it. It is read-only.`,
    hint: 'Update Cairn to write aliases, feedback and decisions about entries.',
  }
  return [...problems, newer]
}

export function documentInConflict(name: string): CairnError {
  return new CairnError({
    code: 'merge_conflict',
    message: `.memory/${name} has an unresolved git conflict.`,
    hint: 'Keep one side of each conflict, remove the marker lines, and run the command again.',
  })
}

export function damagedDocument(name: string, reason: string): CairnError {
  return new CairnError({
    code: 'document_damaged',
    message: `.memory/${name} cannot be read (${reason}) and it has no valid backup.`,
    hint: `Repair the file manually, or move it away to start with an empty one.`,
  })
}
