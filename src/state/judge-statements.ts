import { homeOfKind } from '../model/category.ts'
import { findValueConflict } from '../pipeline/promote/stated-values.ts'
import type { Said, StatementJudge } from '../pipeline/recall/recall-input.ts'
import { overcomes, reportsIn, topicOf } from '../text/completion.ts'
import { fingerprint } from '../text/fingerprint.ts'

/** By the same rules that compare entries: equal texts, and literal values. */
export const statementJudge: StatementJudge = {
  isSame: (a, b) => fingerprint(a.text) === fingerprint(b.text),
  contradicts(older, newer) {
    if (findValueConflict(stated(older), stated(newer)) !== undefined) return true
    // "Tokens are no longer stored in Redis": it says itself what is over.
    return reportsIn(newer.text).some(report => report.isNoLonger && overcomes(report, topicOf(older.text)))
  },
}

function stated({ text, kind, files }: Said) {
  return { content: text, kind, files, category: homeOfKind(kind) }
}
