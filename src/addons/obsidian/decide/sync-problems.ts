import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'

/** A note that could not be synced, and what the user can do about it. */
export interface SyncProblem {
  readonly code: NoticeCode
  /** The path of the note below the synced folder. */
  readonly path: string
  readonly message: string
  readonly hint: string
}

export function brokenNote(path: string, line: number, why: string): SyncProblem {
  return {
    code: 'properties_broken',
    path,
    message: `The properties of ${path} cannot be read (line ${line}: ${why}).`,
    hint: 'Mend them in Obsidian; until then neither the note nor its entry is touched.',
  }
}

export function copiedNote(path: string, first: string): SyncProblem {
  return {
    code: 'note_copied',
    path,
    message: `${path} says that it is the note of the same entry as ${first}.`,
    hint: `It is left alone. Remove its \`cairn\` property to make it an entry of its own, or delete it.`,
  }
}

export function emptyNote(path: string): SyncProblem {
  return {
    code: 'note_empty',
    path,
    message: `${path} has no text any more; its entry stays as it is.`,
    hint: 'Delete the note to have the entry forgotten, or write a text.',
  }
}

export function notWritable(path: string, why: string): SyncProblem {
  return {
    code: 'properties_broken',
    path,
    message: `The properties of ${path} cannot be changed (${why}).`,
    hint: 'Write them as `key: value` lines, as Obsidian does.',
  }
}

export function invalidProperties(path: string, invalid: readonly string[]): SyncProblem {
  return {
    code: 'property_invalid',
    path,
    message: `${path}: ${invalid.join(', ')} says what cannot be, and is left out.`,
    hint: 'status is candidate, confirmed or pinned; category one of the vault files; importance 0 to 1.',
  }
}

export function elsewhere(path: string): SyncProblem {
  return {
    code: 'entry_not_synced',
    path,
    message: `The entry of ${path} is there, and is not among those that are synced.`,
    hint: 'Move it back with `cairn edit <id> --agent …`, or link anew with other --agents.',
  }
}

export function unknownEntry(path: string, id: string): SyncProblem {
  return {
    code: 'entry_unknown',
    path,
    message: `${path} names the entry ${id.slice(0, 60)}, which is not in this memory.`,
    hint: 'Remove its `cairn` property to have it taken in, or delete the note.',
  }
}
