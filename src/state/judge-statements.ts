import { findConflict } from '../pipeline/promote/conflicts.ts'
import type { Said, StatementJudge } from '../pipeline/recall/recall-input.ts'
import { overcomes, reportsIn, topicOf } from '../text/completion.ts'
import { fingerprint } from '../text/fingerprint.ts'

/** A contradiction that rests on less is none that a statement would be let go for. */
const LEAST_SURE = 0.5

/** By the same rules that judge findings and entries. */
export const statementJudge: StatementJudge = {
  isSame: (a, b) => fingerprint(a.text) === fingerprint(b.text),
  contradicts(older, newer) {
    const verdict = findConflict({ a: stated(older), b: stated(newer) })
    if (verdict.conflict && verdict.confidence >= LEAST_SURE) return true
    // "Tokens are no longer stored in Redis": it says itself what is over.
    return reportsIn(newer.text).some(report => report.isNoLonger && overcomes(report, topicOf(older.text)))
  },
}

function stated({ text, kind, files, at }: Said) {
  return { content: text, kind, files, tags: [], date: at.slice(0, 16) }
}
