import * as path from 'node:path'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import { foldText } from '../../../kernel/text/fold.ts'
import { gitDates } from './git-dates.ts'
import {
  beginningOf,
  dateAt,
  dateIn,
  findNotes,
  isInsideFolder,
  isTrouble,
  type Note,
  namedFile,
  projectPath,
  readNote,
  TOO_MANY,
} from './note-files.ts'
import { readProperties, sectionsOf, textOf } from './note-properties.ts'
import type { Source, SourceItem, SourceOptions } from './source.ts'
import { exists, isFolder } from './source-files.ts'

/** Folders in which adr-tools, MADR and log4brains store decisions. */
const ADR_FOLDERS = [
  'docs/adr',
  'docs/adrs',
  'doc/adr',
  'docs/decisions',
  'docs/architecture/decisions',
  'doc/architecture/decisions',
  'docs/architecture/adr',
  'architecture/decisions',
  'adr',
  'decisions',
] as const

const MAX_DECISION_LENGTH = 900
const MAX_CONTEXT_LENGTH = 350
const NOT_ONE = /^(?:readme|index|template|adr-template|0*-?template)\b/i
/** The status of a decision that is no longer valid. The decision that replaced it says what is. */
const OVER =
  /\b(?:superseded|superceded|deprecated|rejected|replaced|obsolete|withdrawn|(?:substituid|obsolet|rejeitad|depreciad|descontinuad|revogad|cancelad)[oa])\b/
const NOT_YET =
  /\b(?:proposed|draft|pending|in review|rfc|propost[oa]|rascunho|pendente|em (?:revisao|discussao|analise|avaliacao))\b/
/** Names of headings, folded: English and Portuguese. */
const DECISION =
  /^(?:the |a )?(?:decision|resolution|decisao|decisoes|resolucao|resultado da decisao|solucao)(?: outcome)?s?\b/
const CONTEXT =
  /^(?:o )?(?:context|problem|background|motivation|issue|contexto|problema|motivacao|justificativa|antecedentes|questao)\b/
const STATUS = /^(?:status|estado|situacao)\b/
/** `Status: accepted`, `* Status: accepted`, `- **Status**: accepted`, `Situação: aceita`. */
const LINE_FIELD = (names: string) =>
  new RegExp(`^[ \\t]*(?:[-*+][ \\t]+)?\\**(?:${names})\\**[ \\t]*:\\**[ \\t]*(\\S.*)$`, 'im')
const STATUS_LINE = LINE_FIELD('status|estado|situação|situacao')
const DATE_LINE = LINE_FIELD('date|data')
/** A paragraph that begins with its own heading: `**Decision.** We keep …`. */
const RUN_IN = /^\*\*(\p{Lu}[\p{L}\p{N} ]{2,40})[.:]\*\*[ \t]*/u

interface Adr {
  readonly title: string
  readonly status: string
  readonly date?: string
  readonly decision: string
  readonly context: string
}

/** Architecture decision records: one entry each, confirmed when accepted, a candidate while proposed. */
export const adrSource: Source = async function* (options) {
  if (!isFolder(options.path)) {
    const { folder, file } = namedFile(options.path)
    return yield* recordIn(folder, file, { ...options, dates: await gitDates(folder, 'first') })
  }
  const { folder, files, left } = findAdrs(options.path)
  const dates = await gitDates(folder, 'first')
  if (left) yield { what: 'remark', trouble: { file: '.', ...TOO_MANY } }
  for (const file of files) {
    const below = path.relative(options.path, path.join(folder, file)).replaceAll('\\', '/')
    if (options.isKnown?.(below) === true) continue
    yield* recordIn(folder, file, { ...options, dates })
    await options.onTaken?.(below, false)
  }
}

/** A folder of records, or the default one of a project. */
export function findAdrs(given: string): { folder: string; files: string[]; left: boolean } {
  // A folder that a clone names or links to may be anywhere, so it must be inside the project.
  const isOwn = (folder: string) => isFolder(folder) && isInsideFolder(given, folder)
  const named = path.join(given, '.adr-dir')
  const adrDir = exists(named) ? readNote(given, '.adr-dir') : undefined
  const fromTool =
    adrDir === undefined || isTrouble(adrDir) ? undefined : path.join(given, adrDir.text.trim())
  const usual = ADR_FOLDERS.map(name => path.join(given, name)).find(isOwn)
  const folder = (fromTool !== undefined && isOwn(fromTool) ? fromTool : usual) ?? given
  const { files, left } = findNotes(folder, {
    isWanted: file => /\.(?:md|markdown)$/i.test(file) && !NOT_ONE.test(path.basename(file)),
  })
  return { folder, files, left }
}

