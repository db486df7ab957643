import * as path from 'node:path'
import { CairnError } from '../../../kernel/model/errors.ts'
import { parseJson } from '../../../kernel/model/json-value.ts'
import type { NewEntry } from '../../../kernel/model/new-entry.ts'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { ForeignDatabase } from '../decide/ports.ts'
import { beginningOf, dateIn } from './note-files.ts'
import type { Source, SourceItem, SourceOptions } from './source.ts'
import { isFolder } from './source-files.ts'

/**
 * The newest schema that was tested: claude-mem 13.25.3. Columns that a newer version adds are ignored; a missing column is an
 * error.
 */
const KNOWN_SCHEMA = 52
const MAX_CONTENT_LENGTH = 1_500
const MIN_LESSON_LENGTH = 40
const MAX_FILES = 12
const MAX_NAMED = 8
const NEEDED = ['id', 'project', 'type', 'created_at_epoch']
const OPTIONAL = [
  'title',
  'subtitle',
  'narrative',
  'facts',
  'text',
  'concepts',
  'files_modified',
  'merged_into_project',
]

/** claude-mem's types. The code and git already show what was merely done. */
const KIND_BY_TYPE: Readonly<Record<string, string>> = {
  decision: 'decision',
  bugfix: 'error',
  discovery: 'discovery',
  security_alert: 'warning',
  security_note: 'warning',
}
const DONE_TYPES: ReadonlySet<string> = new Set(['feature', 'refactor', 'change'])
/** What makes a change worth importing anyway. */
const TELLING: ReadonlySet<string> = new Set([
  'gotcha',
  'pattern',
  'trade-off',
  'why-it-exists',
  'problem-solution',
])
/** claude-mem marks these as sensitive. */
const SENSITIVE = 'sensitive'

/**
 * The store of claude-mem (`~/.claude-mem/claude-mem.db`): observations and session summaries of one project. A model wrote them,
 * so they become candidates. One file contains every project of the user; only the project in question is read.
 */
export const claudeMemSource: Source = async function* (options) {
  const file = isFolder(options.path) ? path.join(options.path, 'claude-mem.db') : options.path
  if (options.databases === undefined) throw new Error('a database without who opens it')
  const database = await options.databases.open(file)
  try {
    yield* storeIn(database, path.basename(file), options)
  } finally {
    database.close()
  }
}

function* storeIn(database: ForeignDatabase, file: string, options: SourceOptions): Iterable<SourceItem> {
  const columns = database.columns('observations')
  if (!NEEDED.every(name => columns.has(name)))
    throw new CairnError({
      code: 'source_unreadable',
      message: `${options.path} is not a claude-mem database that Cairn can read: its observations have other columns.`,
      hint: 'Update Cairn, or export the memories with claude-mem and import the lines.',
    })
  const remark = (code: NoticeCode, message: string): SourceItem => ({
    what: 'remark',
    trouble: { file, code, message },
  })
  const version = schemaVersion(database)
  if (version !== undefined && version > KNOWN_SCHEMA)
    yield remark(
      'schema_newer',
      `it was written by a newer claude-mem (schema ${version}); only the known columns are read`,
    )
  const project = options.project ?? path.basename(path.dirname(options.memory))
  let [taken, left, sensitive] = [0, 0, 0]
  try {
    for (const row of observationsOf(database, columns, project)) {
      options.onProgress?.(++taken, undefined, 'observations')
      const input = entryOf(row, options)
      if (row.type === SENSITIVE) sensitive++
      else if (input === undefined) left++
      else yield item(file, `observation-${row.id}`, input)
    }
    for (const row of summariesOf(database, project)) {
      taken++
      const input = lessonOf(row, options)
      if (input !== undefined) yield item(file, `summary-${row.id}`, input)
    }
  } catch (error) {
    // Everything read up to this point is intact.
    if (!(error instanceof CairnError) || taken === 0) throw error
    yield {
      what: 'refused',
      trouble: { file, code: error.code, message: `the rest of it: ${error.message}` },
    }
  }
  if (taken === 0)
    yield remark(
      'project_absent',
      `it does not contain the project ${project}; it contains ${projectsIn(database)}`,
    )
  if (left > 0)
    yield remark('changes_left', `${left} observations only say what was changed, and are left out`)
  if (sensitive > 0)
    yield remark('sensitive_left', `${sensitive} observations are marked as sensitive, and are left out`)
}

