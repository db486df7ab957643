import * as path from 'node:path'
import type { HubAddress } from '../../../addons/link/decide/link-state.ts'
import type { LinkPorts, SyncPorts } from '../../../addons/link/decide/ports.ts'
import { composeInstall } from '../../../compose/compose-install.ts'
import type { HookPorts } from '../../../hosts/hooks/decide/ports.ts'
import { drainHookQueue } from '../../../hosts/hooks/worker.ts'
import { LAYOUT } from '../../../kernel/layout.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { areaOf } from '../../../kernel/model/vault-layout.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'
import { readGitFields } from '../../../kernel/system/git.ts'
import { generatorVersion } from '../../../kernel/system/package-facts.ts'
import { placeIn } from '../../../kernel/system/paths.ts'
import { ownCommand } from '../../../kernel/system/start-command.ts'
import type { OperationContext } from '../../../verbs/operation.ts'
import type { AskPorts } from '../../agent-saves/decide/ports.ts'
import type { ConflictPorts } from '../../conflicts/decide/ports.ts'
import type { ClosingPorts } from '../../learning/decide/ports.ts'
import type { DocumentPorts } from '../../search/decide/ports.ts'
import { type LinkView, linkView } from '../../status/verbs/link-view.ts'
import type { DoctorCheck } from '../check.ts'
import { checkHosts, installedHosts } from '../check-hosts.ts'
import { checkTrust, checkUserFolder } from '../check-user-folder.ts'

/** A turn of an agent may take long. Older lines were left by a process that died. */
const LEFT_AFTER_MS = 3_600_000

