/**
 * What an entry or a person's input says must not steer the terminal: escape sequences, other controls and the marks
 * that turn the reading direction are shown, not obeyed. Line breaks and tabs stay.
 */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, control =>
    control === '\r' ? '' : '\ufffd',
  )
}
