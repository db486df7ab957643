/** One thing in `.memory/`, as a listing shows it: nothing was opened. */
export interface TreeItem {
  /** Relative to `.memory/`, with `/`. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
  /** Whether every user of this machine may write to it. False where the system has no such rights. */
  readonly isWorldWritable: boolean
  /** Of a link. `inside`: to something in the memory. */
  readonly leads?: 'inside' | 'outside' | 'nowhere'
}

export interface TreeListing {
  readonly items: readonly TreeItem[]
  /** False: there are more files than are checked, and the rest was not listed. */
  readonly isWhole: boolean
  /** Folders that could not be listed. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[]
}

export type FileReading =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  | { readonly kind: 'too_large'; readonly size: number }
  | { readonly kind: 'unreadable'; readonly why: string }

/** Everything on disk of a memory. Reads only: a clone in a read-only folder is not changed. */
export interface MemoryTree {
  /** Every file and folder; undefined when there is no memory. A link is not followed. */
  open(): Promise<OpenTree | undefined>
  /** One file, or the last bytes of it; undefined when it is not there, or no plain file. */
  readEnd(
    path: string,
    maxBytes: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean } | undefined>
}

export interface OpenTree extends TreeListing {
  /** A file of the memory, not through a link that leads out. Synchronous: there are hundreds of them. */
  read(path: string, maxBytes: number): FileReading
}

/** What git has of a memory, read from git's own files: no process is started. */
export interface GitTracking {
  /** Whether the project is in a git checkout. */
  isCheckout(): Promise<boolean>
  tracked(): Promise<
    /** No checkout, or a list in a format that Cairn does not read. */
    | { readonly kind: 'no_checkout' }
    | { readonly kind: 'unreadable'; readonly why: string }
    /** Relative to `.memory/`. */
    | { readonly kind: 'read'; readonly paths: readonly string[] }
  >
  /** The end of git's log of HEAD; undefined without one. */
  headLog(): Promise<string | undefined>
  /** The last commits that changed any of these files of `.memory/`, the newest first. Starts a process. */
  commitsOf(paths: readonly string[], most: number): Promise<KnownCommits>
  /** What a file said then. Starts a process too. */
  readAt(commit: string, path: string, patienceMs: number): Promise<PastBytes>
}

export type KnownCommits =
  | {
      readonly kind: 'known'
      /** With those of the files that it changed. */
      readonly commits: readonly { readonly commit: string; readonly paths: readonly string[] }[]
    }
  | { readonly kind: 'failed'; readonly why: string }

type PastBytes =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  /** It was not there, or cannot be read. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly why: string }

export interface IndexedStamp {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

/** The index as it is on disk, opened for reading without leaving a trace. */
export interface IndexGlance {
  glance(isDeep: boolean): Promise<
    | { readonly kind: 'absent' }
    | { readonly kind: 'newer' }
    | { readonly kind: 'damaged'; readonly why: string }
    /** It cannot be opened here and now, which says nothing about it. */
    | { readonly kind: 'unreachable'; readonly why: string }
    | { readonly kind: 'read'; readonly files: readonly IndexedStamp[] }
  >
}

/** What `--fix` does. Under the memory's lock; each step leaves the old file or the new one. */
export interface MemoryMender {
  /** Adds lines to `.memory/.gitignore`, or makes it. */
  addIgnored(lines: readonly string[]): Promise<void>
  /** A temporary file or batch that was not touched for an hour. False: it is not one any more. */
  removeLeftover(path: string): Promise<boolean>
}
