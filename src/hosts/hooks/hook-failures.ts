import { CairnError } from '../../kernel/model/errors.ts'
import { errnoOf, privateDisk } from '../../kernel/system/disk.ts'
import { userFolder } from '../../kernel/system/user-folder.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { type HookFailure, parseFailure, renderFailure } from './decide/failure-line.ts'

/** Beyond this the older half goes. */
const MAX_BYTES = 131_072
const MAX_MESSAGE_LENGTH = 300

export function hookFailuresFile(): string {
  return `${userFolder()}/hook-failures.jsonl`
}

/** The same for an error: in our words, which quote nothing. */
export function noteHookError(failure: Omit<HookFailure, 'code' | 'message'>, error: unknown): void {
  noteHookFailure({ ...failure, ...inWords(error) })
}

/**
 * Writes down that a hook failed, where `cairn status` and `cairn doctor` show it. Never throws: there is nobody left to tell. Several
 * processes may do so at once; when the file is cut, a line of another may go with the old ones.
 */
export function noteHookFailure(failure: HookFailure, file = hookFailuresFile()): void {
  const line = renderFailure(failure)
  try {
    privateDisk.makeFolder(userFolder())
    if (privateDisk.isLink(file)) return
    const size = privateDisk.stamp(file)?.size ?? 0
    if (size > MAX_BYTES) {
      const { tail } = privateDisk.readTail(file, MAX_BYTES / 2) ?? { tail: new Uint8Array() }
      const temporary = `${file}.${process.pid}.cairn-tmp`
      privateDisk.writeFile(temporary, tail.subarray(tail.indexOf(0x0a) + 1))
      privateDisk.rename(temporary, file)
    }
    privateDisk.appendSoon(file, new TextEncoder().encode(`${line}\n`))
  } catch (unwritable) {
    // A full disk, or a home that cannot be written: the host must not hear of it.
    if (errnoOf(unwritable) === undefined && !(unwritable instanceof CairnError)) throw unwritable
  }
}

/** An error that we did not expect may quote what it was given: only its kind and its place are kept. */
function inWords(error: unknown): { code: string; message: string } {
  if (error instanceof CairnError) return { code: error.code, message: cleaned(error.message) }
  const errno = errnoOf(error)
  if (errno !== undefined)
    return { code: 'store_io', message: `${errno} (${(error as { syscall?: string }).syscall ?? '?'})` }
  if (!(error instanceof Error))
    return { code: 'unexpected', message: 'something that is no error was thrown' }
  const place = /\n\s+at (.{1,120})/.exec(error.stack ?? '')?.[1] ?? 'an unknown place'
  return { code: 'unexpected', message: cleaned(`${error.name} at ${place}`) }
}

function cleaned(text: string): string {
  return redact(text.replace(/\s+/g, ' ')).text.slice(0, MAX_MESSAGE_LENGTH)
}

/** Newest first. Damaged lines are left out and counted. */
export function readHookFailures(
  limit: number,
  file = hookFailuresFile(),
): { readonly failures: readonly HookFailure[]; readonly damaged: number } {
  const read = privateDisk.isLink(file) ? undefined : privateDisk.readTail(file, 2 * MAX_BYTES)
  const lines = new TextDecoder()
    .decode(read?.tail ?? new Uint8Array())
    .split('\n')
    .filter(line => line.trim() !== '')
  const failures = lines.flatMap(line => parseFailure(line) ?? [])
  return { failures: failures.slice(-limit).reverse(), damaged: lines.length - failures.length }
}
