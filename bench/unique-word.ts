const LETTERS = 'bcdfghklmnprtvwz'

/** A word for a number below 65536 that no other number has, no stemmer shortens, and no typo apart turns into another. */
export function uniqueWord(number: number): string {
  let word = ''
  for (let rest = number, i = 0; i < 4; i++, rest = Math.floor(rest / LETTERS.length)) {
    const letter = LETTERS[rest % LETTERS.length] ?? ''
    // Each letter is written twice over, so two words always differ in two places.
    word += `${letter}o${letter}u`
  }
  return `${word}k`
}
