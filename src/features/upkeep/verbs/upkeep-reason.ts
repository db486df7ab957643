import * as v from 'valibot'
import { TOLD_REASONS } from '../decide/told-reason.ts'

export const upkeepReasonSchema = v.pipe(
  v.object({
    code: v.picklist(TOLD_REASONS),
    days: v.exactOptional(v.number()),
    count: v.exactOptional(v.number()),
  }),
  v.description('The same as data, for those who tell it in words of their own'),
)
