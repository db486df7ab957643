import * as v from 'valibot'
import { findTarget } from '../../../features/entries/verbs/target.ts'
import { DRIFT_REASONS, readDrift } from '../../../features/overview/drift.ts'
import {
  defineOperation,
  degradedSchema,
  entrySchema,
  freshnessSchema,
  text,
} from '../../../verbs/operation.ts'

export const driftOperation = defineOperation({
  name: 'drift',
  agent: 'reads',
  route: { at: 'GET /api/entries/:target/drift', access: 'read' },
  summary: 'What changed in the files of an entry since it was anchored to them',
  description:
    'Compares what git has of each file at the commit of the entry with the file as it is now. Secrets in the files are not shown.',
  positionals: ['target'],
  input: v.object({ target: text('The id, or words that only one entry fits') }),
  output: v.object({
    entry: entrySchema,
    freshness: v.pipe(
      v.nullable(freshnessSchema),
      v.description('null: the entry is not anchored to a file'),
    ),
    commit: v.exactOptional(v.string()),
    files: v.array(
      v.object({
        file: v.string(),
        what: v.pipe(
          v.picklist(['changed', 'moved', 'gone', 'unreadable', 'same', 'unanchored']),
          v.description('same: most of the text is unchanged; the hunks show the rest'),
        ),
        to: v.exactOptional(v.pipe(v.string(), v.description('Where it is now'))),
        hunks: v.array(
          v.object({
            oldStart: v.number(),
            newStart: v.number(),
            lines: v.array(v.object({ kind: v.picklist(['same', 'added', 'removed']), text: v.string() })),
          }),
        ),
        reason: v.exactOptional(v.pipe(v.string(), v.description('Why hunks are missing'))),
        because: v.exactOptional(
          v.object({ code: v.picklist(DRIFT_REASONS), count: v.exactOptional(v.number()) }),
        ),
      }),
    ),
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, { target }) {
    const entry = await findTarget(memory, target)
    const { freshness, files, degraded } = await readDrift(memory, entry)
    return {
      entry,
      freshness: freshness ?? null,
      ...(entry.commit !== undefined && { commit: entry.commit }),
      files: files.map(file => ({
        ...file,
        hunks: file.hunks.map(hunk => ({ ...hunk, lines: [...hunk.lines] })),
      })),
      degraded: [...memory.store.takeDegraded(), ...degraded],
    }
  },
})
