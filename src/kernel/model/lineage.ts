import type { Entry } from './entry.ts'
import { provenanceOf } from './provenance.ts'

/** The origin of an entry's text. Stored in its comment: `lineage:rule untrusted:web supersedes:1773679871839-k3f9`. */
export interface Lineage {
  /** Set if `origin` alone is not enough: a rule found it in a session, and a person accepted it. */
  readonly capturedBy?: 'rule'
  /** Text from outside the project was in the session before the save: a web page, another tool's output, a pasted document. */
  readonly untrusted?: UntrustedSource
  /** The entry that this one replaces, according to its writer. */
  readonly supersedes?: string
}

export const UNTRUSTED_SOURCES = ['web', 'tool', 'paste'] as const
export type UntrustedSource = (typeof UNTRUSTED_SOURCES)[number]

export const WRITERS = ['person', 'agent', 'rule', 'import'] as const
export type Writer = (typeof WRITERS)[number]

const ENTRY_ID = /^[\w.-]{1,80}$/

export function extraOfLineage({ capturedBy, untrusted, supersedes }: Lineage): Record<string, string> {
  return {
    ...(capturedBy !== undefined && { lineage: capturedBy }),
    ...(untrusted !== undefined && { untrusted }),
    ...(supersedes !== undefined && ENTRY_ID.test(supersedes) && { supersedes }),
  }
}

/** A value that a manual edit made unreadable counts as absent. */
export function lineageOf({ extra }: Pick<Entry, 'extra'>): Lineage {
  const untrusted = UNTRUSTED_SOURCES.find(source => source === extra?.untrusted)
  const supersedes = extra?.supersedes
  return {
    ...(extra?.lineage === 'rule' && { capturedBy: 'rule' as const }),
    ...(untrusted !== undefined && { untrusted }),
    ...(supersedes !== undefined && ENTRY_ID.test(supersedes) && { supersedes }),
  }
}

/** Who added the entry. */
export function writerOf(entry: Pick<Entry, 'origin' | 'extra'>): Writer {
  if (provenanceOf(entry) !== undefined) return 'import'
  if (entry.origin === 'machine' || lineageOf(entry).capturedBy === 'rule') return 'rule'
  return entry.origin
}
