import { whenNeeded } from './script.ts'

/** `may not be replaced`, `never drop`, `a change needs a restart`: rules, not news. */
const RULED = '(?<!(?:may|must|can|cannot|could|should|shall|might|never|not|don.t)(?: not| never)? (?:be )?)'
const NO_NEWS = '(?<!(?:an?|any|each|every|no|to|you) )'

const cue = whenNeeded(
  () =>
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?:${[
        `(?=[cdmrs])${RULED}(?:replac(?:e[sd]?|ing)|supersed(?:e[sd]?|ing)|deprecat(?:e[sd]?|ing)|migrat(?:e[sd]?|ing)|retired?|dropped?|removed?|deleted|${NO_NEWS}changed?)`,
        'switch(?:ed|ing)|abandon(?:ed|ing)',
        'mov(?:ed|ing) (?:off|from|to|away|back)|went (?:back )?to|go(?:es|ing)? (?:back )?(?:to|through)|gave up|instead of|rather than',
        'no longer|not any ?more|any ?more|from now on|as of|now|today|is out|are out|used to be|formerly|previously|(?:was|were) a mistake|unpinned',
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
