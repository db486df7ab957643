import { HOST_IDS } from '../../../kernel/model/host.ts'
import { parseJson } from '../../../kernel/model/json-value.ts'
import type { TranscriptHost } from '../../../kernel/model/transcript.ts'
import { HOSTS } from '../../hosts.ts'
import { blockMessageReader } from './block-messages.ts'
import type { TranscriptFormat } from './transcript-format.ts'
import { readTranscriptMessage } from './transcript-message.ts'
import {
  isRecord,
  lineReader,
  type ReaderOptions,
  recordOf,
  type Said,
  SESSION_FIELD,
  type TranscriptReader,
} from './transcript-reader.ts'
import { typedByPerson } from './typed-by-person.ts'

export type TranscriptFormats = Readonly<Record<TranscriptHost, TranscriptFormat>>

/** The format of each host, of Cline, and of the folder in which a project stores transcripts itself. */
export async function loadFormats(): Promise<TranscriptFormats> {
  const hosts = await Promise.all(
    HOST_IDS.map(async host => [host, await HOSTS[host].transcripts()] as const),
  )
  const ofHosts = Object.fromEntries(hosts) as Record<(typeof HOST_IDS)[number], TranscriptFormat>
  return {
    ...ofHosts,
    cline: clineTranscripts,
    'agent-transcripts': agentTranscripts(hosts.map(([, format]) => format)),
  }
}

/**
 * Seed B: the folder `agent-transcripts/` in which a project stores transcripts itself. They may have come with a clone: links in it are not
 * followed. A file has the form of whatever wrote it; the first line that shows the form decides.
 */
function agentTranscripts(formats: readonly TranscriptFormat[]): TranscriptFormat {
  return {
    reader: options => guessingReader(formats, options),
    find({ root, join, filesBelow, startOf, add }) {
      const place = join(root, 'agent-transcripts')
      for (const file of filesBelow(place, 3, /\.jsonl$/)) {
        const name = file.slice(place.length + 1)
        // A copy of a host's file is the session that it was there.
        const [, session] = SESSION_FIELD.exec(startOf(file)) ?? []
        add(session ?? `agent-transcripts-${name.replace(/\.jsonl$/, '').replace(/[^\w.-]+/g, '-')}`, file, {
          cwd: root,
        })
      }
      return place
    },
  }
}

/** The format that a line has; undefined: it does not show. */
export function formatOfLine(
  formats: readonly TranscriptFormat[],
  value: unknown,
): TranscriptFormat | undefined {
  return isRecord(value) ? formats.find(({ isLine }) => isLine?.(value) === true) : undefined
}

function guessingReader(formats: readonly TranscriptFormat[], options: ReaderOptions): TranscriptReader {
  let chosen: TranscriptReader | undefined
  const any = anyMessageReader(options)
  return {
    get about() {
      return chosen?.about ?? any.about
    },
    take(value, line) {
      if (chosen === undefined) {
        const format = formatOfLine(formats, value)
        if (format !== undefined) chosen = format.reader(options)
        else {
          const said = any.take(value, line)
          if (said.length > 0) chosen = any
          return said
        }
      }
      return chosen.take(value, line)
    },
    finish: () => chosen?.finish() ?? [],
  }
}

/** Lines that are messages in some plain form. What is not a message gives nothing. */
function anyMessageReader({ nowMs }: ReaderOptions): TranscriptReader {
  let previousAt: string | undefined
  return lineReader((value, line, about): readonly Said[] => {
    const { message } = readTranscriptMessage(value, { nowMs, previousAt })
    if (message === undefined || value.isMeta === true) return []
    previousAt = message.at ?? previousAt
    if (message.at !== undefined) about.startedAt ??= message.at
    const role = message.role.toLowerCase()
    if (role === 'system' || role === 'developer') return []
    if (role !== 'user' && role !== 'human') return [{ message, line }]
    const text = typedByPerson(message.text)
    return text === undefined ? [] : [{ message: { ...message, text }, line }]
  })
}

const MAX_HEAD_BYTES = 4_194_304

/** Cline: its sessions are read, but Cairn is not installed into it. */
const clineTranscripts: TranscriptFormat = {
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
