import { FACT_NAMES, type FactName, type Prints } from './note-facts.ts'

/** How an entry and its note stood when they last agreed. Hashes alone: clocks of two machines say nothing. */
export interface BasePair {
  /** Of the note, below the synced folder. */
  readonly path: string
  readonly entry: Prints
  /** Other than `entry` where the note says what the entry may not keep. */
  readonly note: Prints
  /** Of the whole text of the note. */
  readonly raw: string
  /** The note was made here, and its text was last written here. */
  readonly isOurs: boolean
}

export type SyncBase = ReadonlyMap<string, BasePair>

const VERSION = 1

/** Every fact has a print of ten characters: eighty for an entry. `record`: the last change in the journal by then. */
export function renderBase(base: SyncBase, place: string, record?: string): string {
  const pairs = [...base].map(([id, { path, entry, note, raw, isOurs }]) => {
    const [ours, theirs] = [packed(entry), packed(note)]
    return [id, path, ours, theirs === ours ? '' : theirs, raw, isOurs ? 1 : 0]
  })
  const upTo = record === undefined ? '' : `"record":${JSON.stringify(record)},`
  return `{"version":${VERSION},"place":${JSON.stringify(place)},${upTo}"pairs":[\n${pairs.map(pair => JSON.stringify(pair)).join(',\n')}\n]}\n`
}

/** Of another place, of another version or damaged, it is none: equal sides are then equal, and others are kept as both. */
export function parseBase(text: string, place: string): SyncBase {
  const stored = parsed(text)
  if (stored?.version !== VERSION || stored.place !== place || !Array.isArray(stored.pairs)) return new Map()
  const base = new Map<string, BasePair>()
  for (const item of stored.pairs as readonly unknown[]) {
    if (!Array.isArray(item)) continue
    const [id, path, ours, theirs, raw, isOurs] = item as readonly unknown[]
    if (typeof id !== 'string' || typeof path !== 'string' || typeof raw !== 'string') continue
    const entry = unpacked(ours)
    const note = theirs === '' ? entry : unpacked(theirs)
    if (entry === undefined || note === undefined) continue
    base.set(id, { path, entry, note, raw, isOurs: isOurs === 1 })
  }
  return base
}

/** Up to which change in the journal the sides agreed; undefined: unknown. */
export function recordOfBase(text: string, place: string): string | undefined {
  const stored = parsed(text)
  return stored?.place === place && typeof stored.record === 'string' ? stored.record : undefined
}

function packed(prints: Prints): string {
  return FACT_NAMES.map(name => prints[name]).join(' ')
}

function unpacked(text: unknown): Prints | undefined {
  const parts = typeof text === 'string' ? text.split(' ') : []
  if (parts.length !== FACT_NAMES.length) return undefined
  return Object.fromEntries(FACT_NAMES.map((name, at) => [name, parts[at]])) as Record<FactName, string>
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
