/** How a conflict is marked in a file. */
export interface ConflictMarkers {
  /** How many characters a marker has. */
  readonly size: number
  /** What the sides are called behind the markers. */
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
  /** What a person must decide: ids of entries, keys of a document. */
  readonly conflicts: readonly string[]
  /** What was decided in a way that somebody may want to know of. */
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

/** A branch may be called anything. */
function oneLine(label: string): string {
  return label.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 100)
}
