import * as path from 'node:path'
import { composeInstall } from '../../../compose/compose-install.ts'
import type { HookPorts } from '../../../hosts/hooks/decide/ports.ts'
import { drainSpool } from '../../../hosts/hooks/worker.ts'
import { LAYOUT } from '../../../kernel/layout.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'
import { generatorVersion } from '../../../kernel/system/package-facts.ts'
import { placeIn } from '../../../kernel/system/paths.ts'
import { ownCommand } from '../../../kernel/system/start-command.ts'
import type { OperationContext } from '../../../verbs/operation.ts'
import type { AskPorts } from '../../agent-saves/decide/ports.ts'
import type { ConflictPorts } from '../../conflicts/decide/ports.ts'
import type { ClosingPorts } from '../../learning/decide/ports.ts'
import type { ShelfPorts } from '../../search/decide/ports.ts'
import type { DoctorCheck } from '../check.ts'
import { checkHosts, installedHosts } from '../check-hosts.ts'
import { checkTrust, checkUserFolder } from '../check-user-folder.ts'

/** A turn of an agent may take long; what nobody has taken in after this was left by somebody who died. */
const LEFT_AFTER_MS = 3_600_000

/** Every link between a host of this machine and this memory. */
export async function checkChain(
  memory: Memory & ClosingPorts & ShelfPorts & ConflictPorts & AskPorts & HookPorts,
  { fix, onProgress }: { readonly fix: boolean } & OperationContext,
): Promise<DoctorCheck[]> {
  const { root } = memoryFolderOf(memory)
  const install = await composeInstall({ project: root })
  const isInstalled = installedHosts(install).length > 0
  const hosts = await checkHosts({
    install,
    root,
    version: generatorVersion(),
    ownWords: ownCommand(),
    fix,
    ...(onProgress !== undefined && { onProgress }),
  })
  return [
    ...hosts,
    ...(isInstalled ? checkTrust(root) : []),
    ...checkUserFolder(install, { root, fix, nowMs: memory.clock.nowMs() }),
    ...(await checkSpool(memory, fix)),
  ]
}

/** What hooks left behind, and no worker has taken in. */
async function checkSpool(
  memory: Memory & ClosingPorts & ShelfPorts & ConflictPorts & AskPorts & HookPorts,
  fix: boolean,
): Promise<DoctorCheck[]> {
  const folder = placeIn(memoryFolderOf(memory).memory, LAYOUT.spool)
  if (nodeDisk.isFolder(folder) !== true) return []
  const left = (await memory.hookSpool.waiting()).filter(name => isOld(memory, folder, name))
  if (left.length === 0) return []
  const name = 'hook spool'
  if (!fix)
    return [
      {
        name,
        result: 'warning',
        message: `what hooks heard in ${left.length} ${left.length === 1 ? 'session' : 'sessions'} waits for over an hour`,
        hint: '`cairn doctor --fix` takes it in; the next turn of an agent does too.',
      },
    ]
  const troubles: string[] = []
  const note = (event: string, error: unknown) =>
    troubles.push(`${event}: ${error instanceof Error ? error.message : String(error)}`)
  await drainSpool(memory, { note, afterwards: async () => undefined })
  const still = (await memory.hookSpool.waiting()).filter(one => left.includes(one))
  return still.length === 0
    ? [{ name, result: 'fixed', message: `what hooks heard in ${left.length} sessions was taken in` }]
    : [
        {
          name,
          result: 'failure',
          message: `what hooks heard in ${still.length} sessions cannot be taken in${troubles[0] === undefined ? '' : `: ${troubles[0].slice(0, 200)}`}`,
          hint: `The lines are in ${folder}.`,
        },
      ]
}

function isOld(memory: Memory, folder: string, name: string): boolean {
  const stamps = ['jsonl', 'taken'].flatMap(
    ending => nodeDisk.stamp(path.join(folder, `${name}.${ending}`)) ?? [],
  )
  return stamps.every(({ mtimeMs }) => memory.clock.nowMs() - mtimeMs > LEFT_AFTER_MS)
}
