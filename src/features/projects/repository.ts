import * as fs from 'node:fs'
import * as path from 'node:path'
import { LAYOUT } from '../../kernel/layout.ts'
import type { KnownProject, RepositoryIdentity } from '../../kernel/model/project.ts'
import { absentAsUndefined, errnoOf } from '../../kernel/system/disk.ts'
import type { Git } from '../../kernel/system/git.ts'
import { MEMORY_FOLDER, placeIn } from '../../kernel/system/paths.ts'

/** The maximum length of a path that git writes. */
const MAX_BYTES = 8_192

export interface LinkedWorktree {
  /** The real path of the git folder that all worktrees of the repository share. */
  readonly gitFolder: string
  /** The checkout of the git folder; undefined for a bare repository. */
  readonly main: string | undefined
}

/**
 * The main repository of a linked worktree, read from git's files. The links in both directions are checked:
 *
 *   checkout/.git               gitdir: <common>/worktrees/<name>
 *   <common>/worktrees/<name>/  commondir → <common>,  gitdir → checkout/.git
 *
 * A `.git` file in a downloaded archive can name any repository of this machine, but that repository does not link back to it.
 * undefined: not a linked worktree (a normal checkout, a submodule), or the link back leads elsewhere.
 */
export function linkedWorktree(top: string): LinkedWorktree | undefined {
  const own = path.join(top, '.git')
  const pointer = readLine(own)
  if (pointer?.startsWith('gitdir: ') !== true) return undefined
  const admin = realPath(path.resolve(top, pointer.slice('gitdir: '.length).trim()))
  const common = admin && readLine(path.join(admin, 'commondir'))
  if (admin === undefined || common === undefined) return undefined
  const gitFolder = realPath(path.resolve(admin, common))
  if (gitFolder === undefined || path.dirname(admin) !== path.join(gitFolder, 'worktrees')) return undefined
  const back = readLine(path.join(admin, 'gitdir'))
  if (back === undefined || realPath(path.resolve(admin, back)) !== realPath(own)) return undefined
  return { gitFolder, main: mainCheckout(gitFolder) }
}

/** If the git folder is not called `.git`, its configuration names the work tree: for a submodule, not for a bare repository. */
function mainCheckout(gitFolder: string): string | undefined {
  if (path.basename(gitFolder) === '.git') return path.dirname(gitFolder)
  const config = readText(path.join(gitFolder, 'config'), 65_536)
  const worktree =
    config === undefined ? undefined : /^\s*worktree\s*=\s*"?([^"\n\r]+)"?\s*$/m.exec(config)?.[1]
  return worktree === undefined ? undefined : realPath(path.resolve(gitFolder, worktree.trim()))
}

/** The real path of the git folder of any kind of checkout. */
export function gitFolderOf(top: string): string | undefined {
  const own = path.join(top, '.git')
  const stat = fs.statSync(own, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true) return realPath(own)
  const worktree = linkedWorktree(top)
  if (worktree !== undefined) return worktree.gitFolder
  const pointer = stat?.isFile() === true ? readLine(own) : undefined
  return pointer?.startsWith('gitdir: ') === true
    ? realPath(path.resolve(top, pointer.slice('gitdir: '.length).trim()))
    : undefined
}

export function realPath(file: string): string | undefined {
  try {
    return absentAsUndefined(() => fs.realpathSync.native(file))
  } catch (error) {
    // Circular links, or a folder without access: treated as absent.
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}

function readLine(file: string): string | undefined {
  return readText(file, MAX_BYTES)?.split('\n')[0]?.trim()
}

function readText(file: string, mostBytes: number): string | undefined {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false })
    if (stat?.isFile() !== true || stat.size > mostBytes) return undefined
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}

const COMMIT = /^[0-9a-f]{40,64}$/
/** Prevents git from fetching, whatever the repository configures. */
const OFFLINE = ['-c', 'protocol.allow=never']

