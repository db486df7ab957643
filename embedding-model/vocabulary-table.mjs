const CONTINUATION = '##'
/** Half of the slots stay free: most look-ups end at their first. */
export const SLOTS = 65_536

/**
 * The vocabulary as a hash table that is used as it lies in the file; src/kernel/text/wordpiece.ts looks things up in it.
 *
 *   u16 × SLOTS        id + 1, or 0 for a free slot; a piece whose slot is taken has the next free one
 *   u32 × (pieces + 1) where a piece begins among the units; the highest bit says that it continues a word
 *   u16 × …            the units (UTF-16) of all pieces, one behind the other, without `##`
 */
export function vocabularyTable(idByPiece) {
  const pieces = []
  for (const [piece, id] of Object.entries(idByPiece)) pieces[id] = piece
  const bare = pieces.map(piece => (isContinuation(piece) ? piece.slice(CONTINUATION.length) : piece))

  const slots = new Uint16Array(SLOTS)
  const starts = new Uint32Array(pieces.length + 1)
  const units = new Uint16Array(bare.reduce((total, piece) => total + piece.length, 0))
  let at = 0
  pieces.forEach((piece, id) => {
    starts[id] = (at | (isContinuation(piece) ? 0x8000_0000 : 0)) >>> 0
    for (const unit of unitsOf(bare[id])) units[at++] = unit
    let slot = slotOf(unitsOf(bare[id]), isContinuation(piece))
    while (slots[slot] !== 0) slot = (slot + 1) % SLOTS
    slots[slot] = id + 1
  })
  starts[pieces.length] = at
  return {
    bytes: Buffer.concat([slots, starts, units].map(part => Buffer.from(part.buffer))),
    longestPiece: Math.max(...bare.map(piece => piece.length)),
    pieces: pieces.length,
  }
}

/** `##` itself is a piece like `#`: only what has something behind the mark continues a word. */
function isContinuation(piece) {
  return piece.startsWith(CONTINUATION) && piece.length > CONTINUATION.length
}

function unitsOf(text) {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
}

/** FNV-1a over units; a continuation begins with another number. */
function slotOf(units, continues) {
  let hash = continues ? 0x811c9dc5 ^ 0x23 : 0x811c9dc5
  for (const unit of units) hash = Math.imul(hash ^ unit, 0x01000193)
  return (hash ^ (hash >>> 16)) & (SLOTS - 1)
}
