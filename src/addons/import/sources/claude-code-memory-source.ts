import * as path from 'node:path'
import { isObject } from '../../../kernel/model/json-value.ts'
import type { YamlValue } from '../../workspaces/decide/front-matter.ts'
import { plainMarkdown } from './adr-source.ts'
import { readInstructions, tagOf } from './instruction-source.ts'
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
import { readProperties, textOf } from './note-properties.ts'
import type { Source, SourceItem, SourceOptions } from './source.ts'
import { isFolder } from './source-files.ts'

export const MEMORY_INDEX = 'MEMORY.md'
const MAX_FACT_LENGTH = 2_000
/** A line of the index that links to a file next to it. That file is read on its own. */
const LEADS_ON = /\]\((?!https?:)[^)\s]+\.md\)/

/** Claude Code's four types. */
const KIND_BY_TYPE: Readonly<Record<string, string>> = {
  user: 'preference',
  feedback: 'preference',
  project: 'project',
  reference: 'discovery',
}

/**
 * What Claude Code wrote for itself (`~/.claude/projects/<project>/memory/`), in the form that version 2.1.325 uses: one file for
 * each fact, with `name`, `description` and `metadata.type` in the front matter, and `MEMORY.md` with a line for each. Older
 * versions have the facts in `MEMORY.md`. A model wrote them, so they become candidates.
 */
export const claudeCodeMemorySource: Source = async function* (options) {
  const isOne = !isFolder(options.path)
  const { folder, file } = isOne ? namedFile(options.path) : { folder: options.path, file: '' }
  const isIndex = file === MEMORY_INDEX
  const { files, left } =
    isOne && !isIndex
      ? { files: [file], left: false }
      : findNotes(folder, { isWanted: name => name.endsWith('.md') })
  if (left) yield { what: 'remark', trouble: { file: '.', ...TOO_MANY } }
  for (const name of files) {
    if (options.isKnown?.(name) === true) continue
    const note = readNote(folder, name)
    if (isTrouble(note)) yield { what: note.code === 'link_left' ? 'remark' : 'refused', trouble: note }
    else if (path.basename(name) === MEMORY_INDEX) yield* factsIn(note, options)
    else yield* topicOf(note, options)
    await options.onTaken?.(name, false)
  }
}

function* factsIn({ at, text, changedMs }: Note, options: SourceOptions): Iterable<SourceItem> {
  for (const { text: content, heading, kind, line } of readInstructions(text).notes) {
    if (LEADS_ON.test(content)) continue
    yield entry({ ...at, line }, heading === '' ? 'index' : heading, options, {
      content,
      // Without a heading that says so, it is a note and not a preference.
      kind: kind === 'preference' && !/prefer|style|convention|rule/i.test(heading) ? 'lesson' : kind,
      tags: tagOf(heading),
      date: dateAt(changedMs, options.nowMs),
    })
  }
}

function* topicOf({ at, text, changedMs }: Note, options: SourceOptions): Iterable<SourceItem> {
  const { values, body } = readProperties(text)
  const metadata = values.get('metadata')
  const field = (name: string) =>
    textOf(isObject(metadata) ? (metadata[name] as YamlValue | undefined) : undefined) ??
    textOf(values.get(name))
  const type = field('type') ?? ''
  const said = plainMarkdown(body)
  const description = textOf(values.get('description'))
  // The description names the subject of the fact. It is used alone if there is no other text.
  const content = said === '' ? description : said
  if (content === undefined) return
  yield entry(at, textOf(values.get('name')) ?? path.basename(at.file, '.md'), options, {
    content: beginningOf(content, MAX_FACT_LENGTH),
    kind: KIND_BY_TYPE[type] ?? 'lesson',
    tags: type === '' ? [] : [type],
    date: dateIn(field('modified'), options.nowMs) ?? dateAt(changedMs, options.nowMs),
  })
}

function entry(
  at: Note['at'],
  id: string,
  { agent }: SourceOptions,
  said: { readonly content: string; readonly kind: string; readonly tags: string[]; readonly date: string },
): SourceItem {
  return {
    what: 'entry',
    at,
    input: {
      ...said,
      agent,
      status: 'candidate',
      origin: 'machine',
      provenance: { tool: 'claude-code-memory', file: at.file, id },
    },
  }
}
