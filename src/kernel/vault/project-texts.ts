export interface TextWrite {
  /** Relative to the project, with `/`. */
  readonly path: string
  /** null: the file is removed. */
  readonly text: string | null
}

/**
 * Text files of the project, outside `.memory/` except for `.memory/_project.md`. No link leads out, and nothing is written through one.
 * Synchronous: it runs under the writer's lock.
 */
export interface ProjectTexts {
  /** undefined: the file does not exist. Throws if it is not text, too long, or outside of the project. */
  read(path: string): string | undefined
  /** The target of a link at this path, relative to the project. undefined: not a link, broken, or it leads out of the project. */
  linkTarget(path: string): string | undefined
  /** Every new text is on disk before the first file is renamed. `leftUntouched` says whether a failure changed a file. */
  write(writes: readonly TextWrite[]): void
}

/** The same texts for readers, whatever the store. */
export interface TextReader {
  /** undefined: the file does not exist. Throws if it is not text, too long, or outside of the project. */
  read(path: string): Promise<string | undefined>
  /** The target of a link at this path, relative to the project. undefined: not a link, broken, or it leads out of the project. */
  linkTarget(path: string): Promise<string | undefined>
}
