import { FACT_NAMES, type FactName, type Prints } from './note-facts.ts'

/** The hashes of an entry and its note when they last agreed. There are no times, because clocks of two machines cannot be compared. */
export interface BasePair {
  /** The path of the note below the synced folder. */
  readonly path: string
  readonly entry: Prints
  /** Differs from `entry` if the note contains something that the entry must not store. */
  readonly note: Prints
  /** The hash of the note's whole text. */
  readonly raw: string
  /** Cairn created the note and wrote its current text. */
  readonly isOurs: boolean
}

export type SyncBase = ReadonlyMap<string, BasePair>

const VERSION = 1

/** Each fact has a hash of ten characters, eighty for an entry. `record`: the last journal record at that time. */
export function renderBase(base: SyncBase, place: string, record?: string): string {
  const pairs = [...base].map(([id, { path, entry, note, raw, isOurs }]) => {
    const [ours, theirs] = [packed(entry), packed(note)]
    return [id, path, ours, theirs === ours ? '' : theirs, raw, isOurs ? 1 : 0]
  })
  const upTo = record === undefined ? '' : `"record":${JSON.stringify(record)},`
  return `{"version":${VERSION},"place":${JSON.stringify(place)},${upTo}"pairs":[\n${pairs.map(pair => JSON.stringify(pair)).join(',\n')}\n]}\n`
}

/**
 * If it is damaged or belongs to another place or version, it counts as empty: equal sides then agree, and different ones are both kept.
 */
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

/** The last journal record that the agreement includes; undefined: unknown. */
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
