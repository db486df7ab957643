import type { SharedDocument } from './protocol.ts'
import { readCuration } from './shared-documents.ts'

const MAX_CHARACTERS = 4_000_000
/** `curation.json` has four levels; a thousand could overflow the stack of a recursive reader. */
const MAX_LEVELS = 20

/** Whether a body from the wire is a valid document of that name. */
export function isSoundDocument(name: SharedDocument, body: string | null): boolean {
  if (body === null) return true
  if (body.length > MAX_CHARACTERS) return false
  if (name !== 'curation.json') return true
  try {
    return isShallow(readCuration(body))
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Iterative, because recursion is what the limit protects from. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return false
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return true
}