function* recordIn(
  folder: string,
  file: string,
  options: SourceOptions & { readonly dates: ReadonlyMap<string, string> },
): Iterable<SourceItem> {
  const note = readNote(folder, file)
  if (isTrouble(note)) return yield { what: note.code === 'link_left' ? 'remark' : 'refused', trouble: note }
  const adr = parseAdr(note)
  const remark = (code: NoticeCode, message: string): SourceItem => ({
    what: 'remark',
    trouble: { file, code, message },
  })
  if (adr === undefined)
    return yield remark('not_an_adr', 'it has no decision and no context, so it is left out')
  const status = foldText(adr.status)
  if (OVER.test(status))
    return yield remark('adr_over', `left out: ${adr.title} is ${adr.status.toLowerCase().slice(0, 80)}`)
  const where = projectPath(options, path.join(folder, file))
  const isOpen = NOT_YET.test(status)
  yield {
    what: 'entry',
    at: note.at,
    input: {
      agent: options.agent,
      kind: 'decision',
      content: contentOf(adr),
      tags: ['adr'],
      files: where === undefined ? [] : [where],
      date:
        dateIn(adr.date ?? options.dates.get(file), options.nowMs) ?? dateAt(note.changedMs, options.nowMs),
      importance: isOpen ? 0.5 : 0.7,
      status: isOpen ? 'candidate' : 'confirmed',
      origin: 'person',
      provenance: { tool: 'adr', file: where ?? file, id: path.basename(file).replace(/\.\w+$/, '') },
    },
  }
}

function contentOf({ title, decision, context }: Adr): string {
  const said = beginningOf(plainMarkdown(decision), MAX_DECISION_LENGTH)
  const why = beginningOf(plainMarkdown(context), MAX_CONTEXT_LENGTH)
  const parts = [title, said, why === '' ? '' : said === '' ? why : `Why: ${why}`]
  return parts.filter(part => part !== '').join('\n\n')
}

/** undefined: the page does not record a decision. */
function parseAdr({ text, at }: Pick<Note, 'text' | 'at'>): Adr | undefined {
  const { values, body } = readProperties(text)
  const sections = sectionsOf(body)
  const heading = sections.find(({ level }) => level === 1)?.heading ?? textOf(values.get('title'))
  const title = (
    heading ??
    path
      .basename(at.file)
      .replace(/\.\w+$/, '')
      .replaceAll('-', ' ')
  )
    .replace(/^(?:ADR[-\s]?)?\d+[.:)\s–—-]+/i, '')
    .replace(/^ADR:?\s+/i, '')
    .trim()
  const section = (name: RegExp) =>
    sections
      .filter(
        ({ level, heading: words }, n) => level > 0 && (level > 1 || n > 1) && name.test(foldText(words)),
      )
      .map(({ text: below }) => below)
      .find(below => below !== '') ?? runIn(body, name)
  const decision = section(DECISION) ?? ''
  const context = section(CONTEXT) ?? ''
  if (decision === '' && context === '') return undefined
  const head = body.slice(0, 1_500)
  const status = textOf(values.get('status')) ?? firstLine(section(STATUS)) ?? STATUS_LINE.exec(head)?.[1]
  const date = textOf(values.get('date')) ?? DATE_LINE.exec(head)?.[1]
  return {
    title: title === '' ? at.file : title,
    status: status?.trim() ?? 'accepted',
    ...(date !== undefined && { date: /\d{4}-\d\d-\d\d/.exec(date)?.[0] ?? date }),
    decision,
    context,
  }
}

/** From a paragraph that begins with the name to one that begins with another name or a heading. */
function runIn(body: string, name: RegExp): string | undefined {
  const found: string[] = []
  let isOpen = false
  for (const paragraph of body.split(/\n[ \t]*\n/)) {
    const label = RUN_IN.exec(paragraph.trim())
    if (label !== null) isOpen = name.test(foldText(label[1] ?? ''))
    else if (/^#/.test(paragraph.trim())) isOpen = false
    if (isOpen) found.push(paragraph.trim().replace(RUN_IN, ''))
  }
  return found.length === 0 ? undefined : found.join('\n\n')
}

function firstLine(text: string | undefined): string | undefined {
  return text
    ?.split('\n')
    .find(line => line.trim() !== '')
    ?.trim()
}

/** Comments, code, tables and badges are not sentences. */
export function plainMarkdown(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1[^\n]*$/gm, '')
    .replace(/^[ \t]*\|.*$/gm, '')
    .replace(/^[ \t]*!\[[^\]]*\]\([^)]*\)[ \t]*$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
