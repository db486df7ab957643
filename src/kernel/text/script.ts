/**
 * Most text is Latin, and the regular expressions for all scripts cost a millisecond each to compile: a cold command
 * has few of those. So text is tested first, and only text that needs them gets them.
 */
const ASCII = /^[\x00-\x7f]*$/
/** Latin letters to U+024F, combining marks, and the punctuation, arrows and signs that Latin text is set with. */
const LATIN = /^[\u0300-\u036f\x00-\u024f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u22ff\ufffd]*$/

export function isAscii(text: string): boolean {
  return ASCII.test(text)
}

export function isLatin(text: string): boolean {
  return LATIN.test(text)
}

const NOT_LATIN = /[^\x00-\u036f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u22ff\ufffd]/g
/** Scripts that write a word in one or two characters have said all by then. */
const MOSTLY = 0.2

/** False: an appreciable part of the text is in another script. */
export function isMostlyLatin(text: string): boolean {
  return isLatin(text) || (text.match(NOT_LATIN)?.length ?? 0) < MOSTLY * text.length
}

/** A regular expression that is made when it is first asked for. */
export function whenNeeded(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined
  return () => {
    made ??= make()
    return made
  }
}
