import { existsSync, readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'

/** `corpus.jsonl`, `queries.jsonl`, `qrels.tsv`, and `duplicates.tsv` where two documents state the same fact. */
export interface BeirFolder {
  /** The first part of the name: folders of one set are averaged together. */
  readonly set: string
  readonly name: string
  readonly documents: readonly BeirDocument[]
  readonly queries: readonly BeirQuery[]
}

export interface BeirDocument {
  readonly id: string
  readonly text: string
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface BeirQuery {
  readonly id: string
  readonly text: string
  readonly category: string
  /** Each wanted fact as the documents that state it. None: a negative, nothing in the corpus answers it. */
  readonly facts: readonly (readonly string[])[]
  /** When it is asked, for "yesterday"; undefined: today. */
  readonly nowMs: number | undefined
  /** Open in the editor. */
  readonly activeFiles: readonly string[]
}

export interface FolderPlace {
  readonly set: string
  readonly name: string
  readonly path: string
}

/**
 *   --data bench            cosqa, locomo/conversation-1     sets cosqa and locomo
 *   --data bench/locomo     conversation-1                   a set each; `overall` is what locomo reaches
 *   --data bench/cosqa      the folder itself                set cosqa
 */
export function findBeirFolders(root: string): FolderPlace[] {
  const place = (set: string, ...below: string[]) => ({
    set,
    name: [set, ...below].join('/'),
    path: path.join(root, set, ...below),
  })
  if (isBeirFolder(root)) {
    const name = path.basename(path.resolve(root))
    return [{ set: name, name, path: root }]
  }
  return foldersIn(root)
    .flatMap(set => [place(set), ...foldersIn(path.join(root, set)).map(name => place(set, name))])
    .filter(candidate => isBeirFolder(candidate.path))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function readBeirFolder(place: FolderPlace): BeirFolder {
  const read = (file: string) => readFileSync(path.join(place.path, file), 'utf8')
  const duplicates = path.join(place.path, 'duplicates.tsv')
  const documents = jsonLines(read('corpus.jsonl')).map(({ _id, text, metadata }) => ({
    id: String(_id),
    text: String(text),
    metadata: recordOf(metadata),
  }))
  const relevant = relevantDocuments(tsvRows(read('qrels.tsv')))
  const twins = new Map<string, string[]>()
  if (existsSync(duplicates)) {
    for (const [a = '', b = ''] of tsvRows(readFileSync(duplicates, 'utf8'))) {
      twins.set(a, [...(twins.get(a) ?? []), b])
      twins.set(b, [...(twins.get(b) ?? []), a])
    }
  }
  const queries = jsonLines(read('queries.jsonl')).map(({ _id, text, metadata }) => ({
    id: String(_id),
    text: String(text),
    category: categoryOf(recordOf(metadata)),
    facts: groupFacts(relevant.get(String(_id)) ?? [], twins),
    nowMs: momentOf(recordOf(metadata).now),
    activeFiles: textsOf(recordOf(metadata).active_files),
  }))
  return { set: place.set, name: place.name, documents, queries }
}

/** Where a folder has rows of score 2, only those count; elsewhere every row of a positive score does. */
export function relevantDocuments(rows: readonly (readonly string[])[]): Map<string, string[]> {
  const least = rows.some(([, , score]) => Number(score) >= 2) ? 2 : 1
  const documentsByQuery = new Map<string, string[]>()
  for (const [query = '', document = '', score] of rows) {
    if (Number(score) < least) continue
    documentsByQuery.set(query, [...(documentsByQuery.get(query) ?? []), document])
  }
  return documentsByQuery
}

/** Documents that state the same fact are one fact, also when only one of them is listed as relevant. */
export function groupFacts(
  relevant: readonly string[],
  twins: ReadonlyMap<string, readonly string[]>,
): string[][] {
  const facts: string[][] = []
  for (const document of relevant) {
    if (facts.some(fact => fact.includes(document))) continue
    const fact = new Set([document])
    // A set that grows while it is walked: twins of twins are reached too.
    for (const member of fact) for (const twin of twins.get(member) ?? []) fact.add(twin)
    facts.push([...fact])
  }
  return facts
}

function categoryOf(metadata: Readonly<Record<string, unknown>>): string {
  return String(metadata.category ?? metadata.type ?? 'all')
}

/** `2026-06-20T10:00` is in UTC, as the dates of entries are. */
function momentOf(now: unknown): number | undefined {
  const ms =
    typeof now === 'string' ? Date.parse(now.includes('T') ? `${now.replace(/Z$/, '')}Z` : now) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function isBeirFolder(folder: string): boolean {
  return ['corpus.jsonl', 'queries.jsonl', 'qrels.tsv'].every(file => existsSync(path.join(folder, file)))
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(item => item.isDirectory())
    .map(item => item.name)
}

function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => recordOf(JSON.parse(line)))
}

/** The first line names the columns. */
function tsvRows(text: string): string[][] {
  const [heading = '', ...rows] = text.split(/\r?\n/).filter(line => line !== '')
  if (!heading.includes('-id'))
    throw new Error(`a heading line with column names was expected, not: ${heading}`)
  return rows.map(row => row.split('\t'))
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