function item(file: string, id: string, input: NewEntry): SourceItem {
  return {
    what: 'entry',
    at: { file: `${file} ${id}` },
    input: { ...input, provenance: { tool: 'claude-mem', file, id } },
  }
}

type Row = Readonly<Record<string, unknown>>

/** claude-mem calls worktrees `project/worktree`. */
function observationsOf(
  database: ForeignDatabase,
  columns: ReadonlySet<string>,
  project: string,
): Iterable<Row> {
  const names = [...NEEDED, ...OPTIONAL.filter(name => columns.has(name))]
  const owner = columns.has('merged_into_project') ? 'COALESCE(merged_into_project, project)' : 'project'
  return database.rows(
    `SELECT ${names.join(', ')} FROM observations WHERE ${owner} = ? OR substr(${owner}, 1, ?) = ? ORDER BY id`,
    project,
    project.length + 1,
    `${project}/`,
  )
}

function summariesOf(database: ForeignDatabase, project: string): Iterable<Row> {
  const columns = database.columns('session_summaries')
  if (!['id', 'project', 'learned', 'created_at_epoch'].every(name => columns.has(name))) return []
  return database.rows(
    'SELECT id, learned, created_at_epoch FROM session_summaries WHERE project = ? AND learned IS NOT NULL ORDER BY id',
    project,
  )
}

function schemaVersion(database: ForeignDatabase): number | undefined {
  if (!database.columns('schema_versions').has('version')) return undefined
  for (const { version } of database.rows('SELECT MAX(version) AS version FROM schema_versions'))
    return typeof version === 'number' ? version : undefined
  return undefined
}

function projectsIn(database: ForeignDatabase): string {
  const names = [
    ...database.rows(
      'SELECT project, COUNT(*) AS n FROM observations GROUP BY project ORDER BY n DESC LIMIT ?',
      MAX_NAMED,
    ),
  ].map(({ project, n }) => `${String(project).slice(0, 60)} (${n})`)
  return names.length === 0 ? 'none' : `${names.join(', ')}: name one with --project`
}

/** undefined: it only says that something was done. */
function entryOf(row: Row, options: SourceOptions): NewEntry | undefined {
  const type = String(row.type)
  const concepts = textsIn(row.concepts)
  if (type === SENSITIVE || (DONE_TYPES.has(type) && !concepts.some(concept => TELLING.has(concept))))
    return undefined
  const title = textIn(row.title)
  const narrative = textIn(row.narrative) ?? textIn(row.text) ?? textIn(row.subtitle)
  const facts = textsIn(row.facts).map(fact => `- ${fact}`)
  const body = narrative ?? facts.join('\n')
  const content = [title ?? '', body === title ? '' : body].filter(part => part !== '').join('\n\n')
  if (content === '') return undefined
  const isGotcha = concepts.includes('gotcha')
  return {
    ...candidate(row, options),
    kind: isGotcha ? 'warning' : (KIND_BY_TYPE[type] ?? 'discovery'),
    content: beginningOf(content, MAX_CONTENT_LENGTH),
    tags: concepts,
    files: textsIn(row.files_modified)
      .slice(0, MAX_FILES)
      .map(file => withinProject(file, options)),
  }
}

function lessonOf(row: Row, options: SourceOptions): NewEntry | undefined {
  const learned = textIn(row.learned)
  if (learned === undefined || learned.length < MIN_LESSON_LENGTH) return undefined
  return {
    ...candidate(row, options),
    kind: 'lesson',
    content: beginningOf(learned, MAX_CONTENT_LENGTH),
    tags: ['session'],
  }
}

function candidate(row: Row, options: SourceOptions): Pick<NewEntry, 'agent' | 'status' | 'origin' | 'date'> {
  return {
    agent: options.agent,
    status: 'candidate',
    origin: 'machine',
    date: dateIn(row.created_at_epoch, options.nowMs),
  }
}

function withinProject(file: string, { memory }: SourceOptions): string {
  const relative = path.isAbsolute(file) ? path.relative(path.dirname(memory), file) : file
  return relative.startsWith('..') ? file : relative
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Lists are stored as JSON. */
function textsIn(value: unknown): string[] {
  const list = typeof value === 'string' ? parseJson(value) : undefined
  return Array.isArray(list) ? list.flatMap(each => textIn(each) ?? []) : []
}
