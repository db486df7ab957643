/** At `offset`, `length` characters become `text`. Edits of one list are about the same text, in order, and do not overlap. */
export interface TextEdit {
  readonly offset: number
  readonly length: number
  readonly text: string
}

/** Lists one after the other: each is about the text that the one before it gave. */
export type EditSteps = readonly (readonly TextEdit[])[]

function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits) {
    result += text.slice(at, edit.offset) + edit.text
    at = edit.offset + edit.length
  }
  return result + text.slice(at)
}

/** The edits that revert `edits`. They contain what was replaced, and nothing around it. */
function inverseEdits(text: string, edits: readonly TextEdit[]): TextEdit[] {
  let shift = 0
  return edits.map(edit => {
    const back = {
      offset: edit.offset + shift,
      length: edit.text.length,
      text: text.slice(edit.offset, edit.offset + edit.length),
    }
    shift += edit.text.length - edit.length
    return back
  })
}

/** A text that is changed step by step and knows the way back. */
export interface ReversibleText {
  readonly text: string
  /** From `text` to what it was at first. */
  readonly back: EditSteps
}

export function untouched(text: string): ReversibleText {
  return { text, back: [] }
}

export function withEdits(edited: ReversibleText, edits: readonly TextEdit[]): ReversibleText {
  if (edits.length === 0) return edited
  return {
    text: applyEdits(edited.text, edits),
    back: [inverseEdits(edited.text, edits), ...edited.back],
  }
}

export function goBack(text: string, back: EditSteps): string {
  return back.reduce(applyEdits, text)
}
