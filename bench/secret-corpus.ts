import { readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'

/** A text of a corpus, and what has to happen to it. */
export interface CorpusLine {
  readonly group: string
  readonly text: string
  /** What must not be left in the text; undefined for a lookalike, which must stay as it is. */
  readonly secret: string | undefined
}

/** What other people's corpora call these fields. */
const TEXT_FIELDS = ['text', 'line', 'content', 'input']
const SECRET_FIELDS = ['secret', 'value', 'match']
const GROUP_FIELDS = ['group', 'kind', 'category', 'type']

/**
 * Every `.jsonl` and `.txt` file of a folder, or one such file.
 *
 *   .jsonl   {"text": "DB_PASS=x1y2", "secret": "x1y2", "group": "context"}
 *            {"text": "commit 0f1e2d3c", "group": "hashes"}                    without `secret`: a lookalike
 *   .txt     DB_PASS=«x1y2»                                                    the group is the file's name
 *            commit 0f1e2d3c                                                   without marks: a lookalike
 */
export function readSecretCorpus(place: string): CorpusLine[] {
  const files = /\.(?:jsonl|txt)$/.test(place)
    ? [place]
    : readdirSync(place, { recursive: true, encoding: 'utf8' })
        .filter(name => /\.(?:jsonl|txt)$/.test(name))
        .sort()
        .map(name => path.join(place, name))
  return files.flatMap(file => {
    const read = file.endsWith('.jsonl') ? readJsonLine : readMarkedLine
    const name = path.basename(file).replace(/\.\w+$/, '')
    return readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .flatMap((line, index) => (line.trim() === '' ? [] : [read(line, name, `${file}:${index + 1}`)]))
  })
}

function readJsonLine(line: string, name: string, place: string): CorpusLine {
  const fields: unknown = JSON.parse(line)
  const field = (names: readonly string[]) => {
    const found = names.map(each => (fields as Record<string, unknown>)[each])
    return found.find((value): value is string => typeof value === 'string' && value !== '')
  }
  const text = field(TEXT_FIELDS)
  if (text === undefined)
    throw new Error(`${place} has no text: it needs one of the fields ${TEXT_FIELDS.join(', ')}`)
  const secret = field(SECRET_FIELDS)
  if (secret !== undefined && !text.includes(secret))
    throw new Error(`${place}: the secret is not in the text`)
  return { group: field(GROUP_FIELDS) ?? name, text, secret }
}

function readMarkedLine(line: string, name: string): CorpusLine {
  const secret = /«([^»]+)»/.exec(line)?.[1]
  return { group: name, text: line.replace(/[«»]/g, ''), secret }
}
