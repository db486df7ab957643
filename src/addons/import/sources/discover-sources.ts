import * as path from 'node:path'
import { SEED_CHATS_FILE } from '../../../features/sessions/decide/seed-chats.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { readGitFields } from '../../../kernel/system/git.ts'
import type { ForeignDatabases } from '../decide/ports.ts'
import { findAdrs } from './adr-source.ts'
import { findCursorRules } from './cursor-source.ts'
import { chatsOf, placesOutside, seedPlace } from './default-places.ts'
import { findInstructions, readInstructions } from './instruction-source.ts'
import { findNotes, isTrouble, readNote } from './note-files.ts'
import type { SourceFormat } from './source.ts'
import { exists, filesBelow, isFolder } from './source-files.ts'

interface FoundSource {
  readonly format: SourceFormat
  readonly path: string
  /** It is outside the project, and opened only on request. */
  readonly outside: boolean
  /** null: not counted. */
  readonly count: number | null
  /** The unit of `count`. */
  readonly unit: string
}

const COUNT_MS = 10_000

/**
 * Lists what is in a project, and what exists in the default places of other tools. `looksOutside`: also opens and counts those.
 */
export async function discoverSources(
  root: string,
  { looksOutside, databases }: { readonly looksOutside: boolean; readonly databases: ForeignDatabases },
): Promise<FoundSource[]> {
  const found: FoundSource[] = []
  const add = (format: SourceFormat, unit: string, count: number, place = root) => {
    if (count > 0) found.push({ format, path: place, outside: false, count, unit })
  }
  const seed = seedPlace(root)
  const conversations = seed === undefined || !isFolder(seed) ? [] : filesBelow(seed, 0).filter(isJson)
  const chats = [...chatsOf(root).keys()]
  if (conversations.length > 0) add('conversations', 'conversations of agents', conversations.length, seed)
  else add('conversations', `chats in ${SEED_CHATS_FILE}`, chats.length, seed)
  const instructions = findInstructions(root).files
  add(
    'instructions',
    `rules in ${instructions.join(', ')}`,
    instructions.reduce((sum, file) => sum + rulesIn(root, file), 0),
  )
  const rules = findCursorRules(root).files
  add('cursor-rules', 'rule files of Cursor', rules.length)
  const { folder, files } = findAdrs(root)
  if (folder !== root) add('adr', `decision records in ${path.relative(root, folder)}`, files.length)
  if (exists(path.join(root, '.git'))) add('git', 'commits, of which few say why', await commitsIn(root))
  if (exists(path.join(root, '.obsidian'))) add('obsidian', 'notes', notesIn(root))
  if (exists(path.join(root, '.agent-memory')))
    add('agent-memory', 'memory of another tool', 1, path.join(root, '.agent-memory'))
  for (const place of placesOutside(root)) {
    if (!exists(place.path)) continue
    const count = looksOutside ? await countOutside(place, root, databases) : null
    const unit = place.format === 'claude-mem' ? 'observations of this project' : 'notes'
    found.push({ ...place, outside: true, count, unit })
  }
  return found
}

function isJson(file: string): boolean {
  return file.endsWith('.json')
}

function rulesIn(root: string, file: string): number {
  const note = readNote(root, file)
  return isTrouble(note) ? 0 : readInstructions(note.text).notes.length
}

function notesIn(folder: string): number {
  return findNotes(folder, { isWanted: file => /\.md$/i.test(file) }).files.length
}

async function commitsIn(root: string): Promise<number> {
  const words = ['rev-list', '--count', '--no-merges', 'HEAD', '--', '.']
  for await (const field of readGitFields(words, root, { maxFieldLength: 20, patienceMs: COUNT_MS }))
    return Number.parseInt(field, 10) || 0
  return 0
}

async function countOutside(
  { format, path: place }: { format: SourceFormat; path: string },
  root: string,
  databases: ForeignDatabases,
): Promise<number | null> {
  if (format !== 'claude-mem') return notesIn(place)
  try {
    const database = await databases.open(place)
    try {
      const sql = 'SELECT COUNT(*) AS n FROM observations WHERE project = ?'
      for (const { n } of database.rows(sql, path.basename(root))) return Number(n)
      return 0
    } finally {
      database.close()
    }
  } catch (error) {
    // The import itself will report what is wrong.
    if (!(error instanceof CairnError)) throw error
    return null
  }
}
