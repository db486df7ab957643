/**
 * The words of seed C's `/memory` command (section 10), which is `/cairn` in hosts and `cairn memory` on a command line. Each one is an
 * existing verb.
 */
export const MEMORY_WORDS = ['status', 'list', 'search', 'budget', 'alias', 'auto', 'config'] as const

export const PRESETS = ['conservative', 'balanced', 'aggressive'] as const
export type Preset = (typeof PRESETS)[number]

/** `config conservative` sets the preset of promotion; `config get …` and the like are the settings. undefined: unknown word. */
export function verbWords(words: readonly string[]): readonly string[] | undefined {
  const [first = '', second, ...rest] = words
  if (!(MEMORY_WORDS as readonly string[]).includes(first)) return undefined
  if (first !== 'config') return words
  const isPreset = second === undefined || (PRESETS as readonly string[]).includes(second)
  return isPreset ? ['preset', ...(second === undefined ? [] : [second]), ...rest] : words
}
