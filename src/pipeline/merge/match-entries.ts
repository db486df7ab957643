import { hasConflict, isSummary } from '../store/vault-edit.ts'
import type { EntrySegment, Segment, VaultFile } from '../store/vault-file.ts'

/** One entry as the three files have it; undefined where it does not stand. */
export interface Versions {
  readonly base: EntrySegment | undefined
  readonly ours: EntrySegment | undefined
  readonly theirs: EntrySegment | undefined
}

export interface Matched {
  readonly versions: ReadonlyMap<string, Versions>
  /** Of a segment of any of the three files; undefined for loose text and summaries. */
  keyOf(segment: Segment): string | undefined
}

type Side = keyof Versions

/**
 * Which entries are one and the same: those of one id, and those that somebody typed without an id and that say the same. Where
 * one side has given such an entry its id, or both have given it different ones, it is still the same entry.
 */
export function matchEntries(files: Readonly<Record<Side, VaultFile>>): Matched {
  const keyBySegment = new Map<Segment, string>()
  const keyed = {
    base: keysIn(files.base, keyBySegment),
    ours: keysIn(files.ours, keyBySegment),
    theirs: keysIn(files.theirs, keyBySegment),
  }
  const typed = new Set(
    Object.values(keyed).flatMap(segments =>
      [...segments].filter(([, { idMissing }]) => idMissing).map(([key]) => key),
    ),
  )
  for (const side of ['ours', 'theirs'] as const) {
    const named = new Map(
      [...keyed[side]]
        .filter(([key, { idMissing }]) => !idMissing && !keyed.base.has(key))
        .map(([key, { entry }]) => [typedKey(entry.content), key]),
    )
    for (const key of typed) {
      const own = named.get(key)
      const segment = own === undefined || keyed[side].has(key) ? undefined : keyed[side].get(own)
      if (own === undefined || segment === undefined) continue
      keyed[side].delete(own)
      keyed[side].set(key, segment)
      keyBySegment.set(segment, key)
    }
  }
  const keys = new Set([...keyed.base.keys(), ...keyed.ours.keys(), ...keyed.theirs.keys()])
  return {
    versions: new Map(
      [...keys].map(key => [
        key,
        { base: keyed.base.get(key), ours: keyed.ours.get(key), theirs: keyed.theirs.get(key) },
      ]),
    ),
    keyOf: segment => keyBySegment.get(segment),
  }
}

function keysIn(file: VaultFile, keyBySegment: Map<Segment, string>): Map<string, EntrySegment> {
  const unsure = inConflict(file)
  const segmentByKey = new Map<string, EntrySegment>()
  for (const segment of file.segments) {
    if (segment.type === 'loose' || isSummary(segment) || unsure.has(rootOf(segment.entry.id))) continue
    const own = segment.idMissing ? typedKey(segment.entry.content) : `id ${segment.entry.id}`
    let key = own
    for (let copies = 2; segmentByKey.has(key); copies++) key = `${own} ${copies}`
    segmentByKey.set(key, segment)
    keyBySegment.set(segment, key)
  }
  return segmentByKey
}

function typedKey(content: string): string {
  return `text ${content}`
}

/** A base that is a merge with conflicts of its own says nothing about the entries in them: they count as added by both. */
function inConflict(file: VaultFile): ReadonlySet<string> {
  if (!hasConflict(file)) return new Set()
  const ids = file.segments.flatMap(segment => (segment.type === 'entry' ? [segment.entry.id] : []))
  return new Set(ids.filter(id => rootOf(id) !== id).map(rootOf))
}

function rootOf(id: string): string {
  return id.replace(/~\d+$/, '')
}
