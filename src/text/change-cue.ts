import { whenNeeded } from './script.ts'

const cue = whenNeeded(
  () =>
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?:${[
        'replac(?:e[sd]?|ing)|supersed(?:e[sd]?|ing)|deprecat(?:e[sd]?|ing)|migrat(?:e[sd]?|ing)|switch(?:ed|ing)|abandon(?:ed|ing)',
        'mov(?:ed|ing) (?:off|from|to|away|back)|went (?:back )?to|go(?:es|ing)? (?:back )?(?:to|through)|gave up|instead of|rather than',
        'no longer|not any ?more|any ?more|from now on|as of|now|today|retired?|dropped?|removed?|deleted|is out|are out|changed?|used to be|formerly|previously|(?:was|were) a mistake|unpinned',
        'substitu[ií]\\p{L}*|troc(?:amos|ou|aram|ado|ada|ados|adas)|migr(?:ou|amos|aram|ado|ada)|mud(?:ou|amos|aram|ança)|pass(?:ou|amos|aram) (?:a|para|pra)|saiu|saíram|virou|deix(?:ou|amos) de|volt(?:ou|amos)|aposent\\p{L}*|abandon(?:ou|amos)',
        'agora|em vez de|ao invés de|não (?:é|são|usamos|fazemos) mais|de agora em diante|a partir de',
      ].join('|')})(?![\\p{L}\\p{N}])`,
      'iu',
    ),
)

/** Whether a text says that something changed: "replaced", "no longer", "is now", "passou para", … */
export function saysChange(text: string): boolean {
  return cue().test(text)
}
