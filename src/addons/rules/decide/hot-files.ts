/** What stands in a place of the project. */
export type Sight =
  | { readonly kind: 'nothing' }
  /** `leadsTo`: the place it names, relative to the project; absent when that is outside. */
  | {
      readonly kind: 'link'
      readonly says: string
      readonly leadsTo?: string
      readonly isBroken: boolean
    }
  /** No text: it is too long, or none. */
  | { readonly kind: 'file'; readonly text?: string }
  | { readonly kind: 'folder' }
  /** A folder on the way is a link: what is behind it, relative to the project. Nothing is written there. */
  | { readonly kind: 'behind a link'; readonly real?: string }

export type RuleFileReading =
  | { readonly kind: 'text'; readonly text: string; readonly changedMs: number }
  | { readonly kind: 'absent' }
  /** `why` continues a sentence that begins with the path. */
  | { readonly kind: 'unreadable'; readonly why: string }

/**
 * The places of rules and skills in a project. Reads follow links only inside the project; what writes goes through none, and to
 * no other place. Paths are relative to the project, with `/`.
 */
export interface HotFiles {
  /** Files below a folder, links to files included, at most so many levels (3) deep and in order. `missing` says what was not looked at. */
  list(
    folder: string,
    levels?: number,
  ): Promise<{ readonly paths: readonly string[]; readonly missing?: string }>
  read(path: string): Promise<RuleFileReading>
  /** The names in a folder; none when it is not there. */
  names(folder: string): Promise<readonly string[]>
  look(path: string): Promise<Sight>
  exists(path: string): Promise<boolean>
  /** False: this system does not let the user make links. */
  makeLink(path: string, target: string): Promise<boolean>
  /** Takes the place of a link or of a file that is there. */
  writeCopy(path: string, text: string): Promise<void>
  /** A link, or a file, and then its folder when that is empty and `withFolder`. */
  remove(path: string, withFolder?: boolean): Promise<void>
  /** The folders above a place that was emptied, as far as they are empty. */
  clearAway(path: string): Promise<void>
}
