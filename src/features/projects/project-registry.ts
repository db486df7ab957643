import * as fs from 'node:fs'
import * as path from 'node:path'
import { CairnError } from '../../kernel/model/errors.ts'
import { canonicalJson } from '../../kernel/model/json-value.ts'
import {
  type KnownProject,
  type KnownProjects,
  MAX_PROJECTS,
  type ProjectRegistry,
  type Registered,
} from '../../kernel/model/project.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { asStorageError, type Disk } from '../../kernel/system/disk.ts'
import { makeLocalFolder } from '../../kernel/system/local-folder.ts'
import { MEMORY_FOLDER } from '../../kernel/system/paths.ts'
import { withProcessMutex } from '../../kernel/system/process-mutex.ts'
import { readKnownProjects } from './known-projects.ts'
import { checkoutMark, memoryMark, readToken, realPath, tokenFile } from './repository.ts'
import { findKnown } from './resolve-project.ts'

interface RegistryParts {
  /** `~/.cairn/projects.json`. */
  readonly file: string
  readonly disk: Disk
  readonly clock: Clock
  /** Works across processes; the system releases it when its holder dies. */
  readonly openLock: (location: string) => RegistryLock
  /** Returns this many random hexadecimal digits. */
  readonly random: (digits: number) => string
}

interface RegistryLock {
  tryAcquire(): boolean
  release(): void
  close(): void
}

const PATIENCE_MS = 5_000
const PAUSE_MS = 10
const DAY_MS = 86_400_000

type Edit = (projects: readonly KnownProject[]) => readonly KnownProject[]

/** The only writer of the registry: under a lock, to a temporary file, which is then renamed. Readers see the old file or the new one. */
export function projectRegistry(parts: RegistryParts): ProjectRegistry {
  const { file, disk, clock } = parts
  const nowText = () => new Date(clock.nowMs()).toISOString()

  const change = (edit: Edit): Promise<{ movedAside?: string }> =>
    withProcessMutex(file, () =>
      locked(parts, () => {
        const known = readKnownProjects(file)
        if (known === 'damaged') refuseNewer(file)
        const movedAside = known === 'damaged' ? putAside(parts) : undefined
        const before = known === 'damaged' ? [] : known.projects
        const after = edit(before)
        if (after !== before) save(parts, { version: 1, projects: bounded(after) })
        return movedAside === undefined ? {} : { movedAside }
      }),
    )

  return {
    read: async () => readKnownProjects(file),

    async register(root, { by, ...facts }): Promise<Registered> {
      const real = existing(root)
      let project: KnownProject | undefined
      const done = await change(projects => {
        const now = nowText()
        const known = findKnown(real, projects).project
        const token = known?.token ?? parts.random(32)
        if (readToken(real) !== token) writeToken(disk, real, token)
        // The first consent stays. An explicit consent counts more than having created the memory.
        const isSaid = known?.trustedBy === 'created' && by !== 'created'
        const trust =
          known?.trustedAt === undefined ? { trustedAt: now, trustedBy: by } : isSaid ? { trustedBy: by } : {}
        const { isOwn: wasOwn, ...old } = known ?? { id: parts.random(16), firstSeenAt: now }
        const isOwn = facts.isOwn ?? wasOwn ?? false
        project = {
          ...old,
          ...(facts.gitFolder !== undefined && { gitFolder: facts.gitFolder }),
          ...(facts.repository !== undefined && { repository: facts.repository }),
          ...(isOwn && { isOwn: true as const }),
          ...trust,
          name: path.basename(real),
          root: real,
          token,
          ...marked(real),
          lastSeenAt: now,
        }
        const added = project
        if (known !== undefined && isUpToDate(known, real, clock.nowMs()) && isSameButSeen(known, added)) {
          project = known
          return projects
        }
        return [
          ...projects
            .filter(({ id, root: other }) => id !== added.id && other !== real)
            .map(each => withoutSharing(each, real)),
          added,
        ]
      })
      return { project: project as KnownProject, ...done }
    },

    async untrust(id) {
      let had = false
      await change(projects =>
        projects.map(project => {
          if (project.id !== id || project.trustedAt === undefined) return project
          had = true
          const { trustedAt: _at, trustedBy: _by, ...rest } = project
          return rest
        }),
      )
      return had
    },

    async forget(ids) {
      let forgotten: readonly KnownProject[] = []
      await change(projects => {
        forgotten = projects.filter(({ id }) => ids.includes(id))
        return forgotten.length === 0 ? projects : projects.filter(({ id }) => !ids.includes(id))
      })
      return forgotten
    },

    async share(id, checkout) {
      const root = existing(checkout)
      const folder = checkoutMark(root) ?? ''
      await change(projects =>
        projects.map(project => {
          const rest = withoutSharing(project, root)
          return project.id === id
            ? { ...rest, sharedBy: [...(rest.sharedBy ?? []), { root, folder }] }
            : rest
        }),
      )
    },

    async unshare(checkout) {
      const root = realPath(checkout) ?? path.resolve(checkout)
      let had = false
      await change(projects => {
        had = projects.some(({ sharedBy = [] }) => sharedBy.some(one => one.root === root))
        return had ? projects.map(project => withoutSharing(project, root)) : projects
      })
      return had
    },

    async note(root) {
      const real = realPath(root)
      const known = readKnownProjects(file)
      if (real === undefined || known === 'damaged') return
      const seen = findKnown(real, known.projects).project
      if (seen === undefined || isUpToDate(seen, real, clock.nowMs())) return
      await change(projects =>
        projects.map(project => {
          // Another process may have updated it meanwhile.
          if (findKnown(real, projects).project !== project) return project
          if (project.token !== undefined && readToken(real) === undefined)
            writeToken(disk, real, project.token)
          return {
            ...project,
            root: real,
            name: path.basename(real),
            ...marked(real),
            lastSeenAt: nowText(),
          }
        }),
      )
    },
  }
}

