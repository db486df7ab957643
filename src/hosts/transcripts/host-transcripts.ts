import type { Transcript, TranscriptHost } from '../../kernel/model/transcript.ts'
import { TRANSCRIPT_HOSTS } from '../../kernel/model/transcript.ts'
import type { HostTranscripts, TranscriptDatabase } from './decide/host-transcripts.ts'
import { loadFormats } from './decide/transcript-formats.ts'
import { readTranscript } from './read-transcript.ts'
import { FoundTranscripts, transcriptSearch } from './transcript-search.ts'

interface HostTranscriptParts {
  /** The project, with all links resolved. */
  readonly root: string
  readonly isOurs: (cwd: string) => boolean
  /** Opens it to be read only; throws if that fails. */
  readonly openDatabase: (file: string) => TranscriptDatabase
  readonly nowMs: () => number
}

export function hostTranscripts(parts: HostTranscriptParts): HostTranscripts {
  const { openDatabase } = parts
  const knownFolders = new Map<string, boolean>()
  const isOurs = (cwd: string): boolean => {
    const known = knownFolders.get(cwd)
    if (known !== undefined) return known
    const ours = parts.isOurs(cwd)
    knownFolders.set(cwd, ours)
    return ours
  }
  const sessionsIn = (file: string) => {
    const database = openDatabase(file)
    try {
      return database.sessions()
    } finally {
      database.close()
    }
  }
  return {
    async list(hosts = TRANSCRIPT_HOSTS) {
      const found = new FoundTranscripts()
      const formats = await loadFormats()
      const places: Partial<Record<TranscriptHost, string>> = {}
      for (const host of hosts)
        places[host] = formats[host].find(
          transcriptSearch(host, { root: parts.root, isOurs, sessionsIn }, found),
        )
      const transcripts = found.transcripts.sort(newestFirst)
      return { transcripts, problems: found.problems, places }
    },
    async open(transcript, options = {}) {
      const rows = transcript.file.endsWith('.db')
      return readTranscript(transcript, await loadFormats(), {
        ...options,
        nowMs: parts.nowMs(),
        ...(rows && { rows: () => rowsOf(openDatabase, transcript) }),
      })
    },
  }
}

function* rowsOf(
  openDatabase: HostTranscriptParts['openDatabase'],
  { file, session }: Transcript,
): Iterable<unknown> {
  const database = openDatabase(file)
  try {
    yield* database.messages(session)
  } finally {
    database.close()
  }
}

function newestFirst(a: Transcript, b: Transcript): number {
  return b.mtimeMs - a.mtimeMs || (a.file < b.file ? -1 : 1)
}
