/** The parts of a handoff by their labels. A handoff without labels is one text: the request. */
interface HandoffParts {
  /** The newest request first. */
  readonly asked: readonly string[]
  readonly left: readonly string[]
}

const LABEL =
  /(?:^|\n|(?<=[.;!?…])\s{1,4})[-*# ]{0,8}(asked|request(?:ed)?|task|(?:done(?: and|,)? )?verified|done|claimed[^:\n]{0,40}|unverified|left(?: to do)?|next(?: steps?)?|remaining|open|to-?do)\*{0,2}\s{0,4}:\*{0,2}\s{0,4}/gi
const ASKED = /^(?:asked|request|task)/
const LEFT = /^(?:left|next|remaining|open|to-?do)/
/** Words for "nothing is left". */
const NOTHING = /^(?:nothing|none|n\/a|nil|no(?: open)? (?:items?|tasks?|steps?)|nada|-|–)\b.{0,30}$/i

/**
 *   Asked: Add retries → … → Make the limit configurable   gives   asked: Make the limit configurable | Add retries
 *   Left: Document it. `npm run lint` failed.               gives   left:  Document it. | `npm run lint` failed.
 */
export function readHandoff(content: string): HandoffParts {
  const labels = [...content.matchAll(LABEL)]
  if (labels.length === 0) return { asked: [firstParagraph(content)].filter(text => text !== ''), left: [] }
  const partsOf = (kind: RegExp) =>
    labels.flatMap((label, at) => {
      if (!kind.test((label[1] ?? '').toLowerCase())) return []
      const end = labels[at + 1]?.index ?? content.length
      return [content.slice(label.index + label[0].length, end).trim()]
    })
  const asked = partsOf(ASKED)
    .flatMap(text => text.split(/ → (?:… → )?/))
    .reverse()
  const left = partsOf(LEFT).flatMap(stepsIn)
  return { asked: asked.filter(text => text !== ''), left: left.filter(text => !NOTHING.test(text)) }
}

function firstParagraph(content: string): string {
  return (content.trim().split(/\n\s*\n/)[0] ?? '').trim()
}

/** Lines of a list, else sentences. */
function stepsIn(text: string): string[] {
  const lines = text.split('\n').map(line => line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, '').trim())
  const steps = lines.length > 1 ? lines : text.split(/(?<=[.!?…])\s+(?=[\p{Lu}`"“\d])|(?<=[。！？])/u)
  return steps.map(step => step.trim()).filter(step => step !== '')
}
