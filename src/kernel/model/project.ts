/** The projects on this machine that this user knows, stored outside all of them (`~/.cairn/projects.json`). */
export interface KnownProjects {
  readonly version: 1
  readonly projects: readonly KnownProject[]
}

export interface KnownProject {
  /** Generated here, never read from the project: a cloned project cannot claim to be another one. */
  readonly id: string
  readonly name: string
  /** The real path of the folder with `.memory/`. */
  readonly root: string
  /**
   * Also in `.memory/.vault/project-token`, which clones do not have. A folder with the token is this project, wherever it was moved to;
   * another folder in its place is not.
   */
  readonly token?: string
  /** Identifies the folder of `.memory/` if `.vault/` was deleted (`folderMark`). */
  readonly folder?: string
  /** The real path of the git folder that all worktrees of the repository share; only if the root is the top of a checkout. */
  readonly gitFolder?: string
  /** Recognises a clone of the same repository when a user runs `cairn init` there. It does not make anything trusted. */
  readonly repository?: RepositoryIdentity
  /** A worktree or a clone that uses its own memory at the user's request. */
  readonly isOwn?: true
  /** When this user trusted it; absent: known, but its content is never sent to an agent. */
  readonly trustedAt?: string
  /** Which action trusted it. */
  readonly trustedBy?: 'init' | 'trust' | 'created'
  /** Other checkouts whose agents also use this memory: clones that share it at the user's request. */
  readonly sharedBy?: readonly SharingCheckout[]
  readonly firstSeenAt: string
  readonly lastSeenAt: string
}

interface SharingCheckout {
  /** The real path of the folder whose agents use the memory. */
  readonly root: string
  /** Identifies the folder of its `.git`: another clone in the same place does not share the memory. */
  readonly folder: string
}

export interface RepositoryIdentity {
  /** The first commit, if there is exactly one: forks and templates may share it. */
  readonly rootCommit?: string
  /** The URL that it is fetched from, without scheme, user, password and `.git`. */
  readonly origin?: string
}

/** Which memory a folder uses, and whether agents may read it. */
export interface ResolvedProject {
  /** The folder that has the memory, or in which it would be created. */
  readonly root: string
  /** The folder with the files that the user works on: another checkout of the same project, or the root. */
  readonly checkout: string
  /**
   * trusted     this user initialised or trusted it
   * untrusted   a memory exists, and this user has not trusted it
   * none        no memory exists
   */
  readonly standing: 'trusted' | 'untrusted' | 'none'
  /**
   * How the checkout is connected to the memory: the memory is in it, in the main checkout of a worktree, or in the clone whose memory it
   * shares.
   */
  readonly by: 'folder' | 'worktree' | 'sharing'
  /** Only if it is untrusted. */
  readonly why?: DistrustReason
  /** The id in the registry, if it is known. */
  readonly id?: string
  /** The root in the registry, if it is outdated: the next writer updates it. */
  readonly movedFrom?: string
}

/**
 * unknown    this user never trusted it
 * withdrawn  known, but no longer trusted
 * replaced   a memory was trusted in this place, and this is another one
 * registry   ~/.cairn/projects.json cannot be read, so nothing is trusted
 */
export type DistrustReason = 'unknown' | 'withdrawn' | 'replaced' | 'registry'

/** A limit, because every prompt reads the file. */
export const MAX_PROJECTS = 1_000

/** Writes the registry of known projects. Code that only reads uses `resolveProject`, which needs no memory. */
export interface ProjectRegistry {
  read(): Promise<KnownProjects | 'damaged'>
  /** Makes the memory of a folder known and trusted, and creates its token. Idempotent: the first trust date stays. */
  register(root: string, facts: RegisterFacts): Promise<Registered>
  /** Withdraws the trust; false: it was not trusted. */
  untrust(id: string): Promise<boolean>
  /** Returns those that were known. */
  forget(ids: readonly string[]): Promise<readonly KnownProject[]>
  /** From now on, the agents of a checkout use the memory of this project. */
  share(id: string, checkout: string): Promise<void>
  /** false: it did not share one. */
  unshare(checkout: string): Promise<boolean>
  /** After a write to a memory: updates a moved folder, a deleted token and the day. Trusts nothing. */
  note(root: string): Promise<void>
}

interface RegisterFacts {
  readonly by: NonNullable<KnownProject['trustedBy']>
  readonly isOwn?: boolean
  readonly gitFolder?: string
  readonly repository?: RepositoryIdentity
}

export interface Registered {
  readonly project: KnownProject
  /** The registry could not be read: it was moved to this path, and a new one was created. */
  readonly movedAside?: string
}
