/**
 * What an entry or a person's input says must not steer the terminal: escape sequences, other controls and the marks
 * that turn the reading direction are shown, not obeyed. Line breaks and tabs stay.
 */
/** For a name in a line of ours: an id or a kind that holds a line break must not begin a line of its own. */
export function visibleName(text: string): string {
  return visible(text).replace(/[\n\t\u2028\u2029]+/g, '\u21b5')
}

export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, control =>
    control === '\r' ? '' : '\ufffd',
  )
}
