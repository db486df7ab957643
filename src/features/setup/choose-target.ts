import { CairnError } from '../../kernel/model/errors.ts'
import type {
  KnownProject,
  KnownProjects,
  RepositoryIdentity,
  ResolvedProject,
} from '../../kernel/model/project.ts'
import type { Git } from '../../kernel/system/git.ts'
import { gitFolderOf } from '../projects/linked-worktree.ts'
import { findCloned, readRepositoryIdentity } from '../projects/repository-identity.ts'
import { checkoutTop, isCommunal, projectAt, resolveProject } from '../projects/resolve-project.ts'

/** Where the person stands, or which folder they named. */
export interface From {
  readonly folder: string
  /** By --root or CAIRN_ROOT: exactly that folder is meant. */
  readonly isNamed: boolean
}

export interface SetupTarget {
  /** Where the memory is or will be. */
  readonly root: string
  /** The folder whose agents use it. */
  readonly checkout: string
  readonly resolved: ResolvedProject
  /** The project whose memory the checkout shares from now on. */
  readonly shares?: KnownProject
  /** A known project that this is a clone of, and that it keeps apart from. */
  readonly cloneOf?: KnownProject
  /** A worktree that keeps its own though the main checkout has one. */
  readonly isOwn: boolean
  /** The top of the git checkout; undefined: it is no repository. */
  readonly top: string | undefined
  readonly gitFolder?: string
  readonly repository?: RepositoryIdentity
}

export interface TargetRequest {
  readonly own: boolean
  readonly share: boolean
}

/** Which memory `cairn init` is about. Reads only; asks git who the repository is, since a person waits for it. */
export function chooseTarget(
  from: From,
  known: KnownProjects | 'damaged',
  git: Git,
  { own, share }: TargetRequest,
): SetupTarget {
  if (own && share) {
    throw new CairnError({
      code: 'invalid_input',
      message: '--own and --share say the opposite.',
      hint: 'Leave one of them out.',
    })
  }
  const found = from.isNamed ? projectAt(from.folder, known) : resolveProject(from.folder, known)
  const isElsewhere = found.by !== 'folder' && own
  const resolved = isElsewhere ? projectAt(found.checkout, known) : found
  refuseCommunal(resolved.root)
  const top = checkoutTop(resolved.checkout)
  const gitFolder = top === undefined ? undefined : gitFolderOf(top)
  const repository = top === undefined ? undefined : readRepositoryIdentity(top, git)
  const base = {
    root: resolved.root,
    checkout: resolved.checkout,
    resolved,
    isOwn: isElsewhere,
    top,
    // Of a subfolder of a monorepo nothing is recorded that would speak for the whole repository.
    ...(top === resolved.root && gitFolder !== undefined && { gitFolder }),
    ...(top === resolved.root && repository !== undefined && { repository }),
  }
  if (resolved.by === 'sharing' || known === 'damaged') return base
  const isKnown = resolved.id !== undefined && resolved.standing === 'trusted'
  const original =
    repository === undefined || resolved.by !== 'folder' || top !== resolved.root
      ? undefined
      : findCloned(
          repository,
          known.projects.filter(({ root }) => root !== resolved.root && hasMemory(root, known)),
        )
  if (original === undefined) {
    if (!share) return base
    throw new CairnError({
      code: 'project_not_found',
      message: `No project that you trust here is fetched from where ${resolved.root} is.`,
      hint: '`cairn projects` lists them; without --share it gets a memory of its own.',
    })
  }
  const isShared = share || (!own && !isKnown)
  return isShared
    ? { ...base, root: original.root, shares: original }
    : { ...base, ...(!isKnown && { cloneOf: original }) }
}

function hasMemory(root: string, known: KnownProjects): boolean {
  return projectAt(root, known).standing === 'trusted'
}

function refuseCommunal(root: string): void {
  if (!isCommunal(root)) return
  throw new CairnError({
    code: 'invalid_input',
    message: `${root} holds all kinds of things, and is no project.`,
    hint: 'Go into the folder of a project first, or name one: cairn init --root ~/code/api. What holds everywhere goes to your own memory: cairn remember --user "…"',
  })
}
