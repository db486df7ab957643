import * as v from 'valibot'
import { listOperation } from '../../../features/entries/verbs/list.ts'
import { conflictMarks } from '../../../features/search/superseded.ts'
import { defineOperation, marksSchema } from '../../../verbs/operation.ts'

/** The verb `list` with the marks of each entry, so that a page needs only one request. */
export const listMarkedOperation = defineOperation({
  ...listOperation,
  route: { at: 'GET /api/entries', access: 'read' },
  output: v.object({
    ...listOperation.output.entries,
    marks: v.exactOptional(
      v.pipe(
        v.record(v.string(), marksSchema),
        v.description('By id, of the entries listed that are superseded or in conflict'),
      ),
    ),
  }),
  async run(memory, input, context) {
    const answer = await listOperation.run(memory, input, context)
    if (input.asOf !== undefined) return answer
    const marks = await conflictMarks(
      memory,
      answer.entries.map(({ id }) => id),
    )
    const markById = Object.fromEntries(
      [...marks].map(([id, { supersededBy, newerClaim, conflictsWith }]) => [
        id,
        {
          ...(supersededBy && { supersededBy }),
          ...(newerClaim && { newerClaim }),
          ...(conflictsWith && { conflictsWith }),
        },
      ]),
    )
    return { ...answer, ...(marks.size > 0 && { marks: markById }) }
  },
})
