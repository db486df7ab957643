import { blockMessageReader } from '../transcripts/decide/block-messages.ts'
import type { TranscriptFormat } from '../transcripts/decide/transcript-format.ts'

export const cursorTranscripts: TranscriptFormat = {
  reader: options => blockMessageReader(options, { hasResults: false }),
  // Its lines name no folder: only the slug of this project shows which are its own.
  find({ root, folder, join, foldersIn, filesIn, add }) {
    const place = join(folder(undefined, '.cursor'), 'projects')
    const at = join(place, slugOf(root), 'agent-transcripts')
    for (const name of filesIn(at, /\.jsonl$/))
      add(name.slice(0, -'.jsonl'.length), join(at, name), { cwd: root })
    for (const session of foldersIn(at))
      for (const name of filesIn(join(at, session), /\.jsonl$/))
        add(session, join(at, session, name), { cwd: root, isSubAgent: name !== `${session}.jsonl` })
    return place
  },
}

/** As Cursor makes it: `/home/ana/my shop` is `home-ana-my-shop`. */
function slugOf(root: string): string {
  return root.replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-+|-+$/g, '')
}
