import * as fs from 'node:fs'
import * as path from 'node:path'
import { serverMark } from '../../hosts/hooks/decide/server-mark.ts'
import type { HostId } from '../../kernel/model/host.ts'
import { errnoOf, privateDisk } from '../../kernel/system/disk.ts'
import { restrictToUser, userFolder } from '../../kernel/system/user-folder.ts'

/**
 * `~/.cairn/run/<host>-<host's process>.pid`: the server with this pid answers the prompts of that host, so the hook command does not
 * have to start Node. It exists while the server runs.
 */
export interface ServerMarks {
  has(host: HostId): boolean
  put(host: HostId): void
  /** Removes the marks of this process. */
  clear(): void
}

const MARK = /\.pid(?:\.(\d+))?$/
const MAX_SWEPT = 2_000
/** A pid and a line feed. */
const MAX_BYTES = 32

export function serverMarks({
  user = userFolder(),
  pid = process.pid,
  hostPid = process.ppid,
}: {
  readonly user?: string
  readonly pid?: number
  /** The parent process: a hook identifies its host by the same number. */
  readonly hostPid?: number
} = {}): ServerMarks {
  const own = new Map<HostId, string>()
  return {
    has: host => own.has(host),
    put(host) {
      if (own.has(host)) return
      const file = path.join(user, serverMark(host, hostPid))
      const folder = path.dirname(file)
      privateDisk.makeFolder(folder)
      restrictToUser(folder)
      sweep(folder)
      // Renamed into place: a reader finds a complete pid, and nothing is written through a link.
      const unfinished = `${file}.${pid}`
      fs.writeFileSync(unfinished, `${pid}\n`, { mode: 0o600, flag: 'wx' })
      fs.renameSync(unfinished, file)
      own.set(host, file)
    },
    clear() {
      // Another server of the same host may have taken its place since.
      for (const file of own.values()) if (pidIn(file) === pid) fs.rmSync(file, { force: true })
      own.clear()
    },
  }
}

/** Killed servers could not remove their marks. */
function sweep(folder: string): void {
  for (const name of fs.readdirSync(folder).slice(0, MAX_SWEPT)) {
    const mark = MARK.exec(name)
    if (mark === null) continue
    const file = path.join(folder, name)
    const owner = mark[1] === undefined ? pidIn(file) : Number(mark[1])
    if (owner === undefined || !isAlive(owner)) fs.rmSync(file, { force: true })
  }
}

/** undefined: it does not exist, or is not one of our marks. */
function pidIn(file: string): number | undefined {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (stat?.isFile() !== true || stat.size > MAX_BYTES) return undefined
  try {
    const pid = Number(fs.readFileSync(file, 'utf8').trim())
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process of another user is alive too.
    return errnoOf(error) === 'EPERM'
  }
}
