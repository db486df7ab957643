import type { JournalRecord } from '../../kernel/model/journal.ts'
import { entryBlockStatus, missingBlock } from '../state/entry-blocks.ts'
import { projectionStatus } from '../state/projecting.ts'
import { JOURNAL_PATH } from './decide/journal-lines.ts'
import { textOf } from './decide/json-text.ts'
import { judgeMissingBlock, judgeProjected } from './decide/projected-files.ts'
import { MAX_LOG_BYTES, type ValidationCheck, type ValidationRun } from './look.ts'

/** Whether contributors still find the way into the memory, and what they read there is what the state says. */
export const projectionsCheck: ValidationCheck = {
  name: 'projections',
  about: 'projections and the entry block',
  async run(look) {
    const { files: all } = await projectionStatus(look.engine)
    // A folder outside the project is told where it is configured.
    const files = all.filter(({ path }) => !path.startsWith('../'))
    look.add(judgeProjected(files, (await entryBlockStatus(look.engine)).files))
    const missing = await missingBlock(look.engine, blockRecords(look))
    if (missing !== undefined) look.add(judgeMissingBlock(missing))
  },
}

/** Newest first. A line that is no record is told by the check of the journal. */
function* blockRecords(look: ValidationRun): Iterable<JournalRecord> {
  const bytes = look.bytes(JOURNAL_PATH, MAX_LOG_BYTES)
  const lines = bytes === undefined ? [] : textOf(bytes).split('\n')
  for (const line of lines.reverse()) {
    if (!line.includes('cairn:entry')) continue
    try {
      const record = JSON.parse(line) as JournalRecord
      if (Array.isArray(record.changes)) yield record
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
}
