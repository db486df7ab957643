import type { Entry } from '../../model/entry.ts'
import { whenNeeded } from '../../text/script.ts'

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

const STANDING: ReadonlySet<string> = new Set(['decision', 'architecture', 'pattern', 'preference'])

const cue = whenNeeded(
  () =>
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?:${[
        'replac(?:e[sd]?|ing)|supersed(?:e[sd]?|ing)|deprecat(?:e[sd]?|ing)|migrat(?:e[sd]?|ing)|switch(?:ed|ing)|abandon(?:ed|ing)',
        'mov(?:ed|ing) (?:off|from|to|away|back)|went (?:back )?to|go(?:es|ing)? (?:back )?(?:to|through)|gave up|instead of|rather than',
        'no longer|not any ?more|any ?more|from now on|as of|now|today|retired?|dropped?|removed?|deleted|is out|are out|changed?|used to be|formerly|previously|(?:was|were) a mistake|unpinned',
        'substitu[ií]\\p{L}*|troc(?:amos|ou|ado|ada|ados|adas)|migr(?:ou|amos|ado|ada)|mud(?:ou|amos|ança)|pass(?:ou|amos|aram) (?:a|para|pra)|saiu|saíram|virou|deix(?:ou|amos) de|volt(?:ou|amos)|aposent\\p{L}*|abandon(?:ou|amos)',
        'agora|em vez de|ao invés de|não (?:é|são|usamos|fazemos) mais|de agora em diante|a partir de',
      ].join('|')})(?![\\p{L}\\p{N}])`,
      'iu',
    ),
)

export function mayReplace(entry: Entry): boolean {
  return STANDING.has(entry.kind) && cue().test(entry.content)
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
    if (entry.id === newer.id || entry.date >= newer.date || !STANDING.has(entry.kind)) continue
    const shared = [
      ...entry.tags.filter(tag => newer.tags.includes(tag)).map(tag => weightOf({ tag })),
      ...entry.files.filter(file => newer.files.includes(file)).map(file => weightOf({ file })),
    ]
    const topic = cosine + SUPERSESSION.sharedWeight * shared.reduce((sum, weight) => sum + weight, 0)
    if (topic >= SUPERSESSION.leastTopic && topic > (best?.topic ?? 0)) best = { entry, topic }
  }
  return best?.entry
}
