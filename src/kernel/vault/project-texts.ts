export interface TextWrite {
  /** Relative to the project, with `/`. */
  readonly path: string
  /** null: the file goes. */
  readonly text: string | null
}

/**
 * Text files of the project, outside `.memory/` but for `.memory/_project.md`. No link leads out, and nothing is written through one. Synchronous: it works under
 * the writer's lock.
 */
export interface ProjectTexts {
  /** undefined: there is no such file. Throws when it is no text, too long, or outside of the project. */
  read(path: string): string | undefined
  /** Where a link at this path leads, relative to the project. undefined: it is none, leads nowhere or out of the project. */
  linkTarget(path: string): string | undefined
  /** Every new text is on disk before the first file changes its name. `leftUntouched` tells of a failure whether one did. */
  write(writes: readonly TextWrite[]): void
}

/** The same texts for whoever only looks, wherever they are kept. */
export interface TextReader {
  /** undefined: there is no such file. Throws when it is no text, too long, or outside of the project. */
  read(path: string): Promise<string | undefined>
  /** Where a link at this path leads, relative to the project. undefined: it is none, leads nowhere or out of the project. */
  linkTarget(path: string): Promise<string | undefined>
}
