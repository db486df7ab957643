import type { Transcript, TranscriptHost } from '../../kernel/model/transcript.ts'
import { TRANSCRIPT_HOSTS } from '../../kernel/model/transcript.ts'
import type { HostFolders } from '../../kernel/system/host-folders.ts'
import type { HostTranscripts, TranscriptDatabase } from './decide/host-transcripts.ts'
import { readTranscript } from './read-transcript.ts'
import { Gathered, PLACES } from './transcript-places.ts'

export interface HostTranscriptParts {
  readonly folders: HostFolders
  /** The project, behind all links. */
  readonly root: string
  readonly isOurs: (cwd: string) => boolean
  /** Opened to be read alone; throws when it cannot be. */
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
      const found = new Gathered()
      const places: Partial<Record<TranscriptHost, string>> = {}
      for (const host of hosts)
        places[host] = PLACES[host]({ folders: parts.folders, root: parts.root, isOurs, sessionsIn }, found)
      const transcripts = found.transcripts.sort(newestFirst)
      return { transcripts, problems: found.problems, places }
    },
    async open(transcript, options = {}) {
      const rows = transcript.host === 'opencode' && transcript.file.endsWith('.db')
      return readTranscript(transcript, {
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
