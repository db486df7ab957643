/**
 * Makes text from memory safe to show: characters that reorder the line or are invisible are shown by their code, so that the text always
 * reads as what it is.
 */
export function visibleText(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    character => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
}
