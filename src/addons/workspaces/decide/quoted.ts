const UNSAFE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]/g

/** In double quotes, with every character escaped that a terminal or a YAML parser might interpret. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    UNSAFE,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
