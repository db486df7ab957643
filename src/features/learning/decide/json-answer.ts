/** An answer that is longer than this is no list of findings. */
const LONGEST_ANSWER = 400_000
/** Of a text full of braces only so much is looked at. */
const MOST_STEPS = 8_000_000

/**
 * The JSON object that a model was asked for: alone, in a code fence, or with talk around it. The last that has one of
 * the keys: models that think aloud write drafts before it.
 */
export function jsonObjectIn(
  answer: string,
  keys: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const text = answer.slice(0, LONGEST_ANSWER)
  let last: Readonly<Record<string, unknown>> | undefined
  let steps = 0
  for (let from = text.indexOf('{'); from >= 0 && steps < MOST_STEPS; ) {
    const end = endOfObject(text, from)
    steps += (end ?? text.length) - from
    const object = end === undefined ? undefined : parsed(text.slice(from, end))
    if (object !== undefined && keys.some(key => Array.isArray(object[key]))) last = object
    from = text.indexOf('{', object === undefined || end === undefined ? from + 1 : end)
  }
  return last
}

/** Behind the brace that closes the one at `start`. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (inString) {
      if (letter === 92) at++
      else if (letter === 34) inString = false
    } else if (letter === 34) inString = true
    else if (letter === 123) depth++
    else if (letter === 125 && --depth === 0) return at + 1
  }
  return undefined
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
