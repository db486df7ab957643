import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import type {
  DistrustReason,
  KnownProject,
  KnownProjects,
  ResolvedProject,
} from '../../kernel/model/project.ts'
import { absentAsUndefined, errnoOf } from '../../kernel/system/disk.ts'
import { isInside, MEMORY_FOLDER } from '../../kernel/system/paths.ts'
import { userFolder } from '../../kernel/system/user-folder.ts'
import { readKnownProjects } from './known-projects.ts'
import {
  checkoutMark,
  type LinkedWorktree,
  linkedWorktree,
  memoryMark,
  readToken,
  realPath,
} from './repository.ts'

type Known = KnownProjects | 'damaged'

/**
 * The memory of a process in the folder `from`. Every prompt of every agent waits for it, so it needs a few stats and one small file, writes
 * nothing and starts no process.
 *
 *   1. upwards to the top of the checkout: the nearest `.memory/`, or a folder that shares the memory of another clone
 *   2. in a linked worktree the main checkout is searched first, unless the worktree has its own memory
 *   3. the registry of this user decides whether the result is trusted
 */
export function resolveProject(from: string, known: Known = readKnownProjects()): ResolvedProject {
  const start = realPath(from) ?? path.resolve(from)
  const here = lookUpwards(start, start, known)
  const worktree = here.isLinked ? linkedWorktree(here.top) : undefined
  if (worktree !== undefined && !keepsItsOwn(here.memory, known)) {
    const elsewhere = outsideWorktree(here.top, start, worktree, known)
    if (elsewhere !== undefined) return elsewhere
    if (here.memory === undefined && worktree.main !== undefined)
      return { root: worktree.main, checkout: here.top, standing: 'none', by: 'worktree' }
  }
  if (here.sharing !== undefined) return shared(here.sharing, known)
  const root = here.memory ?? here.top
  return { root, checkout: root, by: 'folder', ...standingOf(root, known) }
}

/** The project of exactly this folder, without searching its parents. */
export function projectAt(root: string, known: Known = readKnownProjects()): ResolvedProject {
  const real = realPath(root) ?? path.resolve(root)
  return { root: real, checkout: real, by: 'folder', ...standingOf(real, known) }
}

/** The top of the git checkout of a folder; undefined: not in a checkout. */
export function checkoutTop(folder: string): string | undefined {
  const start = realPath(folder) ?? path.resolve(folder)
  const { top } = lookUpwards(start, start, 'damaged')
  return look(path.join(top, '.git')) === undefined ? undefined : top
}

interface Sharing {
  readonly checkout: string
  readonly project: KnownProject
}

interface Seen {
  /** The top of the checkout; without git, the start folder. */
  readonly top: string
  /** `.git` is a file: a linked worktree, or a submodule. */
  readonly isLinked: boolean
  /** The nearest folder with a memory, unless a sharing folder is nearer. */
  readonly memory?: string
  readonly sharing?: Sharing
}

/** `end`: the limit for a search from another checkout. Other repositories below it are skipped. */
function lookUpwards(start: string, startOfUser: string, known: Known, end?: string): Seen {
  let found: Pick<Seen, 'memory' | 'sharing'> = {}
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (found.memory === undefined && found.sharing === undefined)
      found = whatIsAt(folder, startOfUser, known)
    const git = look(path.join(folder, '.git'))
    const isTop = git !== undefined && (folder === startOfUser || !isCommunal(folder))
    if (folder === end || (isTop && end === undefined))
      return { top: folder, isLinked: git?.isFile() === true, ...found }
    if (isTop) found = {}
    if (folder === path.dirname(folder)) return { top: start, isLinked: false, ...found }
  }
}

function whatIsAt(folder: string, start: string, known: Known): Pick<Seen, 'memory' | 'sharing'> {
  const sharing = known === 'damaged' ? undefined : sharingAt(folder, known.projects)
  if (sharing !== undefined) return { sharing }
  return isOwn(path.join(folder, MEMORY_FOLDER), folder, folder === start) ? { memory: folder } : {}
}

/** A memory in a parent folder counts only if it belongs to this user and is not in a folder that all projects share. */
function isOwn(memory: string, folder: string, isHere: boolean): boolean {
  const stat = look(memory)
  if (stat === undefined) return false
  if (isHere) return true
  return (process.getuid === undefined || stat.uid === process.getuid()) && !isCommunal(folder)
}

/** The home folder, its parent, the temporary folder, and world-writable folders are never projects. */
export function isCommunal(folder: string): boolean {
  const stat = look(folder)
  if (stat === undefined || folder === path.dirname(folder)) return true
  const isWindows = process.platform === 'win32'
  // Sticky and world-writable, like /tmp. A mounted disk may be world-writable too and still contain projects.
  if (!isWindows && (stat.mode & 0o1002) === 0o1002) return true
  const home = os.homedir()
  if ([home, os.tmpdir(), userFolder()].some(each => isSame(each, folder, stat))) return true
  // A home folder inside a project of this user is a scratch one, as in tests.
  return (isWindows || stat.uid !== process.getuid?.()) && isInside(realPath(home) ?? home, folder)
}

/** Compares inodes, not names: a home folder may be reached through a link. */
function isSame(other: string, folder: string, stat: fs.Stats): boolean {
  if (other === folder) return true
  const its = look(other)
  return its !== undefined && its.ino !== 0 && its.ino === stat.ino && its.dev === stat.dev
}

