import * as os from 'node:os'
import * as path from 'node:path'
import type { CairnCommand } from '../hosts/install/decide/install-plan.ts'
import { type InstallParts, loadIntegrations } from '../hosts/install/install-parts.ts'
import { CairnError } from '../kernel/model/errors.ts'
import { systemClock } from '../kernel/system/clock.ts'
import { type Disk, nodeDisk, privateDisk } from '../kernel/system/disk.ts'
import { environmentVariable } from '../kernel/system/environment.ts'
import { withProcessMutex } from '../kernel/system/process-mutex.ts'
import { userFolder } from '../kernel/system/user-folder.ts'
import { sqliteWriterLock } from '../stores/sqlite/writer-lock.ts'

const LOCK_TIMEOUT_MS = 10_000
const LOCK_PAUSE_MS = 25

/** Installation on this machine, for this user. `project` is the folder for the project level. */
export async function composeInstall({ project }: { readonly project?: string } = {}): Promise<InstallParts> {
  const records = path.join(userFolder(), 'installs')
  return {
    disk: nodeDisk,
    privateDisk,
    home: os.homedir(),
    environment: environmentVariable,
    isWindows: process.platform === 'win32',
    ...(project !== undefined && { project: path.resolve(project) }),
    records,
    command: cairnCommand(nodeDisk),
    integrations: await loadIntegrations(),
    exclusively: work => exclusively(records, work),
    now: () => new Date(systemClock.nowMs()).toISOString(),
    unique: () => `${process.pid.toString(36)}${systemClock.random(0x7fffffff).toString(36)}`,
  }
}

/** By name if the shell's `cairn` is this program; an npx cache or a checkout is called by its path. */
export function cairnCommand(disk: Disk): CairnCommand {
  const [node = 'node', script = 'cairn'] = process.argv
  const real = disk.realPath(script) ?? script
  const isWindows = process.platform === 'win32'
  for (const folder of (environmentVariable('PATH') ?? '').split(path.delimiter)) {
    if (folder === '') continue
    const found = ['cairn', ...(isWindows ? ['cairn.cmd'] : [])]
      .map(name => path.join(folder, name))
      .find(file => disk.stamp(file) !== undefined)
    if (found === undefined) continue
    // npm creates a link there, or on Windows a script next to the package. A folder that only npx or npm adds to the path is temporary.
    const isLasting = !/[\\/](?:_npx|node_modules[\\/]\.bin)(?:[\\/]|$)/.test(folder)
    const isThis = disk.realPath(found) === real || (isWindows && real.startsWith(path.dirname(found)))
    if (isLasting && isThis) return { kind: 'on-path' }
    break
  }
  return { kind: 'script', node: path.resolve(node), script: path.resolve(real) }
}

/** The system releases the lock when its process dies. */
async function exclusively<T>(folder: string, work: () => T): Promise<T> {
  return withProcessMutex(folder, async () => {
    privateDisk.makeFolder(folder)
    const lock = sqliteWriterLock(path.join(folder, 'lock.db'), privateDisk)
    try {
      const until = systemClock.nowMs() + LOCK_TIMEOUT_MS
      while (!lock.tryAcquire()) {
        if (systemClock.nowMs() > until) throw locked()
        await systemClock.sleep(LOCK_PAUSE_MS)
      }
      try {
        return work()
      } finally {
        lock.release()
      }
    } finally {
      lock.close()
    }
  })
}

function locked(): CairnError {
  return new CairnError({
    code: 'store_locked',
    message: 'Another process is installing or uninstalling.',
    hint: 'Wait for it to end, then run the command again.',
  })
}
