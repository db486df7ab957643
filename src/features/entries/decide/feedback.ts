/** A JSON file of `.memory/`, whoever wrote it. */
type JsonObject = Readonly<Record<string, unknown>>

/** What was said of an entry, in `feedback` of curation.json. */
export function feedbackOn(document: JsonObject, id: string): { useful: number; wrong: number } {
  const all = feedbackIn(document)
  const said = (Object.hasOwn(all, id) ? all[id] : undefined) as JsonObject | null | undefined
  const count = (value: unknown) => (typeof value === 'number' ? value : 0)
  return { useful: count(said?.useful), wrong: count(said?.wrong) }
}

/** The document with one more word about an entry, or with none any more. */
export function withFeedback(
  document: JsonObject,
  id: string,
  saying: 'useful' | 'wrong' | 'clear',
): JsonObject {
  const { [id]: _, ...others } = feedbackIn(document)
  if (saying === 'clear') return { ...document, feedback: others }
  const said = feedbackOn(document, id)
  return { ...document, feedback: { ...others, [id]: { ...said, [saying]: said[saying] + 1 } } }
}

function feedbackIn({ feedback }: JsonObject): JsonObject {
  return typeof feedback === 'object' && feedback !== null && !Array.isArray(feedback)
    ? (feedback as JsonObject)
    : {}
}
