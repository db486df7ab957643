import type { Entry } from '../model/entry.ts'
import { analyseEntry } from '../text/analyse.ts'
import { connectionsOf } from '../text/connections.ts'
import { fingerprint } from '../text/fingerprint.ts'
import type { IndexedEntry } from './entry-index.ts'

/** An entry with everything that an index stores about it. */
export function indexedEntry(entry: Entry, path: string): IndexedEntry {
  return {
    entry,
    path,
    text: analyseEntry(entry),
    fingerprint: fingerprint(entry.content),
    connections: connectionsOf(entry),
  }
}
