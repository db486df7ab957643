import { CairnError } from '../../kernel/model/errors.ts'
import { errnoOf } from '../../kernel/system/disk.ts'

export const DENIED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS'])
/** The disk is missing, although its folder exists. */
export const AWAY: ReadonlySet<string> = new Set([
  'ENOTCONN',
  'ESTALE',
  'ENODEV',
  'ENXIO',
  'EHOSTDOWN',
  'EIO',
])
export const NO_FLUSH: ReadonlySet<string> = new Set([
  'EINVAL',
  'ENOTSUP',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENOENT',
])
/** This file cannot be created: its name is too long, or a file has the name of its folder. */
const UNFIT_PLACE: ReadonlySet<string> = new Set([
  'ENAMETOOLONG',
  'EINVAL',
  'EILSEQ',
  'ENOTDIR',
  'EISDIR',
  'EEXIST',
])

export function isOfOneNote({ code, cause }: CairnError): boolean {
  if (code === 'memory_outside_project') return true
  const errno = errnoOf(cause) ?? ''
  return UNFIT_PLACE.has(errno) || (DENIED.has(errno) && errno !== 'EROFS')
}

export function asVaultError(error: unknown, subject: string): CairnError {
  if (error instanceof CairnError) return error
  const errno = errnoOf(error) ?? 'unknown'
  if (errno === 'ENOSPC' || errno === 'EDQUOT')
    return new CairnError({
      code: 'disk_full',
      message: `No space left in the Obsidian vault while writing ${subject}.`,
      hint: 'Free some space on the disk of the vault.',
      cause: error,
    })
  if (DENIED.has(errno))
    return new CairnError({
      code: 'vault_read_only',
      message: `${subject} in the Obsidian vault cannot be written (${errno}).`,
      hint: 'Check the permissions of the vault, and whether its disk is mounted for writing.',
      cause: error,
    })
  return new CairnError({
    code: 'store_io',
    message: `${subject} in the Obsidian vault: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'Check whether the disk of the vault is mounted and healthy.',
    cause: error,
  })
}

export function notListed(folder: string): CairnError {
  return new CairnError({
    code: 'vault_read_only',
    message: `${folder} in the Obsidian vault cannot be read; nothing was synced.`,
    hint: 'Check the permissions of the vault.',
  })
}

export function throughLink(name: string): CairnError {
  return new CairnError({
    code: 'memory_outside_project',
    message: `${name} is a link or behind a link, and notes are neither read nor written through links.`,
    hint: 'Replace the link with a folder, or link another folder of the vault.',
  })
}

export function alreadySyncing(): CairnError {
  return new CairnError({
    code: 'store_locked',
    message: 'Another process is syncing these notes.',
    hint: 'Try again in a moment.',
  })
}