/** Data that identifies the clones of one repository. Runs git, so it is only used where a person waits (`cairn init`). */
export function readRepositoryIdentity(top: string, git: Git): RepositoryIdentity {
  const ask = (...words: string[]) => {
    const run = git([...OFFLINE, ...words], top)
    return run.kind === 'ran' && run.code === 0 ? run.stdout.trim() : undefined
  }
  const origin = ask('config', '--get', 'remote.origin.url')
  const gitFolder = gitFolderOf(top)
  // The first commit of a shallow clone is not the real first commit.
  const isShallow = gitFolder !== undefined && fs.existsSync(path.join(gitFolder, 'shallow'))
  const roots = isShallow ? [] : (ask('rev-list', '--max-parents=0', 'HEAD') ?? '').split('\n')
  const [rootCommit] = roots
  return {
    ...(roots.length === 1 && COMMIT.test(rootCommit ?? '') && { rootCommit: rootCommit as string }),
    ...(origin !== undefined && origin !== '' && { origin: normalisedOrigin(origin, top) }),
  }
}

/**
 * The origin of a repository in a normalised form:
 *
 *   git@github.com:me/api.git, https://me:secret@GitHub.com/me/api/, ssh://git@github.com:22/me/api   →   github.com/me/api
 *   ../api.git, file:///srv/api.git                                                                 →   its real path
 */
export function normalisedOrigin(url: string, from: string): string {
  const remote =
    /^(?:https?|ssh|git|ftps?):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(url) ??
    /^(?:[^@/:]+@)?([^/:]{2,}):(?!\/\/|\\)(.+)$/.exec(url)
  if (remote !== null) return `${remote[1]?.toLowerCase()}/${trimmed(remote[2] ?? '')}`
  const local = path.resolve(from, url.replace(/^file:\/\//, ''))
  return trimmed(realPath(local) ?? local)
}

function trimmed(text: string): string {
  return text.replace(/\/+$/, '').replace(/(?:\/?\.git)$/, '')
}

/**
 * The known project that a checkout is a clone of: both have the same origin, or that project is the origin. A fork has the same first
 * commit and another origin, and so has a project from a template: neither counts.
 */
export function findCloned(
  identity: RepositoryIdentity,
  projects: readonly KnownProject[],
): KnownProject | undefined {
  const { origin, rootCommit } = identity
  if (origin === undefined) return undefined
  return projects.find(({ repository, root, trustedAt }) => {
    if (trustedAt === undefined) return false
    const isOther =
      rootCommit !== undefined && repository?.rootCommit !== undefined && repository.rootCommit !== rootCommit
    return !isOther && (repository?.origin === origin || trimmed(root) === origin)
  })
}

const TOKEN = /^[0-9a-f]{32}$/
const MAX_TOKEN_BYTES = 64
const NO_FOLLOW = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0)

export function tokenFile(root: string): string {
  return placeIn(path.join(root, MEMORY_FOLDER), LAYOUT.projectToken)
}

/** The token that identifies this memory on this machine. undefined: it has none or an invalid one. */
export function readToken(root: string): string | undefined {
  const buffer = Buffer.alloc(MAX_TOKEN_BYTES)
  const length = readStart(tokenFile(root), buffer)
  const token = buffer.toString('latin1', 0, length).trim()
  return TOKEN.test(token) ? token : undefined
}

/** Checks with `stat` first: an exception is slower, and every prompt waits for this. */
function readStart(file: string, buffer: Buffer): number {
  if (!fs.existsSync(file)) return 0
  let fd: number | undefined
  try {
    if (!fs.lstatSync(file).isFile()) return 0
    fd = fs.openSync(file, fs.constants.O_RDONLY | NO_FOLLOW)
    return fs.readSync(fd, buffer, 0, buffer.length, 0)
  } catch (error) {
    // An unreadable file is not trusted.
    if (errnoOf(error) === undefined) throw error
    return 0
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}

/** Distinguishes a folder from its replacement: a new folder has another birth time, even if it reuses the inode number. */
export function folderMark(folder: string): string | undefined {
  const stat = fs.existsSync(folder) ? fs.statSync(folder, { throwIfNoEntry: false }) : undefined
  return stat === undefined ? undefined : `${stat.ino}-${Math.round(stat.birthtimeMs)}`
}

export function memoryMark(root: string): string | undefined {
  return folderMark(path.join(root, MEMORY_FOLDER))
}

/** For a checkout the mark of its `.git`, for another folder its own. */
export function checkoutMark(checkout: string): string | undefined {
  return folderMark(path.join(checkout, '.git')) ?? folderMark(checkout)
}
