import { CairnError } from '../../kernel/model/errors.ts'
import { errnoOf, privateDisk } from '../../kernel/system/disk.ts'
import { userFolder } from '../../kernel/system/user-folder.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { parseFields, textField } from './decide/payload-fields.ts'

/** A hook that failed. It never has the text of a prompt or of a payload. */
interface HookFailure {
  /** UTC ISO. */
  readonly at: string
  readonly host: string
  readonly event: string
  readonly root?: string
  readonly code: string
  readonly message: string
}

/** A larger file loses its older half. */
const MAX_BYTES = 131_072
const MAX_MESSAGE_LENGTH = 300

function hookFailuresFile(): string {
  return `${userFolder()}/hook-failures.jsonl`
}

/** The same for an error, of which nothing is quoted that may come from a user. */
export function noteHookError(failure: Omit<HookFailure, 'code' | 'message'>, error: unknown): void {
  noteHookFailure({ ...failure, ...inWords(error) })
}

/**
 * Records that a hook failed; `cairn status` and `cairn doctor` show it. Never throws: there is no caller that could handle it. Several
 * processes may do so at the same time; when the file is cut, a line of another process may be lost with the old ones.
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
    // A full disk, or a home folder that cannot be written: the host must not fail because of it.
    if (errnoOf(unwritable) === undefined && !(unwritable instanceof CairnError)) throw unwritable
  }
}

/** An unexpected error may quote its input: only its name and its place are stored. */
function inWords(error: unknown): { code: string; message: string } {
  if (error instanceof CairnError) return { code: error.code, message: cleaned(error.message) }
  const errno = errnoOf(error)
  if (errno !== undefined)
    return { code: 'store_io', message: `${errno} (${(error as { syscall?: string }).syscall ?? '?'})` }
  if (!(error instanceof Error))
    return { code: 'unexpected', message: 'a value that is not an Error was thrown' }
  const place = /\n\s+at (.{1,120})/.exec(error.stack ?? '')?.[1] ?? 'an unknown place'
  return { code: 'unexpected', message: cleaned(`${error.name} at ${place}`) }
}

function cleaned(text: string): string {
  return redact(text.replace(/\s+/g, ' ')).text.slice(0, MAX_MESSAGE_LENGTH)
}

/** Newest first. Damaged lines are skipped and counted. */
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

function renderFailure({ at, host, event, root, code, message }: HookFailure): string {
  return JSON.stringify({ at, host, event, ...(root !== undefined && { root }), code, message })
}

/** undefined: not a line of ours. */
function parseFailure(text: string): HookFailure | undefined {
  const fields = parseFields(text)
  if (fields === undefined) return undefined
  const at = textField(fields, 'at')
  const code = textField(fields, 'code')
  if (at === undefined || code === undefined) return undefined
  const root = textField(fields, 'root')
  return {
    at,
    host: textField(fields, 'host') ?? '',
    event: textField(fields, 'event') ?? '',
    ...(root !== undefined && { root }),
    code,
    message: textField(fields, 'message') ?? '',
  }
}