function sharingAt(folder: string, projects: readonly KnownProject[]): Sharing | undefined {
  for (const project of projects)
    for (const one of project.sharedBy ?? [])
      if (one.root === folder && one.folder === checkoutMark(folder)) return { checkout: folder, project }
  return undefined
}

function keepsItsOwn(memory: string | undefined, known: Known): boolean {
  if (memory === undefined || known === 'damaged') return false
  return known.projects.some(project => project.root === memory && project.isOwn === true)
}

/** The memory that a worktree uses: of the same folder in the main checkout, or of the project with this repository. */
function outsideWorktree(
  top: string,
  start: string,
  { gitFolder, main }: LinkedWorktree,
  known: Known,
): ResolvedProject | undefined {
  if (main !== undefined) {
    const there = lookUpwards(path.join(main, path.relative(top, start)), main, known, main)
    if (there.sharing !== undefined) return { ...shared(there.sharing, known), checkout: top }
    if (there.memory !== undefined) {
      const checkout = path.join(top, path.relative(main, there.memory))
      return { root: there.memory, checkout, by: 'worktree', ...standingOf(there.memory, known) }
    }
  }
  const project =
    known === 'damaged'
      ? undefined
      : known.projects.find(each => each.gitFolder === gitFolder && each.root !== top && each.isOwn !== true)
  if (project === undefined || !hasMemory(project.root)) return undefined
  return { root: project.root, checkout: top, by: 'worktree', ...standingOf(project.root, known) }
}

function shared({ checkout, project }: Sharing, known: Known): ResolvedProject {
  return { root: project.root, checkout, by: 'sharing', ...standingOf(project.root, known) }
}

function hasMemory(root: string): boolean {
  return look(path.join(root, MEMORY_FOLDER)) !== undefined
}

type Standing = Pick<ResolvedProject, 'standing' | 'why' | 'id' | 'movedFrom'>

function standingOf(root: string, known: Known): Standing {
  if (!hasMemory(root)) return { standing: 'none' }
  if (known === 'damaged') return { standing: 'untrusted', why: 'registry' }
  const found = findKnown(root, known.projects)
  if (found.project === undefined) return { standing: 'untrusted', why: found.why }
  const { project } = found
  return {
    ...(project.trustedAt === undefined
      ? { standing: 'untrusted', why: 'withdrawn' }
      : { standing: 'trusted' }),
    id: project.id,
    ...(project.root !== root && { movedFrom: project.root }),
  }
}

/** The known project of a memory, by its path and its token, or by its token if the folder was moved. */
export function findKnown(
  root: string,
  projects: readonly KnownProject[],
): { readonly project: KnownProject } | { readonly project?: undefined; readonly why: DistrustReason } {
  const inPlace = projects.find(project => project.root === root)
  if (inPlace !== undefined && isTheSame(inPlace, root)) return { project: inPlace }
  const token = readToken(root)
  const moved = token === undefined ? undefined : projects.find(project => project.token === token)
  // If the old folder still has it, this is a copy: a separate project that is not trusted.
  if (moved !== undefined && moved !== inPlace && readToken(moved.root) !== token) return { project: moved }
  return { why: inPlace === undefined ? 'unknown' : 'replaced' }
}

/** Deleting `.vault/` must not lose the trust, so the same folder is enough. */
function isTheSame({ token, folder }: KnownProject, root: string): boolean {
  if (token === undefined) return folder === undefined || folder === memoryMark(root)
  const present = readToken(root)
  return present === undefined ? folder !== undefined && folder === memoryMark(root) : present === token
}

/** Inaccessible files count as absent. Checks existence first, because most of them are absent and that is faster. */
function look(file: string): fs.Stats | undefined {
  try {
    return fs.existsSync(file) ? fs.statSync(file, { throwIfNoEntry: false }) : undefined
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}

/**
 * Whether a session in a folder belongs to the project at `root` (a real path). A subfolder belongs to it unless it has its own memory,
 * and so does another worktree of the same repository. For a deleted folder only the path is compared.
 */
export function sessionsOfProject(root: string): (cwd: string) => boolean {
  return cwd => {
    if (!path.isAbsolute(cwd)) return false
    const real = realFolder(cwd)
    if (real === undefined) return isInside(path.resolve(cwd), root)
    const project = resolveProject(real)
    const found = realFolder(project.root)
    if (found === root) return true
    return found !== undefined && project.standing === 'none' && mainCheckoutOf(found) === root
  }
}

function realFolder(folder: string): string | undefined {
  return absentAsUndefined(() => fs.realpathSync(folder))
}

/** In a worktree `.git` is a file that points to `<repository>/.git/worktrees/<name>`. */
function mainCheckoutOf(checkout: string): string | undefined {
  const file = path.join(checkout, '.git')
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (stat?.isFile() !== true || stat.size > 8_192) return undefined
  const target = /^gitdir:\s*(.+)$/m.exec(fs.readFileSync(file, 'utf8'))?.[1]?.trim()
  if (target === undefined) return undefined
  const inside = /^(.*)[/\\]\.git[/\\]worktrees[/\\][^/\\]+[/\\]?$/.exec(path.resolve(checkout, target))?.[1]
  return inside === undefined ? undefined : realFolder(inside)
}
