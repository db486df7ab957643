import * as path from 'node:path'
import { plainMarkdown } from './adr-source.ts'
import { kindOf, VAGUE_RELATION } from './mcp-memory-source.ts'
import {
  beginningOf,
  dateAt,
  dateIn,
  findNotes,
  isTrouble,
  type Note,
  namedFile,
  readNote,
  TOO_MANY,
} from './note-files.ts'
import { readProperties, textOf, wordsOf } from './note-properties.ts'
import type { Source, SourceItem, SourceOptions } from './source.ts'
import { isFolder } from './source-files.ts'

const MAX_PROSE_LENGTH = 1_500
const MIN_PROSE_LENGTH = 80
/** `- [decision] Use SSE #transport (the proxy drops sockets)`. A checkbox or a link does not match. */
const OBSERVATION = /^[ \t]*[-*][ \t]+\[(?![ xX/-]\]|\[)([^\]\n]{1,60})\](?!\()[ \t]+(\S.*)$/
/** `- implements [[Search Design]] (since March)` */
const RELATION =
  /^[ \t]*[-*][ \t]+(?:([^[\n]{1,80}?)[ \t]+)?\[\[([^\]\n]{1,200})\]\](?:[ \t]+\(([^)\n]*)\))?[ \t]*$/

/**
 * Notes of basic-memory, as its documentation describes them: Markdown with `title`, `type` and `permalink` in the front matter,
 * observations and relations as list items. A model wrote most of them, so they become candidates.
 */
export const basicMemorySource: Source = async function* (options) {
  const isOne = !isFolder(options.path)
  const { folder, file } = isOne ? namedFile(options.path) : { folder: options.path, file: '' }
  const { files, left } = isOne
    ? { files: [file], left: false }
    : findNotes(folder, { isWanted: name => /\.md$/i.test(name) })
  if (left) yield { what: 'remark', trouble: { file: '.', ...TOO_MANY } }
  for (const [n, name] of files.entries()) {
    options.onProgress?.(n + 1, files.length, 'notes')
    if (options.isKnown?.(name) === true) continue
    const note = readNote(folder, name)
    if (isTrouble(note)) yield { what: note.code === 'link_left' ? 'remark' : 'refused', trouble: note }
    else yield* entriesOf(note, options)
    await options.onTaken?.(name, false)
  }
}

function* entriesOf(note: Note, options: SourceOptions): Iterable<SourceItem> {
  const { values, body, linesAbove } = readProperties(note.text)
  const title = textOf(values.get('title')) ?? path.basename(note.at.file).replace(/\.md$/i, '')
  const id = textOf(values.get('permalink')) ?? note.at.file
  const shared = {
    agent: options.agent,
    date:
      dateIn(textOf(values.get('created')) ?? textOf(values.get('date')), options.nowMs) ??
      dateAt(note.changedMs, options.nowMs),
    status: 'candidate' as const,
    origin: 'machine' as const,
    provenance: { tool: 'basic-memory', file: note.at.file, id },
  }
  const tags = wordsOf(values.get('tags')).map(tag => tag.replace(/^#/, ''))
  const prose: string[] = []
  for (const [n, line] of body.split('\n').entries()) {
    const at = { file: note.at.file, line: n + 1 + linesAbove }
    const [, category, said] = OBSERVATION.exec(line) ?? []
    const [, relation, target] = RELATION.exec(line) ?? []
    if (category !== undefined && said !== undefined)
      yield {
        what: 'entry',
        at,
        input: {
          ...shared,
          content: `${title}: ${said.trim()}`,
          kind: kindOf(category),
          tags: [...tags, category],
        },
      }
    else if (target !== undefined) {
      if (relation === undefined || VAGUE_RELATION.test(relation.trim())) continue
      const content = `${title} ${relation.trim().replaceAll('_', ' ')} [[${target}]].`
      yield {
        what: 'entry',
        at,
        input: { ...shared, content, kind: 'discovery', tags: [...tags, 'relation'] },
      }
    } else if (!/^#{1,6}\s+(?:observations|relations)\s*$/i.test(line)) prose.push(line)
  }
  const own = plainMarkdown(prose.join('\n').replace(new RegExp(`^\\s*#\\s+${escaped(title)}\\s*\\n`), ''))
  if (own.replace(/^#.*$/gm, '').trim().length < MIN_PROSE_LENGTH) return
  yield {
    what: 'entry',
    at: note.at,
    input: {
      ...shared,
      content: `${title}\n\n${beginningOf(own, MAX_PROSE_LENGTH)}`,
      kind: kindOf(textOf(values.get('type')) ?? ''),
      tags,
    },
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
