/** What a cue looks like, English and Portuguese, over folded text. */
interface Cues {
  readonly en: string
  readonly pt?: string
}

/** Alternatives, a few to a line. */
function alternatives({ en, pt = '' }: Cues): string {
  return `${en}\n${pt}`
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('|')
}

export function anyOf(cues: Cues): RegExp {
  return new RegExp(`(?<![\\w'-])(?:${alternatives(cues)})(?![\\w-])`)
}

export function opening(cues: Cues): RegExp {
  return new RegExp(`^(?:${alternatives(cues)})(?![\\w'-])`)
}
