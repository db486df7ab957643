import * as path from 'node:path'
import { parseSeedChats, SEED_CHATS_FILE } from '../../../features/sessions/decide/seed-chats.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'
import { toolFolder } from '../../../kernel/system/host-folder.ts'
import { memoryPaths } from '../../../kernel/system/paths.ts'
import { isTrouble, readNote } from './note-files.ts'
import type { SourceFormat } from './source.ts'
import { exists } from './source-files.ts'

/** Formats that are part of the project itself. */
const IN_PROJECT: ReadonlySet<SourceFormat> = new Set(['git', 'instructions', 'cursor-rules', 'adr'])

/** The default path of a format if the user names none. */
export function defaultPlace(format: SourceFormat | undefined, root: string): string {
  if (format !== undefined && IN_PROJECT.has(format)) return root
  const seed = format === 'conversations' ? seedPlace(root) : undefined
  if (seed !== undefined) return seed
  const elsewhere = placesOutside(root).find(place => place.format === format)
  if (elsewhere !== undefined) return elsewhere.path
  throw new CairnError({
    code: 'invalid_input',
    message:
      format === undefined
        ? 'No file or folder to import is named.'
        : `A source of the format ${format} has no usual place.`,
    hint: 'Name a file or a folder; `cairn import discover` shows what can be imported here.',
  })
}

/** The conversations of a seed A project, or at least its chat ids. */
export function seedPlace(root: string): string | undefined {
  return [memoryPaths(root).conversations, path.join(root, SEED_CHATS_FILE)].find(exists)
}

/** Whether it is `docs/chat-sessions.json`, which is not a conversation. */
export function isChatFile(file: string): boolean {
  return `/${path.resolve(file).replaceAll('\\', '/')}`.endsWith(`/${SEED_CHATS_FILE}`)
}

export function chatsOf(project: string): ReadonlyMap<string, string> {
  const note = readNote(project, SEED_CHATS_FILE)
  return isTrouble(note) ? new Map() : parseSeedChats(note.text)
}

/** Where other tools store their memory of this project; the paths may not exist. */
export function placesOutside(root: string): { format: SourceFormat; path: string }[] {
  const real = nodeDisk.realPath(root) ?? root
  // Claude Code names the folder of a project by its path.
  const slug = real.replace(/[^a-zA-Z0-9]/g, '-')
  return [
    { format: 'claude-code-memory', path: path.join(toolFolder('claude-code'), 'projects', slug, 'memory') },
    { format: 'claude-mem', path: path.join(toolFolder('claude-mem'), 'claude-mem.db') },
    { format: 'basic-memory', path: toolFolder('basic-memory') },
  ]
}
