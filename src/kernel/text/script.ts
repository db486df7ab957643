/**
 * Most text is Latin, and the regular expressions for all scripts cost a millisecond each to compile, which is much for a cold command.
 * So only text that needs them pays for them.
 */
const ASCII = /^[\x00-\x7f]*$/
/** Latin letters to U+024F, combining marks, and the punctuation, arrows and symbols of Latin text. */
const LATIN = /^[\u0300-\u036f\x00-\u024f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u22ff\ufffd]*$/

export function isAscii(text: string): boolean {
  return ASCII.test(text)
}

export function isLatin(text: string): boolean {
  return LATIN.test(text)
}

const NOT_LATIN = /[^\x00-\u036f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u22ff\ufffd]/g
/** Low, because some scripts write a word in one or two characters. */
const MOSTLY = 0.2

/** False: a considerable part of the text is in another script. */
export function isMostlyLatin(text: string): boolean {
  return isLatin(text) || (text.match(NOT_LATIN)?.length ?? 0) < MOSTLY * text.length
}

/** A regular expression that is compiled on first use. */
export function whenNeeded(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined
  return () => {
    made ??= make()
    return made
  }
}
