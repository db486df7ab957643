import * as v from 'valibot'
import { addressOf, findUpMark } from '../../../kernel/system/up-marks.ts'

/** The server of `cairn up` for a project, by the mark that it left: nobody is asked. */
export const serverViewSchema = v.nullable(
  v.object({
    address: v.pipe(v.string(), v.description('Of the page; `cairn up` opens it with the token')),
    pid: v.number(),
    since: v.string(),
    version: v.string(),
  }),
)
export type ServerView = v.InferOutput<typeof serverViewSchema>

/** Without a folder: who asks a hub has it before them. */
export function serverView(root: string | undefined): ServerView {
  const mark = root === undefined ? undefined : findUpMark(root)
  if (mark === undefined) return null
  return { address: addressOf(mark), pid: mark.pid, since: mark.startedAt, version: mark.version }
}
