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
  /** Since when this user trusts what is in it; absent: known, and nothing of it is told to an agent. */
  readonly trustedAt?: string
  /** How it came to be trusted. */
  readonly trustedBy?: 'init' | 'trust' | 'created'
  /** Other checkouts whose agents use this memory too: clones that were told to share it. */
  readonly sharedBy?: readonly string[]
  readonly firstSeenAt: string
  readonly lastSeenAt: string
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
}
