import { type Entry, isPinnedByPerson, withPinnedBy } from '../../../kernel/model/entry.ts'
import type { Anchoring } from '../../../kernel/model/freshness.ts'
import type { CapturedEntry } from '../../../kernel/model/new-entry.ts'

/** Importance gained by each repetition (seed C, section 12). */
const IMPORTANCE_GAIN = 0.1

type RememberPlan =
  /** `after` is `before` itself where nothing changes. */
  | { readonly kind: 'merged'; readonly before: Entry; readonly after: Entry }
  | { readonly kind: 'added'; readonly after: Entry }

/**
 * A repetition strengthens the existing entry: importance + 0.1 up to 1, new tags and files are added, and the time is
 * noted. Its text, place and date stay. A confirmed entry changes only when a person runs a command: git tracks its
 * file, and repetitions by a session or an agent add nothing.
 */
export function planRemember(
  captured: CapturedEntry,
  known: Entry | undefined,
  {
    newId,
    nowMs,
    isFromSession = false,
  }: { readonly newId: () => string; readonly nowMs: number; readonly isFromSession?: boolean },
): RememberPlan {
  if (known === undefined) return { kind: 'added', after: newEntry(captured, newId(), nowMs) }
  const isConfirmed = known.status === 'confirmed' || isPinnedByPerson(known)
  if (isConfirmed && (isFromSession || captured.origin !== 'person'))
    return { kind: 'merged', before: known, after: known }
  const importance = Math.round(Math.min(1, known.importance + IMPORTANCE_GAIN) * 1000) / 1000
  const after: Entry = {
    ...known,
    importance,
    // If a person repeats it, the entry becomes theirs.
    origin: captured.origin === 'person' ? 'person' : known.origin,
    status: known.status === 'candidate' && captured.origin === 'person' ? 'confirmed' : known.status,
    tags: union(known.tags, captured.tags),
    files: union(known.files, captured.files),
    ...joinAnchors(known, captured),
    updated: new Date(nowMs).toISOString().slice(0, 19),
  }
  return {
    kind: 'merged',
    before: known,
    after: captured.origin === 'person' ? withPinnedBy(after, 'person') : after,
  }
}

/** A repetition checks the files again: files named now are anchored in their current state. */
function joinAnchors(known: Entry, captured: CapturedEntry): Anchoring {
  if (captured.anchors === undefined) return {}
  const taken = new Set(captured.anchors.map(({ file }) => file))
  const others = (known.anchors ?? []).filter(({ file }) => !taken.has(file))
  return {
    anchors: [...others, ...captured.anchors],
    ...(captured.commit !== undefined && { commit: captured.commit }),
  }
}

function newEntry(captured: CapturedEntry, id: string, nowMs: number): Entry {
  const { dateMs, confidence, session, ...rest } = captured
  return {
    id,
    ...rest,
    date: new Date(dateMs ?? nowMs).toISOString().slice(0, 16),
    ...(confidence !== undefined && { confidence }),
    ...(session !== undefined && { session }),
  }
}

function union(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])]
}
