import * as path from 'node:path'
import { projectAt } from '../../features/projects/resolve-project.ts'
import type { Memory } from '../../kernel/memory.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import { parseAgentId } from '../../kernel/model/agent-id.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { isInside, memoryPaths } from '../../kernel/system/paths.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import type { ObsidianLink, VaultState } from './decide/obsidian-vault.ts'
import type { SyncPlan, SyncStep } from './decide/plan-sync.ts'
import type { ObsidianPorts } from './decide/ports.ts'
import type { SyncProblem } from './decide/sync-problems.ts'
import { getLink, refuseMissing, refuseUntrusted } from './linked-vault.ts'
import { compareSides } from './sync-notes.ts'

export interface VaultLinkOptions {
  /** The folder of the vault. */
  readonly vault: string
  /** Below the vault; the default is `Cairn/<project>`. */
  readonly folder?: string | undefined
  readonly agents?: readonly string[] | undefined
  readonly includePrivate?: boolean | undefined
  readonly dryRun?: boolean | undefined
}

export interface LinkedVault {
  readonly link: ObsidianLink
  /** The previous link; null: none. */
  readonly before: ObsidianLink | null
  /** The number of entries that the first sync will find. */
  readonly entries: number
  readonly notes: number
}

/** Not allowed on every system, or not in a link of Obsidian. */
const UNFIT = /[\\:*?"<>|#^[\]\p{Cc}]/u
const MAX_FOLDER_LENGTH = 200

/** Sets the place for the notes of this project. Only the user can do this. */
export async function linkObsidian(
  memory: Memory & ObsidianPorts,
  options: VaultLinkOptions,
): Promise<LinkedVault> {
  refuseUntrusted(memory)
  const link = await wantedLink(memory, options)
  const before = (await memory.obsidian.link()) ?? null
  await refuseMissing(memory, link)
  const base = await memory.obsidian.base(link)
  const { entries, notes } = await compareSides(memory, link, base, {})
  if (options.dryRun !== true) await memory.obsidian.keepLink(link)
  return { link, before, entries, notes }
}

async function wantedLink(engine: Memory & ObsidianPorts, options: VaultLinkOptions): Promise<ObsidianLink> {
  const given = path.resolve(options.vault)
  const vault = nodeDisk.realPath(given)
  if (vault === undefined || nodeDisk.isFolder(vault) !== true)
    throw new CairnError({
      code: 'file_not_found',
      message: `Folder not found: ${given}.`,
      hint: 'Name the folder that Obsidian opens as a vault.',
    })
  const folder = checkedFolder(options.folder ?? `Cairn/${projectName(memoryFolderOf(engine).root)}`)
  const place = path.join(vault, folder)
  const { memory } = memoryPaths(
    nodeDisk.realPath(memoryFolderOf(engine).root) ?? memoryFolderOf(engine).root,
  )
  if (isInside(place, memory) || isInside(memory, place))
    throw new CairnError({
      code: 'invalid_input',
      message: `${place} is or contains the memory of this project, which cannot be synced with itself.`,
      hint: 'Name a vault or a folder outside it.',
    })
  for (const { project, link: other } of await engine.obsidian.otherLinks()) {
    const taken = path.join(other.vault, other.folder)
    if (isInside(place, taken) || isInside(taken, place))
      throw new CairnError({
        code: 'invalid_input',
        message: `${taken} contains the notes of ${project}.`,
        hint: 'Name another folder with --folder: the notes of two projects do not mix.',
      })
  }
  const agents = [...new Set((options.agents ?? []).map(parseAgentId))]
  return {
    vault,
    folder,
    ...(agents.length > 0 && { agents }),
    includesPrivate: options.includePrivate === true,
    hasSettings: nodeDisk.isFolder(path.join(vault, '.obsidian')) === true,
    since: utcMinute(engine.clock.nowMs()),
  }
}

function checkedFolder(given: string): string {
  const parts = given.split('/').filter(part => part !== '')
  const isFit =
    parts.length > 0 &&
    given.length <= MAX_FOLDER_LENGTH &&
    parts.every(part => !part.startsWith('.') && !/[. ]$/.test(part) && !UNFIT.test(part))
  if (isFit) return parts.join('/').normalize('NFC')
  throw new CairnError({
    code: 'invalid_input',
    message: `${JSON.stringify(given.slice(0, 100))} cannot be a folder of the vault.`,
    hint: 'Name it from the vault on, with /, for example: --folder Cairn/api',
  })
}

function projectName(root: string): string {
  const name = path
    .basename(root)
    .replace(/[\\:*?"<>|#^[\]\p{Cc}]+/gu, '-')
    .replace(/^\.+|[. ]+$/g, '')
  return name === '' ? 'project' : name
}

export interface UnlinkedVault {
  readonly link: ObsidianLink
  /** Notes that were moved to the trash of the vault. */
  readonly removed: readonly string[]
  /** Notes that stay, and why. */
  readonly stay: readonly { readonly path: string; readonly why: string }[]
  readonly dryRun: boolean
}

/** Ends the sync. `removeNotes`: unchanged notes that Cairn created go to the trash of the vault. */
export async function unlinkObsidian(
  memory: Memory & ObsidianPorts,
  { removeNotes = false, dryRun = false }: { removeNotes?: boolean; dryRun?: boolean } = {},
): Promise<UnlinkedVault> {
  const link = await getLink(memory)
  const removed: string[] = []
  const stay: { path: string; why: string }[] = []
  const drop = async () => {
    if (dryRun) return
    await memory.obsidian.dropLink()
    await memory.obsidian.dropBase()
  }
  if (!removeNotes) {
    await drop()
    return { link, removed, stay, dryRun }
  }
  await refuseMissing(memory, link)
  await memory.obsidian.alone(async () => {
    const base = await memory.obsidian.base(link)
    const { plan } = await compareSides(memory, link, base, {})
    const idByPath = new Map([...plan.settled].map(([id, pair]) => [pair.path, id]))
    for (const note of await memory.obsidian.notes(link)) {
      const id = idByPath.get(note.path)
      const pair = id === undefined ? undefined : plan.settled.get(id)
      const isOurs = 'text' in note && pair?.isOurs === true && pair.raw === textHash(note.text)
      if (!isOurs) stay.push({ path: note.path, why: pair === undefined ? 'not in step' : 'not ours alone' })
      else if (dryRun || (await memory.obsidian.trash(link, note.path, note.text)) === 'moved')
        removed.push(note.path)
      else stay.push({ path: note.path, why: 'it was changed just now' })
    }
    await drop()
  })
  return { link, removed, stay, dryRun }
}

export interface ObsidianStatus {
  readonly link: ObsidianLink | null
  /** null: no vault is linked. */
  readonly vault: VaultState | null
  readonly isTrusted: boolean
  readonly entries: number
  readonly notes: number
  /** What the next sync would do; null: unknown. */
  readonly waiting: Readonly<Record<SyncStep['does'], number>> | null
  readonly held: SyncPlan['held']
  readonly conflicts: SyncPlan['conflicts']
  readonly problems: readonly SyncProblem[]
}

export async function obsidianStatus(memory: Memory & ObsidianPorts): Promise<ObsidianStatus> {
  const link = (await memory.obsidian.link()) ?? null
  const isTrusted = projectAt(memoryFolderOf(memory).root).standing === 'trusted'
  const vault = link === null ? null : await memory.obsidian.look(link)
  const nothing = { entries: 0, notes: 0, waiting: null, held: null, conflicts: [], problems: [] }
  if (link === null || vault !== 'there' || !isTrusted) return { link, vault, isTrusted, ...nothing }
  const { plan, entries, notes } = await compareSides(memory, link, await memory.obsidian.base(link), {})
  const { held, conflicts, problems } = plan
  return { link, vault, isTrusted, entries, notes, waiting: totalsOf(plan.steps), held, conflicts, problems }
}

export const STEP_NAMES = [
  'add_entry',
  'update_entry',
  'revive_entry',
  'remove_entry',
  'create_note',
  'update_note',
  'trash_note',
  'keep_both',
] as const satisfies readonly SyncStep['does'][]

function totalsOf(steps: readonly SyncStep[]): Record<SyncStep['does'], number> {
  const totals = Object.fromEntries(STEP_NAMES.map(does => [does, 0])) as Record<SyncStep['does'], number>
  for (const { does } of steps) totals[does]++
  return totals
}