/** Checks every link between a host of this machine and this memory. */
export async function checkChain(
  memory: Memory & ClosingPorts & DocumentPorts & ConflictPorts & AskPorts & HookPorts,
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

/** Lines of hooks that no worker has processed. */
async function checkSpool(
  memory: Memory & ClosingPorts & DocumentPorts & ConflictPorts & AskPorts & HookPorts,
  fix: boolean,
): Promise<DoctorCheck[]> {
  const folder = placeIn(memoryFolderOf(memory).memory, LAYOUT.spool)
  if (nodeDisk.isFolder(folder) !== true) return []
  const left = (await memory.hookQueue.waiting()).filter(name => isOld(memory, folder, name))
  if (left.length === 0) return []
  const name = 'hook spool'
  if (!fix)
    return [
      {
        name,
        result: 'warning',
        message: `lines of hooks from ${left.length} ${left.length === 1 ? 'session' : 'sessions'} have been waiting for over an hour`,
        hint: '`cairn doctor --fix` processes them; the next turn of an agent does too.',
      },
    ]
  const troubles: string[] = []
  const note = (event: string, error: unknown) =>
    troubles.push(`${event}: ${error instanceof Error ? error.message : String(error)}`)
  await drainHookQueue(memory, { note, afterwards: async () => undefined })
  const still = (await memory.hookQueue.waiting()).filter(one => left.includes(one))
  return still.length === 0
    ? [{ name, result: 'fixed', message: `lines of hooks from ${left.length} sessions were processed` }]
    : [
        {
          name,
          result: 'failure',
          message: `lines of hooks from ${still.length} sessions cannot be processed${troubles[0] === undefined ? '' : `: ${troubles[0].slice(0, 200)}`}`,
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

/** Short, because a person waits for the answer. */
const ASK_MS = 3_000

/** The link of this project: its local state, and the answer of the hub to its token. An unreachable hub is not a failure. */
export async function checkLink(memory: Memory & SyncPorts): Promise<DoctorCheck[]> {
  const address = await memory.hubLink.address()
  const view = await linkView(memory)
  if (address === undefined || view === null) return []
  return [await askHub(memory, address, view)]
}

async function askHub(
  memory: LinkPorts,
  address: HubAddress,
  view: NonNullable<LinkView>,
): Promise<DoctorCheck> {
  const place = `${address.project} at ${address.url}`
  const known = whatIsKnown(view)
  try {
    const client = await memory.hubClient(address, await memory.hubLink.token(address), { onceMs: ASK_MS })
    const { identity } = await client.hello()
    if (identity !== address.identity)
      return {
        name: 'link',
        result: 'warning',
        message: `linked to ${place}, where another hub or project answers, so nothing is sent; ${known}`,
        hint: '`cairn link <hub-url>` links the current one.',
      }
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    if (error.code === 'hub_unreachable')
      return {
        name: 'link',
        result: 'ok',
        message: `linked to ${place}, which is not reachable now; ${known}`,
        hint: 'The local memory keeps working. Waiting changes are sent when the hub is back.',
      }
    return { name: 'link', result: 'warning', message: `${error.message} ${known}`, hint: error.hint }
  }
  // Reachable again: the reason why the last sync failed may be gone.
  if (view.failure !== null && view.failure.code !== 'hub_unreachable')
    return {
      name: 'link',
      result: 'warning',
      message: `linked to ${place}, which accepts the token; ${known}; the last sync failed: ${view.failure.message}`,
      hint: view.failure.hint,
    }
  return { name: 'link', result: 'ok', message: `linked to ${place}, which accepts the token; ${known}` }
}

function whatIsKnown({ lastSync, waiting }: NonNullable<LinkView>): string {
  const last = lastSync === null ? 'never synced' : `last synced ${lastSync.slice(0, 16)}Z`
  return `${last}, ${waiting} waiting to be sent`
}

const PATIENCE_MS = 10_000
const MAX_LOOKED_UP = 100
const MAX_NAMED = 5

interface Gone {
  readonly id: string
  readonly writtenMs: number
  readonly seenGoneMs: number
}

/**
 * When git switches branches it replaces files, and an entry that is written at that moment may end up on neither branch. It is in the
 * journal. Reports entries that were found missing after a switch and are in no commit.
 */
export async function checkBranches(memory: Memory): Promise<DoctorCheck[]> {
  const { root } = memoryFolderOf(memory)
  if (nodeDisk.fileInfo(`${root}/.git`) === undefined) return []
  const gone = await goneEntries(memory)
  if (gone.length === 0) return []
  const switches = await gitLines(root, ['log', '-g', '-500', '--format=%ct %gs%x00', 'HEAD', '--'])
  const switchedMs = switches
    .filter(line => line.includes(' checkout: '))
    .map(line => Number.parseInt(line, 10) * 1_000)
  const suspects = gone.filter(({ writtenMs, seenGoneMs }) =>
    switchedMs.some(ms => ms >= writtenMs - 1_000 && ms <= seenGoneMs),
  )
  const lost: string[] = []
  for (const { id } of suspects.slice(0, MAX_LOOKED_UP)) {
    const commits = await gitLines(root, ['log', '--all', '-1', '--format=%H%x00', '-S', id, '--', '.memory'])
    if (commits.length === 0) lost.push(id)
  }
  if (lost.length === 0) return []
  const [what, more] = [lost.length === 1 ? 'entry is' : 'entries are', lost.length > MAX_NAMED ? ', …' : '']
  return [
    {
      name: 'branches',
      result: 'warning',
      message: `${lost.length} ${what} on no branch, because git switched branches after the write. ${lost.slice(0, MAX_NAMED).join(', ')}${more}`,
      hint: '`cairn restore <id>` restores an entry from the journal.',
    },
  ]
}

/** Committed entries whose last record says that they were found missing. */
async function goneEntries(memory: Memory): Promise<Gone[]> {
  const shared = (await memory.config())['vault.share']
  const seen = new Set<string>()
  const seenGone = new Map<string, number>()
  const gone: Gone[] = []
  for await (const { at, action, changes } of memory.store.readJournal({})) {
    for (const change of changes) {
      if (change.type !== 'entry') continue
      const id = (change.after ?? change.before)?.id ?? ''
      const seenGoneMs = seenGone.get(id)
      if (seenGoneMs !== undefined) {
        gone.push({ id, seenGoneMs, writtenMs: Date.parse(at) })
        seenGone.delete(id)
      } else if (!seen.has(id) && action === 'observe' && change.after === null && change.before !== null) {
        if (areaOf(change.before, shared) === 'vault') seenGone.set(id, Date.parse(at))
      }
      seen.add(id)
    }
  }
  return gone
}

async function gitLines(root: string, words: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  for await (const field of readGitFields(words, root, { maxFieldLength: 1_000, patienceMs: PATIENCE_MS }))
    if (field.trim() !== '') lines.push(field.trim())
  return lines
}
