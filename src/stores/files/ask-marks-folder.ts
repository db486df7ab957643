import type { AskCounts, AskMarks, DueQuestion } from '../../features/agent-saves/decide/ports.ts'
import { ASK_REASONS } from '../../features/agent-saves/decide/worth-asking.ts'
import {
  numberField,
  ownField,
  type PayloadFields,
  parseFields,
  textField,
} from '../../hosts/hooks/decide/payload-fields.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { asStorageError, type Disk } from '../../kernel/system/disk.ts'
import { type MemoryPaths, placeIn } from '../../kernel/system/paths.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'

const MAX_MARK_BYTES = 65_536
const MAX_LOG_BYTES = 16 * 1_048_576
const PLAIN_ID = /^[a-z0-9][a-z0-9_-]{0,79}$/

type Ending = 'due' | 'asked' | 'saved'

export function askMarksFolder({
  paths,
  disk,
  clock,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
}): AskMarks {
  const folder = placeIn(paths.memory, LAYOUT.asks)
  const log = `${folder}/log.jsonl`
  const fileOf = (session: string, ending: Ending) => `${folder}/${nameOf(session)}.${ending}`
  const isAsked = (session: string) => disk.fileInfo(fileOf(session, 'asked')) !== undefined
  const ensureFolder = () => {
    if (disk.isFolder(folder) !== true) disk.makeFolder(folder)
  }
  const read = (file: string): PayloadFields | undefined => {
    const found = disk.readPlain(file, MAX_MARK_BYTES)
    return found !== undefined && found !== 'link' && found.kind === 'read'
      ? parseFields(new TextDecoder().decode(found.bytes))
      : undefined
  }
  const momentIn = (session: string, ending: Ending) => {
    const fields = read(fileOf(session, ending))
    return fields && textField(fields, 'at')
  }
  const replace = (file: string, value: object) => {
    ensureFolder()
    const temporary = `${file}.${clock.random(2 ** 40).toString(36)}.cairn-tmp`
    try {
      disk.writeFile(temporary, bytesOf(value))
      disk.rename(temporary, file)
    } catch (error) {
      disk.remove(temporary)
      throw error
    }
  }
  const addToLog = (line: object) => {
    const bytes = bytesOf(line)
    if ((disk.stamp(log)?.size ?? 0) + bytes.length <= MAX_LOG_BYTES) disk.appendSoon(log, bytes)
  }

  return {
    findDue: async session =>
      storing(() => {
        const due = dueIn(read(fileOf(session, 'due')))
        return due === undefined || isAsked(session) ? undefined : due.question
      }),

    findUnasked: async ({ not, silentSince, notBefore }) =>
      storing(() => {
        const found = (disk.listFolder(folder) ?? [])
          .filter(item => item.isFile() && item.name.endsWith('.due'))
          .flatMap(({ name }) => dueIn(read(`${folder}/${name}`)) ?? [])
          .filter(({ session, question }) => {
            const isOver = question.hasEnded || question.at < silentSince
            return session !== not && isOver && question.at >= notBefore && !isAsked(session)
          })
          .sort((a, b) => (a.question.at < b.question.at ? 1 : -1))
        const [newest] = found
        return newest && { session: newest.session, due: newest.question }
      }),

    saveDue: async (session, due) =>
      storing(() => {
        replace(fileOf(session, 'due'), { session, ...due })
      }),
    dropDue: async session => storing(() => disk.remove(fileOf(session, 'due'))),
    isAsked: async session => storing(() => isAsked(session)),

    claim: async (session, asked) =>
      storing(() => {
        ensureFolder()
        if (!disk.createFile(fileOf(session, 'asked'), bytesOf({ session, ...asked }))) return false
        disk.syncFolder(folder)
        if (asked.tokens > 0) addToLog({ event: 'asked', session, ...asked })
        return true
      }),

    noteSaved: async (session, at) =>
      storing(() => {
        const before = momentIn(session, 'saved')
        const asked = momentIn(session, 'asked')
        replace(fileOf(session, 'saved'), { session, at })
        disk.remove(fileOf(session, 'due'))
        if (asked !== undefined && (before === undefined || before < asked))
          addToLog({ event: 'answered', session, at })
      }),
    savedAt: async session => storing(() => momentIn(session, 'saved')),

    counts: async () => storing(() => countsIn(textOf(disk, log))),

    tidy: async olderThanMs =>
      storing(() => {
        const nowMs = clock.nowMs()
        for (const item of disk.listFolder(folder) ?? []) {
          const file = `${folder}/${item.name}`
          const stamp = /\.(?:due|asked|saved|cairn-tmp)$/.test(item.name) ? disk.stamp(file) : undefined
          if (stamp !== undefined && nowMs - stamp.mtimeMs > olderThanMs) disk.remove(file)
        }
      }),
  }
}

function nameOf(session: string): string {
  return PLAIN_ID.test(session) ? session : `s-${fingerprint(session)}`
}

function bytesOf(value: object): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`)
}

function textOf(disk: Disk, file: string): string {
  const found = disk.readPlain(file, 2 * MAX_LOG_BYTES)
  return found !== undefined && found !== 'link' && found.kind === 'read'
    ? new TextDecoder().decode(found.bytes)
    : ''
}

/** A mark that cannot be read counts as absent. */
function dueIn(fields: PayloadFields | undefined): { session: string; question: DueQuestion } | undefined {
  if (fields === undefined) return undefined
  const session = textField(fields, 'session')
  const at = textField(fields, 'at')
  if (session === undefined || at === undefined || Number.isNaN(Date.parse(at))) return undefined
  const listed = (name: string): readonly string[] => {
    const value = ownField(fields, name)
    return Array.isArray(value) ? value.filter((line): line is string => typeof line === 'string') : []
  }
  return {
    session,
    question: {
      at,
      host: textField(fields, 'host') ?? '',
      reasons: ASK_REASONS.filter(reason => listed('reasons').includes(reason)),
      near: listed('near'),
      rules: listed('rules'),
      closing: textField(fields, 'closing') ?? '',
      hasEnded: ownField(fields, 'hasEnded') === true,
    },
  }
}

function countsIn(text: string): AskCounts {
  let [asked, answered, tokens] = [0, 0, 0]
  for (const line of text.split('\n')) {
    const fields = line === '' ? undefined : parseFields(line)
    const event = fields && textField(fields, 'event')
    if (event === 'answered') answered++
    if (fields === undefined || event !== 'asked') continue
    asked++
    tokens += numberField(fields, 'tokens') ?? 0
  }
  return { asked, answered, tokens }
}

function storing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asStorageError(error, 'The marks of what agents are asked')
  }
}
