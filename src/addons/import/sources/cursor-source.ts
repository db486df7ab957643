import * as path from 'node:path'
import { readInstructions, tagOf } from './instruction-source.ts'
import { dateAt, findNotes, isInsideFolder, isTrouble, namedFile, readNote, TOO_MANY } from './note-files.ts'
import { readProperties, textOf, wordsOf } from './note-properties.ts'
import type { Source, SourceItem, SourceOptions } from './source.ts'
import { exists, isFolder } from './source-files.ts'

export const CURSOR_RULE = /\.mdc$|(?:^|\/)\.cursorrules$/

/**
 * Cursor's rules: `.cursor/rules/**.mdc`, each with front matter (`description`, `globs`, `alwaysApply`), and the older
 * `.cursorrules`. People write them as rules, so they are confirmed.
 */
export const cursorSource: Source = async function* (options) {
  if (!isFolder(options.path)) {
    const { folder, file } = namedFile(options.path)
    return yield* rulesIn(folder, file, options)
  }
  const { files, left } = findCursorRules(options.path)
  if (left) yield { what: 'remark', trouble: { file: '.', ...TOO_MANY } }
  for (const file of files) {
    if (options.isKnown?.(file) === true) continue
    yield* rulesIn(options.path, file, options)
    await options.onTaken?.(file, false)
  }
}

/** `.cursor/rules` of a project, or any folder of rules. */
export function findCursorRules(folder: string): { files: string[]; left: boolean } {
  const rules = isInsideFolder(folder, path.join(folder, '.cursor/rules')) ? '.cursor/rules' : ''
  const { files, left } = findNotes(path.join(folder, rules), { isWanted: file => file.endsWith('.mdc') })
  const below = files.map(file => (rules === '' ? file : `${rules}/${file}`))
  return { files: exists(path.join(folder, '.cursorrules')) ? ['.cursorrules', ...below] : below, left }
}

function* rulesIn(folder: string, file: string, options: SourceOptions): Iterable<SourceItem> {
  const note = readNote(folder, file)
  if (isTrouble(note)) return yield { what: note.code === 'link_left' ? 'remark' : 'refused', trouble: note }
  const { values, body, linesAbove } = readProperties(note.text)
  const description = textOf(values.get('description'))
  const name = path.basename(file, '.mdc').replace(/^\.cursorrules$/, '')
  for (const { text, heading, kind, line } of readInstructions(body).notes) {
    yield {
      what: 'entry',
      at: { file, line: line + linesAbove },
      input: {
        agent: options.agent,
        // A rule that Cursor selects by its description means little without it.
        content: description === undefined || text.length > 120 ? text : `${description}: ${text}`,
        kind,
        tags: [...new Set([...tagOf(name), ...tagOf(heading)])],
        files: [...new Set(wordsOf(values.get('globs')).flatMap(folderOfGlob))],
        date: dateAt(note.changedMs, options.nowMs),
        status: 'confirmed',
        origin: 'person',
        provenance: { tool: 'cursor-rules', file, id: heading === '' ? 'top' : heading },
      },
    }
  }
}

/** The folder before the first wildcard: `src/api/**` is about `src/api`; `*.ts` has no folder. */
function folderOfGlob(glob: string): string[] {
  const plain = glob.replace(/^["']|["']$/g, '').replace(/^\.?\//, '')
  const at = plain.search(/[*?{[]/)
  const folder = at < 0 ? plain : plain.slice(0, Math.max(0, plain.lastIndexOf('/', at)))
  return folder === '' || folder.startsWith('..') ? [] : [folder]
}