function isUpToDate(project: KnownProject, root: string, nowMs: number): boolean {
  const isRecent = nowMs - Date.parse(project.lastSeenAt) < DAY_MS
  const hasToken = project.token === undefined || readToken(root) === project.token
  return project.root === root && isRecent && hasToken && project.folder === memoryMark(root)
}

/** Repeating the same trust must not change the file. */
function isSameButSeen(known: KnownProject, now: KnownProject): boolean {
  const { lastSeenAt } = known
  return canonicalJson(known) === canonicalJson({ ...now, lastSeenAt })
}

function marked(root: string): Pick<KnownProject, 'folder'> {
  const folder = memoryMark(root)
  return folder === undefined ? {} : { folder }
}

function withoutSharing(project: KnownProject, checkout: string): KnownProject {
  const { sharedBy, ...rest } = project
  const remaining = (sharedBy ?? []).filter(one => one.root !== checkout)
  return remaining.length === 0 ? rest : { ...rest, sharedBy: remaining }
}

function existing(folder: string): string {
  const real = realPath(folder)
  if (real !== undefined) return real
  throw new CairnError({
    code: 'file_not_found',
    message: `There is no folder ${folder}.`,
    hint: 'Check the path.',
  })
}

/** Removes projects whose folder is gone first, then those not seen for longest. */
function bounded(projects: readonly KnownProject[]): readonly KnownProject[] {
  if (projects.length <= MAX_PROJECTS) return projects
  const isThere = (project: KnownProject) => (fs.existsSync(path.join(project.root, MEMORY_FOLDER)) ? 1 : 0)
  const remaining = new Set(
    projects
      .map(project => ({ project, isThere: isThere(project) }))
      .sort((a, b) => b.isThere - a.isThere || (a.project.lastSeenAt < b.project.lastSeenAt ? 1 : -1))
      .slice(0, MAX_PROJECTS)
      .map(({ project }) => project),
  )
  return projects.filter(project => remaining.has(project))
}

async function locked<T>(parts: RegistryParts, work: () => T): Promise<T> {
  const { file, disk, clock } = parts
  try {
    disk.makeFolder(path.dirname(file))
    const lock = parts.openLock(`${file}.lock`)
    try {
      const until = clock.nowMs() + PATIENCE_MS
      while (!lock.tryAcquire()) {
        if (clock.nowMs() >= until) throw busy(file)
        await clock.sleep(PAUSE_MS)
      }
      try {
        return work()
      } finally {
        lock.release()
      }
    } finally {
      lock.close()
    }
  } catch (error) {
    throw asStorageError(error, `The list of your projects (${file})`)
  }
}

function save({ file, disk, random }: RegistryParts, known: KnownProjects): void {
  const temporary = `${file}.${random(8)}.cairn-tmp`
  try {
    disk.writeFile(temporary, new TextEncoder().encode(rendered(known)))
    disk.rename(temporary, behindLink(file))
  } catch (error) {
    disk.remove(temporary)
    throw error
  }
  disk.syncFolder(path.dirname(file))
}

/** One line per project: readable for a person, and fast to read for a prompt. */
function rendered({ version, projects }: KnownProjects): string {
  const lines = projects.map(project => `\n${JSON.stringify(project)}`)
  return `{"version":${version},"projects":[${lines.join(',')}\n]}\n`
}

/** If the user's settings file is a link, the link stays. */
function behindLink(file: string): string {
  return realPath(file) ?? file
}

function writeToken(disk: Disk, root: string, token: string): void {
  const file = tokenFile(root)
  makeLocalFolder(disk, path.dirname(file))
  const temporary = `${file}.cairn-tmp`
  disk.remove(temporary)
  disk.writeFile(temporary, new TextEncoder().encode(`${token}\n`))
  disk.rename(temporary, file)
}

/** A damaged registry is renamed, not deleted: it may have a small typing error and contains all trust decisions. */
function putAside({ file, disk, clock }: RegistryParts): string {
  const aside = `${file}.damaged-${clock.nowMs().toString(36)}`
  disk.rename(file, aside)
  return aside
}

function refuseNewer(file: string): void {
  const text = fs.readFileSync(file, 'utf8').slice(0, 200)
  const version = Number(/"version"\s*:\s*(\d+)/.exec(text)?.[1] ?? 0)
  if (version <= 1) return
  throw new CairnError({
    code: 'vault_newer',
    message: `${file} was written by a newer version of Cairn (${version}).`,
    hint: 'Update Cairn. Nothing was changed.',
  })
}

function busy(file: string): CairnError {
  return new CairnError({
    code: 'store_locked',
    message: `Another process is writing ${file}.`,
    hint: 'Try again in a moment.',
  })
}
