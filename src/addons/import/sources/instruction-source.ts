import * as path from 'node:path'
import { gitDates } from './git-dates.ts'
import { readInstructions, tagOf } from './instruction-notes.ts'
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
