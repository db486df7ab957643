import { isStandingKind } from '../../model/category.ts'
import type { Entry } from '../../model/entry.ts'
import { saysChange } from '../../text/change-cue.ts'

/**
 * Whether a newer entry replaces an older one, told without a model from three things:
 *
 *   cue     it says that something changed: "replaced", "no longer", "is now", "passou para", …
 *   kind    both say how things are (decision, architecture, pattern, preference); a lesson or an error about a
 *           decision does not replace it
 *   topic   cosine of the two + 0.3 · weight of each shared tag and file  >= 0.5, and no other older entry is nearer
 *
 * A tag or file weighs 1 when the two entries alone have it, and nothing when every entry has it.
 */
export const SUPERSESSION = {
  leastTopic: 0.5,
  sharedWeight: 0.3,
} as const

export function mayReplace(entry: Entry): boolean {
  return isStandingKind(entry.kind) && saysChange(entry.content)
}

export interface TopicNeighbour {
  readonly entry: Entry
  readonly cosine: number
}

export interface SupersessionInput {
  readonly newer: Entry
  readonly neighbours: readonly TopicNeighbour[]
  /** 0 to 1: how telling it is that two entries share this tag or file. */
  readonly weightOf: (shared: { readonly tag: string } | { readonly file: string }) => number
}

/** The one entry that `newer` replaces, if any. */
export function findReplaced({ newer, neighbours, weightOf }: SupersessionInput): Entry | undefined {
  if (!mayReplace(newer)) return undefined
  let best: { entry: Entry; topic: number } | undefined
  for (const { entry, cosine } of neighbours) {
    if (entry.id === newer.id || entry.date >= newer.date || !isStandingKind(entry.kind)) continue
    const shared = [
      ...entry.tags.filter(tag => newer.tags.includes(tag)).map(tag => weightOf({ tag })),
      ...entry.files.filter(file => newer.files.includes(file)).map(file => weightOf({ file })),
    ]
    const topic = cosine + SUPERSESSION.sharedWeight * shared.reduce((sum, weight) => sum + weight, 0)
    if (topic >= SUPERSESSION.leastTopic && topic > (best?.topic ?? 0)) best = { entry, topic }
  }
  return best?.entry
}
