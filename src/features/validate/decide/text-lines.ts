/** Every line with its number, from 1; the last one may never have been ended. A BOM is not part of the first. */
export function eachLine(text: string, look: (line: string, number: number, isEnded: boolean) => void): void {
  let number = 0
  for (let start = text.charCodeAt(0) === 0xfeff ? 1 : 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    number++
    look(text.slice(start, newline === -1 ? text.length : newline), number, newline !== -1)
    start = newline === -1 ? text.length : newline + 1
  }
}

const NEWLINE = 0x0a

/** How many lines a file has, without making a text of it. Blank ones at its end are none. */
export function countLines(bytes: Uint8Array): number {
  let lines = 0
  let start = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
    if (at > start) lines++
    start = at + 1
  }
  return start < bytes.length ? lines + 1 : lines
}
