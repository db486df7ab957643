import * as path from 'node:path'
import { KIND_HOME } from '../../../kernel/model/category.ts'
import { isObject, parseJson } from '../../../kernel/model/json-value.ts'
import { plainMarkdown } from './adr-source.ts'
import {
  dateAt,
  dateIn,
  findNotes,
  isTrouble,
  type Note,
  namedFile,
  readNote,
  TOO_MANY,
} from './note-files.ts'
import { type NoteProperties, readProperties, sectionsOf, textOf, wordsOf } from './note-properties.ts'
import type { Source, SourceItem, SourceOptions } from './source.ts'
import { isFolder } from './source-files.ts'

/** A shorter note becomes one entry. A longer one is split at its headings, and long sections at their paragraphs. */
const MAX_ENTRY_LENGTH = 1_800
const MIN_NOTE_LENGTH = 40
const DAY = /^(\d{4}-\d\d-\d\d)/
/** Property names that some vaults use for the kind of a note. */
const KINDS: ReadonlySet<string> = new Set(
  Object.keys(KIND_HOME).filter(kind => !['task', 'task_progress', 'handoff', 'file_change'].includes(kind)),
)

/**
 * A vault of Obsidian, or a folder in one: notes with properties, tags and links. Files that the vault excludes from search,
 * templates, the bin and attachments are skipped. A person wrote the notes, but not as rules, so they become candidates of a
 * person.
 */
export const obsidianSource: Source = async function* (options) {
  if (!isFolder(options.path)) {
    const { folder, file } = namedFile(options.path)
    const note = readNote(folder, file)
    return yield* isTrouble(note) ? refused(note) : entriesOf(note, options)
  }
  const { isLeftOut, patterns } = vaultSettings(options.path)
  if (patterns > 0)
    yield {
      what: 'remark',
      trouble: {
        file: '.obsidian/app.json',
        code: 'pattern_left',
        message: `${patterns} patterns of excluded files are not followed`,
      },
    }
  const { files, left } = findNotes(options.path, {
    isWanted: file => /\.md$/i.test(file) && !/\.excalidraw\.md$/i.test(file) && !isLeftOut(file),
    isLeftOut: folder => isLeftOut(`${folder}/`),
  })
  if (left) yield { what: 'remark', trouble: { file: '.', ...TOO_MANY } }
  let empty = 0
  for (const [n, file] of files.entries()) {
    options.onProgress?.(n + 1, files.length, 'notes')
    if (options.isKnown?.(file) === true) continue
    const note = readNote(options.path, file)
    const items = isTrouble(note) ? refused(note) : entriesOf(note, options)
    if (items.length === 0) empty++
    yield* items
    await options.onTaken?.(file, false)
  }
  if (empty > 0)
    yield {
      what: 'remark',
      trouble: {
        file: '.',
        code: 'notes_empty',
        message: `${empty} notes have no text and were skipped`,
      },
    }
}

function refused(trouble: Extract<SourceItem, { what: 'refused' }>['trouble']): SourceItem[] {
  return [{ what: trouble.code === 'link_left' ? 'remark' : 'refused', trouble }]
}

/** The folders that the vault excludes. Its patterns are not run, because a stranger may have written them. */
function vaultSettings(vault: string): { isLeftOut: (file: string) => boolean; patterns: number } {
  const setting = (file: string): Record<string, unknown> => {
    const note = readNote(vault, `.obsidian/${file}`)
    const json = isTrouble(note) ? undefined : parseJson(note.text)
    return isObject(json) ? json : {}
  }
  const { userIgnoreFilters } = setting('app.json')
  const filters = Array.isArray(userIgnoreFilters)
    ? userIgnoreFilters.filter(each => typeof each === 'string')
    : []
  const templates = setting('templates.json').folder
  const isPattern = (filter: string) => filter.length > 1 && filter.startsWith('/') && filter.endsWith('/')
  const prefixes = [
    ...filters.filter(filter => !isPattern(filter)),
    ...(typeof templates === 'string' && templates !== '' ? [`${templates.replace(/\/+$/, '')}/`] : []),
  ].filter(prefix => prefix !== '')
  return {
    isLeftOut: file => prefixes.some(prefix => file.startsWith(prefix)),
    patterns: filters.filter(isPattern).length,
  }
}

