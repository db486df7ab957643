import * as path from 'node:path'
import { readRuleFile } from '../../rules/decide/rule-file.ts'
import { gitDates } from './git-dates.ts'
import {
  dateAt,
  dateIn,
  findNotes,
  isTrouble,
  type Note,
  namedFile,
  projectPath,
  readNote,
  TOO_MANY,
} from './note-files.ts'
import type { Source, SourceItem, SourceOptions } from './source.ts'
import { isFolder } from './source-files.ts'

/** The names that hosts use for instruction files. */
export const INSTRUCTION_FILE =
  /(?:^|\/)(?:CLAUDE(?:\.local)?|AGENTS(?:\.override)?|GEMINI|copilot-instructions)\.md$/
/** Instruction files in hidden folders of hosts; other hidden folders are skipped. */
const IN_DOT_FOLDERS = ['.claude/CLAUDE.md', '.github/copilot-instructions.md', '.gemini/GEMINI.md']

type DatedOptions = SourceOptions & { readonly dates: ReadonlyMap<string, string> }

/** Lines that a person wrote for agents are rules, so they are confirmed. Those in a subfolder apply to that folder. */
export const instructionSource: Source = async function* (options) {
  if (!isFolder(options.path)) {
    const { folder, file } = namedFile(options.path)
    return yield* notesIn(folder, file, { ...options, dates: await gitDates(folder, 'last') })
  }
  const { files, left } = findInstructions(options.path)
  const dates = await gitDates(options.path, 'last')
  if (left) yield { what: 'remark', trouble: { file: '.', ...TOO_MANY } }
  for (const file of files) {
    if (options.isKnown?.(file) === true) continue
    yield* notesIn(options.path, file, { ...options, dates })
    await options.onTaken?.(file, false)
  }
}

export function findInstructions(folder: string): { files: string[]; left: boolean } {
  const { files, left } = findNotes(folder, { isWanted: file => INSTRUCTION_FILE.test(file) })
  const hidden = IN_DOT_FOLDERS.filter(file => {
    const note = readNote(folder, file)
    return !isTrouble(note)
  })
  return { files: [...files, ...hidden].sort(), left }
}

function* notesIn(folder: string, file: string, options: DatedOptions): Iterable<SourceItem> {
  const note = readNote(folder, file)
  // A link next to its target is a second name for the same text.
  if (isTrouble(note)) return yield { what: note.code === 'link_left' ? 'remark' : 'refused', trouble: note }
  yield* notesOf(note, options, scopeOf(folder, file, options))
}

function* notesOf(
  { at, text, changedMs }: Note,
  options: DatedOptions,
  scope: readonly string[],
): Iterable<SourceItem> {
  const { notes, generated } = readInstructions(text)
  for (const line of generated)
    yield {
      what: 'remark',
      trouble: { ...at, line, code: 'generated_left', message: 'a block that a tool wrote is left out' },
    }
  for (const { text: content, heading, kind, line } of notes) {
    yield {
      what: 'entry',
      at: { ...at, line },
      input: {
        agent: options.agent,
        content,
        kind,
        tags: tagOf(heading),
        files: scope,
        date: dateIn(options.dates.get(at.file), options.nowMs) ?? dateAt(changedMs, options.nowMs),
        status: 'confirmed',
        origin: 'person',
        provenance: { tool: 'instructions', file: at.file, id: heading === '' ? 'top' : heading },
      },
    }
  }
}

/** The folder that nested instructions apply to; those at the top apply to the whole project. */
function scopeOf(folder: string, file: string, options: SourceOptions): string[] {
  const inside = path.dirname(path.join(folder, file)).replace(/[\\/]\.(?:claude|github|gemini)$/, '')
  const scope = projectPath(options, inside)
  return scope === undefined ? [] : [scope]
}

/** One instruction. */
interface InstructionNote {
  readonly text: string
  /** The heading above it; '' at the top. */
  readonly heading: string
  readonly kind: string
  readonly line: number
}

export interface Instructions {
  readonly notes: readonly InstructionNote[]
  /** Line numbers where a generated block begins; generated blocks are not imported. */
  readonly generated: readonly number[]
}

const MIN_CHARACTERS = 15
const MIN_WORDS = 3
const MAX_LEAD_LENGTH = 100
/** A longer list item can be understood without the line above it. */
const SPEAKS_FOR_ITSELF = 100
/** A generated block in a file of a person: everything between two marker lines. */
const BLOCK_START =
  /^\s*<!--\s*(?:(?:begin|start)[\s:]+([\w@.:/-]+)|([\w@.:/-]+)\b(?:(?!-->).)*?\b(?:start|begin))\b.*-->\s*$/i
/** `<!-- name -->` … `<!-- /name -->` */
const PAIR_START = /^\s*<!--\s*([\w@.:-]+)\s*-->\s*$/
const TAG_START = /^\s*<([a-z][\w]*(?:-[\w]+)+)>\s*$/
/** `@path` includes another file, which is imported on its own if it is an instruction file. */
const IMPORT_LINE = /^\s*(?:[-*+]\s+)?@[\w~./-]+\s*$/
const BOILERPLATE = /^this file provides guidance to\b|^table of contents\b|^(?:last )?updated?:/i

