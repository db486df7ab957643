import { findConflict } from '../pipeline/promote/conflicts.ts'
import { compareStatements } from '../pipeline/promote/same-statement.ts'
import type { Said, StatementJudge } from '../pipeline/recall/recall-input.ts'

/** A contradiction that rests on less is none that a statement would be let go for. */
const LEAST_SURE = 0.65

/** By the same rules that judge findings and entries. */
export const statementJudge: StatementJudge = {
  isSame: (a, b) => compareStatements(stated(a), stated(b)).kind === 'same',
  contradicts(older, newer) {
    const verdict = findConflict({ a: stated(older), b: stated(newer) })
    return verdict.conflict && verdict.confidence >= LEAST_SURE
  },
}

function stated({ text, kind, files, at }: Said) {
  return { content: text, kind, files, tags: [], date: at.slice(0, 16) }
}
