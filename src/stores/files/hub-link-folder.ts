import * as path from 'node:path'
import {
  type HubAddress,
  type HubLink,
  isTokenText,
  type LinkLog,
  type LinkState,
} from '../../addons/link/decide/link-state.ts'
import { LAYOUT, type MemoryFile } from '../../kernel/layout.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { asStorageError, type Disk, privateDisk } from '../../kernel/system/disk.ts'
import { type MemoryPaths, placeIn } from '../../kernel/system/paths.ts'
import { withProcessMutex } from '../../kernel/system/process-mutex.ts'
import type { WriterLock } from '../../kernel/vault/ports.ts'
import type { AllowanceFile } from './allowance-file.ts'
import { safePaths } from './safe-path.ts'

const PAUSE_MS = 100
/** The address and the token are in the user's own folder; what was agreed is next to the index. */
export function hubLinkFolder({
  paths,
  disk,
  clock,
  user,
  project,
  allowances,
  turn,
  openState,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  /** The user's own folder. */
  readonly user: string
  /** The real path of the project. */
  readonly project: string
  readonly allowances: AllowanceFile
  readonly turn: WriterLock
  readonly openState: (location: string) => LinkState
}): HubLink {
  const tokenFile = path.join(user, 'hub-tokens', textHash(project))
  const placeOf = (file: MemoryFile) => safePaths(paths, disk).check(placeIn(paths.memory, file))

  function makeFolder(): void {
    try {
      disk.makeFolder(paths.vaultData)
    } catch (error) {
      throw asStorageError(error, 'The folder of the index')
    }
  }

  function readAddress(): HubAddress | undefined {
    const found = allowances.find()
    return found.kind === 'allowed' ? (JSON.parse(found.terms) as HubAddress) : undefined
  }

  return {
    address: async () => readAddress(),
    async token(address) {
      const bytes = disk.readFile(tokenFile)
      const token = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8').trim()
      // Read after the token: a new token is written after the address that it belongs to.
      if (isTokenText(token) && isSamePlace(readAddress(), address)) return token
      throw new CairnError({
        code: 'not_linked',
        message:
          'The token of the link is missing from your folder, is not valid, or belongs to another link.',
        hint: '`cairn link <hub-url> --token-file <file>` sets it again; the sync state is not lost.',
      })
    },
    async keep(address, token) {
      privateDisk.makeFolder(path.dirname(tokenFile))
      const fresh = `${tokenFile}.cairn-tmp`
      privateDisk.writeFile(fresh, Buffer.from(`${token}\n`))
      // Never the address of one hub next to the token of another: in between there is no token.
      if (!isSamePlace(readAddress(), address)) disk.remove(tokenFile)
      allowances.put(JSON.stringify(address), address.since)
      privateDisk.rename(fresh, tokenFile)
    },
    async remove() {
      disk.remove(tokenFile)
      return allowances.remove()
    },
    async state() {
      makeFolder()
      return openState(placeOf(LAYOUT.linkState))
    },
    async log() {
      const bytes = disk.readFile(placeOf(LAYOUT.linkLog))
      return bytes === undefined ? undefined : parsedLog(Buffer.from(bytes).toString('utf8'))
    },
    async keepLog(log) {
      makeFolder()
      const file = placeOf(LAYOUT.linkLog)
      const fresh = `${file}.cairn-tmp`
      try {
        disk.writeFile(fresh, Buffer.from(`${JSON.stringify(log)}\n`))
        disk.rename(fresh, file)
      } catch (error) {
        throw asStorageError(error, 'The log of the link')
      }
    },
    alone: (work, patienceMs) =>
      withProcessMutex(`${paths.vaultData}/link`, async () => {
        makeFolder()
        const endMs = clock.nowMs() + patienceMs
        while (!turn.tryAcquire()) {
          if (clock.nowMs() >= endMs) throw alreadySyncing()
          await clock.sleep(PAUSE_MS)
        }
        try {
          return await work()
        } finally {
          turn.release()
        }
      }),
  }
}

function isSamePlace(a: HubAddress | undefined, b: Pick<HubAddress, 'url' | 'project'>): boolean {
  return a !== undefined && a.url === b.url && a.project === b.project
}

/** undefined: no sync yet, or a log that cannot be read. */
function parsedLog(text: string): LinkLog | undefined {
  try {
    const log = JSON.parse(text) as LinkLog
    return typeof log === 'object' && log !== null && typeof log.attemptedMs === 'number' ? log : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function alreadySyncing(): CairnError {
  return new CairnError({
    code: 'store_locked',
    message: 'Another process syncs this memory with its hub.',
    hint: 'Try again in a moment; `cairn link` shows how the last sync went.',
  })
}
