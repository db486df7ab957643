/** What exists at a path of the project. */
export type PathState =
  | { readonly kind: 'nothing' }
  /** `leadsTo`: its target, relative to the project; absent if that is outside. */
  | {
      readonly kind: 'link'
      readonly says: string
      readonly leadsTo?: string
      readonly isBroken: boolean
    }
  /** No text: it is too large, or not text. */
  | { readonly kind: 'file'; readonly text?: string }
  | { readonly kind: 'folder' }
  /** A parent folder is a link to `real`, relative to the project. Nothing is written there. */
  | { readonly kind: 'behind a link'; readonly real?: string }

export type RuleFileReading =
  | { readonly kind: 'text'; readonly text: string; readonly changedMs: number }
  | { readonly kind: 'absent' }
  /** `why` continues a sentence that begins with the path. */
  | { readonly kind: 'unreadable'; readonly why: string }

/**
 * Access to rules and skills in a project. Reads follow links only inside the project; writes follow none, and reach no other place.
 * Paths are relative to the project, with `/`.
 */
export interface HotFiles {
  /** Files below a folder, links to files included, to a maximum depth (3) and in order. `missing` names what was skipped. */
  list(
    folder: string,
    levels?: number,
  ): Promise<{ readonly paths: readonly string[]; readonly missing?: string }>
  read(path: string): Promise<RuleFileReading>
  /** The names in a folder; empty if it does not exist. */
  names(folder: string): Promise<readonly string[]>
  look(path: string): Promise<PathState>
  exists(path: string): Promise<boolean>
  /** False: the operating system does not let the user create links. */
  makeLink(path: string, target: string): Promise<boolean>
  /** Replaces a link or a file. */
  writeCopy(path: string, text: string): Promise<void>
  /** Removes a link or a file; with `withFolder` also its folder, if that is empty then. */
  remove(path: string, withFolder?: boolean): Promise<void>
  /** Removes empty folders above a path. */
  clearAway(path: string): Promise<void>
}
