/** How a conflict is marked in a file. */
export interface ConflictMarkers {
  /** The length of a marker in characters. */
  readonly size: number
  /** The labels of the sides after the markers. */
  readonly ours: string
  readonly theirs: string
}

export interface MergeInput {
  readonly base: Uint8Array
  readonly ours: Uint8Array
  readonly theirs: Uint8Array
  readonly markers: ConflictMarkers
}

export interface Merged {
  readonly bytes: Uint8Array
  /** Ids of entries and keys of documents that a person must decide. */
  readonly conflicts: readonly string[]
  /** Decisions that a person may want to check. */
  readonly remarks: readonly string[]
}

/**
 *   <<<<<<< ours
 *   …
 *   =======
 *   …
 *   >>>>>>> theirs
 */
export function conflictBlock(
  ours: string,
  theirs: string,
  { markers, eol }: { readonly markers: ConflictMarkers; readonly eol: string },
): string {
  const line = (character: string, label = '') =>
    `${character.repeat(markers.size)}${label === '' ? '' : ` ${label}`}${eol}`
  return [
    line('<', oneLine(markers.ours)),
    ended(ours, eol),
    line('='),
    ended(theirs, eol),
    line('>', oneLine(markers.theirs)),
  ].join('')
}

function ended(text: string, eol: string): string {
  return text === '' || text.endsWith('\n') ? text : text + eol
}

/** The name of a branch may contain any character. */
function oneLine(label: string): string {
  return label.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 100)
}
