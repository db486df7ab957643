import { rootOfId } from '../../../kernel/model/entry-id.ts'
import { hasConflict, isSummary } from '../../../kernel/vault/vault-edit.ts'
import type { EntrySegment, Segment, VaultFile } from '../../../kernel/vault/vault-file.ts'

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
  const baseKeyByTypedId = new Map(
    [...keyed.base].flatMap(([key, { idMissing, entry }]) => (idMissing ? [[entry.id, key] as const] : [])),
  )
  for (const side of ['ours', 'theirs'] as const) {
    const rekey = (from: string, to: string) => {
      const segment = keyed[side].get(from)
      if (segment === undefined || keyed[side].has(to)) return
      keyed[side].delete(from)
      keyed[side].set(to, segment)
      keyBySegment.set(segment, to)
    }
    // Cairn writes what was typed under the id that its words gave it, also where the words are others by then.
    for (const [key, { idMissing, entry }] of [...keyed[side]]) {
      const typedAs = idMissing ? undefined : baseKeyByTypedId.get(entry.id)
      if (typedAs !== undefined) rekey(key, typedAs)
    }
    const named = new Map(
      [...keyed[side]]
        .filter(([key, { idMissing }]) => !idMissing && !keyed.base.has(key))
        .map(([key, { entry }]) => [typedKey(entry.content), key]),
    )
    for (const key of typed) {
      const own = named.get(key)
      if (own !== undefined) rekey(own, key)
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
    if (segment.type === 'loose' || isSummary(segment) || unsure.has(rootOfId(segment.entry.id))) continue
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
  return new Set(
    file.segments.flatMap(segment =>
      segment.type === 'entry' && segment.conflict !== undefined ? [rootOfId(segment.entry.id)] : [],
    ),
  )
}