function entriesOf(note: Note, options: SourceOptions): SourceItem[] {
  const properties = readProperties(note.text)
  if (properties.values.has('excalidraw-plugin') || properties.values.has('kanban-plugin')) return []
  const title = textOf(properties.values.get('title')) ?? path.basename(note.at.file).replace(/\.md$/i, '')
  const body = ownText(properties.body)
  if (body.length < MIN_NOTE_LENGTH) return []
  return partsOf(title, body).map(({ content, id, line }) => ({
    what: 'entry',
    at: { ...note.at, line: line + properties.linesAbove },
    input: {
      agent: options.agent,
      content,
      kind: kindOf(properties),
      tags: [
        ...new Set([...wordsOf(properties.values.get('tags')), ...wordsOf(properties.values.get('tag'))]),
      ].map(tag => tag.replace(/^#/, '')),
      date: dateOf(note, properties, options.nowMs),
      status: 'candidate',
      origin: 'person',
      provenance: { tool: 'obsidian', file: note.at.file, id },
    },
  }))
}

/** Removes what only Obsidian shows: comments, embeds, queries and block ids. Links stay. */
function ownText(body: string): string {
  return plainMarkdown(
    body
      .replace(/%%[\s\S]*?%%/g, '')
      .replace(/!\[\[[^\]\n]*\]\]/g, '')
      .replace(/[ \t]\^[\w-]+$/gm, ''),
  )
}

function partsOf(title: string, body: string): { content: string; id: string; line: number }[] {
  if (body.length <= MAX_ENTRY_LENGTH) return [{ content: withTitle(title, body), id: title, line: 1 }]
  return sectionsOf(body).flatMap(({ heading, text, line }) => {
    if (text.length < MIN_NOTE_LENGTH) return []
    const name = heading === '' || heading === title ? title : `${title}: ${heading}`
    const chunks = chunksOf(text)
    return chunks.map((chunk, n) => ({
      content: withTitle(name, chunk),
      id: n === 0 ? name : `${name} ${n + 1}`,
      line,
    }))
  })
}

function withTitle(title: string, text: string): string {
  const first = text
    .split('\n')[0]
    ?.replace(/^#+\s*/, '')
    .trim()
  return first === title ? text.replace(/^#+\s*/, '') : `${title}\n\n${text}`
}

/** Groups paragraphs up to the maximum length; a longer paragraph is cut at a line end. */
export function chunksOf(text: string): string[] {
  const chunks: string[] = []
  const pieces = text
    .split(/\n[ \t]*\n/)
    .flatMap(paragraph => (paragraph.length <= MAX_ENTRY_LENGTH ? [paragraph] : piecesOf(paragraph)))
  for (const piece of pieces) {
    const last = chunks.at(-1)
    if (last !== undefined && last.length + piece.length + 2 <= MAX_ENTRY_LENGTH)
      chunks[chunks.length - 1] = `${last}\n\n${piece}`
    else if (piece.trim() !== '') chunks.push(piece)
  }
  return chunks
}

function piecesOf(paragraph: string): string[] {
  const pieces: string[] = []
  for (let rest = paragraph; rest !== ''; ) {
    const room = rest.slice(0, MAX_ENTRY_LENGTH)
    const cut =
      rest.length <= MAX_ENTRY_LENGTH
        ? rest.length
        : Math.max(room.lastIndexOf('\n'), room.lastIndexOf('. ') + 1)
    const end = cut > MAX_ENTRY_LENGTH / 2 ? cut : room.length
    pieces.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trimStart()
  }
  return pieces
}

function kindOf({ values }: NoteProperties): string {
  const named = [
    ...wordsOf(values.get('type')),
    ...wordsOf(values.get('kind')),
    ...wordsOf(values.get('tags')),
  ]
  return named.map(word => word.replace(/^#/, '').toLowerCase()).find(word => KINDS.has(word)) ?? 'lesson'
}

/** The date of the note, of the daily note's name, or of the last change of the file. */
function dateOf({ at, changedMs }: Note, { values }: NoteProperties, nowMs: number): string {
  const own = ['created', 'date', 'created_at'].map(name => dateIn(textOf(values.get(name)), nowMs))
  const day = dateIn(DAY.exec(path.basename(at.file))?.[1], nowMs)
  return own.find(date => date !== undefined) ?? day ?? dateAt(changedMs, nowMs)
}
