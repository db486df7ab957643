/** What this user knows of the projects on this machine; it lies outside all of them (`~/.cairn/projects.json`). */
export interface KnownProjects {
  readonly version: 1
  readonly projects: readonly KnownProject[]
}

export interface KnownProject {
  /** Made here, never read from the project: what comes with a clone cannot claim to be another. */
  readonly id: string
  readonly name: string
  /** The real path of the folder with `.memory/`. */
  readonly root: string
  /**
   * Also in `.memory/.vault/project-token`, which no clone carries: a folder that has it is this project, wherever it was moved to,
   * and another folder that took its place is not.
   */
  readonly token?: string
  /** Which folder `.memory/` was, for the time when `.vault/` was deleted (`folderMark`). */
  readonly folder?: string
  /** The real path of the git folder that all worktrees of the repository share; only where the root is the top of a checkout. */
  readonly gitFolder?: string
  /** By which a clone of the same repository is recognised when somebody runs `cairn init` there. Nothing is trusted because of it. */
  readonly repository?: RepositoryIdentity
  /** A worktree or a clone that was told to keep a memory of its own. */
  readonly isOwn?: true
  /** Since when this user trusts what is in it; absent: known, and nothing of it is told to an agent. */
  readonly trustedAt?: string
  /** How it came to be trusted. */
  readonly trustedBy?: 'init' | 'trust' | 'created'
  /** Other checkouts whose agents use this memory too: clones that were told to share it. */
  readonly sharedBy?: readonly SharingCheckout[]
  readonly firstSeenAt: string
  readonly lastSeenAt: string
}

export interface SharingCheckout {
  /** The real path of the folder whose agents use the memory. */
  readonly root: string
  /** Which folder its `.git` was: another clone in the same place shares nothing. */
  readonly folder: string
}

export interface RepositoryIdentity {
  /** The first commit, where there is exactly one: forks and templates may share it. */
  readonly rootCommit?: string
  /** Where it is fetched from, without scheme, user, password and `.git`. */
  readonly origin?: string
}

/** Whose memory is meant in a folder, and whether an agent may be told of it. */
export interface ResolvedProject {
  /** The folder with the memory, or where one would be made. */
  readonly root: string
  /** Where the files are that the person works on: another checkout of the same project, or the same. */
  readonly checkout: string
  /**
   *   trusted     this user initialised or trusted it
   *   untrusted   there is a memory, and nobody here said yes to it
   *   none        there is no memory
   */
  readonly standing: 'trusted' | 'untrusted' | 'none'
  /** By what the checkout came to the memory: it lies there, in the main checkout of a worktree, or in the clone whose memory it shares. */
  readonly by: 'folder' | 'worktree' | 'sharing'
  /** Only where it is untrusted. */
  readonly why?: DistrustReason
  /** The entry of the registry, where there is one. */
  readonly id?: string
  /** Where the registry has it still: the next writer brings it up to date. */
  readonly movedFrom?: string
}

/**
 *   unknown    this user never said yes to it
 *   withdrawn  known, and the yes was taken back
 *   replaced   a memory was trusted in this place, and this is another one
 *   registry   ~/.cairn/projects.json cannot be read, so nothing is trusted
 */
export type DistrustReason = 'unknown' | 'withdrawn' | 'replaced' | 'registry'

/** More are not kept: a prompt reads the file. */
export const MAX_PROJECTS = 1_000

/** Who writes the registry of known projects. Whoever only asks uses `resolveProject`, which composes no memory. */
export interface ProjectRegistry {
  read(): Promise<KnownProjects | 'damaged'>
  /** Makes the memory in a folder known and trusted, and gives it its token. Safe to repeat: the yes that was given first stays. */
  register(root: string, facts: RegisterFacts): Promise<Registered>
  /** Takes the yes back; false: there was none. */
  untrust(id: string): Promise<boolean>
  /** Returns those that were known. */
  forget(ids: readonly string[]): Promise<readonly KnownProject[]>
  /** The agents of a checkout use the memory of this project from now on. */
  share(id: string, checkout: string): Promise<void>
  /** false: it shared none. */
  unshare(checkout: string): Promise<boolean>
  /** For whoever wrote to a memory: a moved folder, a deleted token and the day are brought up to date. Trusts nothing. */
  note(root: string): Promise<void>
}

export interface RegisterFacts {
  readonly by: NonNullable<KnownProject['trustedBy']>
  readonly isOwn?: boolean
  readonly gitFolder?: string
  readonly repository?: RepositoryIdentity
}

export interface Registered {
  readonly project: KnownProject
  /** The registry could not be read: it lies here, and a new one was begun. */
  readonly movedAside?: string
}
