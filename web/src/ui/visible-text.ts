/**
 * Text from memory as it may be shown: characters that reorder the line around them, or that cannot be seen at all, are shown by their
 * number, so that a text never reads as something else than it is.
 */
export function visibleText(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    character => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
}