const KIND_BY_HEADING: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:warnings?|gotchas?|pitfalls?|caveats?|danger|careful|never|avoid|don'?ts?|do not|known (?:issues|problems)|easy to break)\b/i,
    'warning',
  ],
  [/\b(?:decisions?|decided|adrs?)\b/i, 'decision'],
  [/\b(?:architecture|structure|overview|layout|stack|modules?|components?)\b/i, 'architecture'],
  [/\b(?:lessons?|learned|learnings?|notes?|findings?)\b/i, 'lesson'],
  [/\b(?:commands?|build|builds|running|setup|scripts?|deploy\w*|environment|about|project)\b/i, 'project'],
]
const FORBIDS = /^(?:\*\*)?(?:never|don'?t|do not|avoid|no)\b/i

/** Reads CLAUDE.md, AGENTS.md or a rule file: each bullet or paragraph is one instruction. */
export function readInstructions(source: string): Instructions {
  const { text, generated } = withoutGenerated(source.replace(/^\ufeff/, ''))
  const notes: InstructionNote[] = []
  let lead = ''
  let leadHeading = ''
  for (const rule of readRuleFile(text).rules) {
    if (rule.heading !== leadHeading) lead = ''
    const said = rule.text.trim()
    if (said.endsWith(':')) {
      // This line introduces the items below it and means nothing alone.
      lead = said.length <= MAX_LEAD_LENGTH ? said : ''
      leadHeading = rule.heading
      continue
    }
    if (!tells(said)) continue
    const isItem = isListItem(text, rule.line)
    if (!isItem) lead = ''
    const heading = plainHeading(rule.heading)
    notes.push({
      text: lead === '' || said.length > SPEAKS_FOR_ITSELF ? said : `${lead} ${said}`,
      heading,
      kind: kindOf(`${heading} ${lead}`, said),
      line: rule.line,
    })
  }
  return { notes, generated }
}

/** The same lines with generated ones emptied, so that line numbers stay valid. */
function withoutGenerated(text: string): { text: string; generated: number[] } {
  const lines = text.split(/\r?\n/)
  const generated: number[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const end = endOfBlock(lines, at)
    if (end !== undefined) {
      generated.push(at + 1)
      lines.fill('', at, end + 1)
      at = end
    } else if (IMPORT_LINE.test(line)) lines[at] = ''
    else if (/^\s*<!--/.test(line) && !line.includes('-->')) {
      const close = lines.findIndex((other, n) => n > at && other.includes('-->'))
      if (close > 0) lines.fill('', at, close + 1)
    }
  }
  return { text: lines.join('\n'), generated }
}

/** The last line of the block that begins here. */
function endOfBlock(lines: readonly string[], at: number): number | undefined {
  const line = lines[at] ?? ''
  const [, after, before] = BLOCK_START.exec(line) ?? []
  const marker = (after ?? before)?.toLowerCase()
  const tag = TAG_START.exec(line)?.[1]
  const pair = PAIR_START.exec(line)?.[1]?.toLowerCase()
  if (marker === undefined && tag === undefined && pair === undefined) return undefined
  for (let n = at + 1; n < lines.length; n++) {
    const other = (lines[n] ?? '').trim().toLowerCase()
    if (tag !== undefined && other === `</${tag.toLowerCase()}>`) return n
    if (pair !== undefined && other.replace(/\s+/g, '') === `<!--/${pair}-->`) return n
    if (
      marker !== undefined &&
      other.startsWith('<!--') &&
      other.includes(marker) &&
      /\bend\b|<!--\s*\//.test(other)
    )
      return n
  }
  return undefined
}

function isListItem(text: string, line: number): boolean {
  return /^\s*(?:[-*+]|\d{1,3}[.)])\s/.test(text.split('\n')[line - 1] ?? '')
}

/** Whether it has enough words to be an instruction, and is not a link, a table row or a single word. */
function tells(said: string): boolean {
  if (said.startsWith('|') || said.startsWith('```') || BOILERPLATE.test(said)) return false
  if (/^!?\[[^\]]*\]\([^)]*\)[.\s]*$/.test(said) || /^<[^>]+>$/.test(said)) return false
  const words = said
    .replace(/[`*_~#>|-]+/g, ' ')
    .split(/\s+/)
    .filter(word => /[\p{L}\p{N}]/u.test(word))
  return said.length >= MIN_CHARACTERS && words.length >= MIN_WORDS
}

function kindOf(heading: string, said: string): string {
  if (FORBIDS.test(said)) return 'warning'
  return KIND_BY_HEADING.find(([words]) => words.test(heading))?.[1] ?? 'preference'
}

function plainHeading(heading: string): string {
  return heading.replace(/[`*_]+/g, '').trim()
}

/** A heading as a tag; a whole sentence does not become a tag. */
export function tagOf(heading: string): string[] {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return slug === '' || slug.length > 30 || /^(?:claude|agents|gemini)(?:-md)?$/.test(slug) ? [] : [slug]
}
