import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import * as v from 'valibot'
import { absentAsUndefined, privateDisk } from './disk.ts'
import { isProcessAlive, ownProcessId } from './live-process.ts'
import { restrictToUser, userFolder } from './user-folder.ts'

/**
 * `~/.cairn/run/up-<project>.json`: which process serves a project, and at which address. It exists while the server runs, or if it was
 * killed.
 */
const markSchema = v.object({
  pid: v.number(),
  port: v.number(),
  host: v.string(),
  root: v.string(),
  startedAt: v.string(),
  /** The version of the serving Cairn. */
  version: v.string(),
})
export type UpMark = v.InferOutput<typeof markSchema>

/** Lets two servers detect that they serve the same folder. */
export function projectHash(root: string): string {
  const real = fs.existsSync(root) ? fs.realpathSync.native(root) : path.resolve(root)
  return createHash('sha256').update(real).digest('hex').slice(0, 16)
}

function fileOf(root: string, user: string): string {
  return path.join(user, 'run', `up-${projectHash(root)}.json`)
}

type UpMarkState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly mark: UpMark }
  /** Its process is gone, or it cannot be read. */
  | { readonly kind: 'stale'; readonly file: string }

/** The content of the mark, and whether its process is running: it may be another process with the same id by now. */
export function upMarkState(root: string, user: string = userFolder()): UpMarkState {
  const file = fileOf(root, user)
  const text = absentAsUndefined(() => fs.readFileSync(file, 'utf8'))
  if (text === undefined) return { kind: 'none' }
  const mark = v.safeParse(v.pipe(v.string(), v.parseJson(), markSchema), text)
  return mark.success && isProcessAlive(mark.output.pid)
    ? { kind: 'running', mark: mark.output }
    : { kind: 'stale', file }
}

/** undefined: no server, or one that is gone. */
export function findUpMark(root: string, user: string = userFolder()): UpMark | undefined {
  const state = upMarkState(root, user)
  return state.kind === 'running' ? state.mark : undefined
}

/** The address of the server on this machine. */
export function addressOf({ host, port }: UpMark): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/`
}

export function putUpMark(mark: UpMark, user: string = userFolder()): void {
  const file = fileOf(mark.root, user)
  privateDisk.makeFolder(path.dirname(file))
  restrictToUser(path.dirname(file))
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  fs.writeFileSync(unfinished, `${JSON.stringify(mark)}\n`, { mode: 0o600, flag: 'wx' })
  fs.renameSync(unfinished, file)
}

/** Another server of the project may have written its own mark since. */
export function clearUpMark(root: string, user: string = userFolder()): void {
  if (findUpMark(root, user)?.pid === ownProcessId()) fs.rmSync(fileOf(root, user), { force: true })
}
