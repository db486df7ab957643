/**
 * Text of an entry or of a person's input must not control the terminal: escape sequences, other control characters and direction marks
 * are shown, not obeyed. Line breaks and tabs stay.
 */
/** For a name within one of our lines: an id or a kind that contains a line break must not start a new line. */
export function visibleName(text: string): string {
  return visible(text).replace(/[\n\t\u2028\u2029]+/g, '\u21b5')
}

export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, control =>
    control === '\r' ? '' : '\ufffd',
  )
}
