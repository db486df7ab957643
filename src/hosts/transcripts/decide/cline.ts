import { parseJson } from '../../../kernel/model/json-value.ts'
import { blockMessageReader } from './block-messages.ts'
import type { TranscriptFormat } from './transcript-format.ts'
import { recordOf } from './transcript-reader.ts'

const MAX_HEAD_BYTES = 4_194_304

/** Cline: its sessions are read, but Cairn is not installed into it. */
export const clineTranscripts: TranscriptFormat = {
  reader: options => blockMessageReader(options, { hasResults: true }),
  find({ isOurs, folder, join, foldersIn, read, add }) {
    const place = join(folder('CLINE_DIR', '.cline'), 'data', 'sessions')
    for (const session of foldersIn(place)) {
      const { cwd } = recordOf(parseJson(read(join(place, session, `${session}.json`), MAX_HEAD_BYTES) ?? ''))
      if (typeof cwd === 'string' && isOurs(cwd))
        add(session, join(place, session, `${session}.messages.json`), { cwd })
    }
    return place
  },
}
