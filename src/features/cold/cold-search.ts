import type { Memory } from '../../kernel/memory.ts'
import { rootOf } from '../../kernel/memory-place.ts'
import type { Config } from '../../kernel/model/config.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { Degradation, EntryFilter } from '../../kernel/model/search.ts'
import { type ColdHit, coldRef, type Transcript } from '../../kernel/model/transcript.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { scanEntries, wordFilter } from '../search/decide/scan-entries.ts'
import { captureMessage, textOfRun } from '../sessions/decide/capture-message.ts'
import { coldParts, coldTranscripts } from './cold-transcripts.ts'
import type { ColdPorts } from './decide/ports.ts'

/** The user waits for this search. Transcripts that were not searched by then are reported. */
const MAX_MS = 20_000
const PARTS_BETWEEN_CHECKS = 64
/** Lines with the arguments of a tool or the start of a session: they are always read. */
const NEEDED =
  /"tool_use"|_call"|"tool\.execution_start"|"CommandExecution"|"session_meta"|"session\.(?:start|resume)"|"info"|"isSidechain":true/

interface ColdQuery {
  readonly limit: number
  readonly filter?: Pick<EntryFilter, 'since' | 'until'>
  readonly onProgress?: ((done: number, total: number | undefined, what: string) => void) | undefined
}

interface Found {
  readonly entry: Entry
  readonly transcript: Transcript
  readonly line: number
  readonly message: Message
}

/**
 * Searches the transcripts that hosts store of this project's sessions, in place. Never part of another search:
 * transcripts are large and unreviewed. Streamed, newest first; passages are ranked by the words of the query.
 */
export async function searchCold(
  memory: Memory & ColdPorts,
  query: string,
  { limit, filter = {}, onProgress }: ColdQuery,
): Promise<{ readonly cold: readonly ColdHit[]; readonly degraded: readonly Degradation[] }> {
  const { transcripts, problems } = await coldTranscripts(memory)
  const nowMs = memory.clock.nowMs()
  const input = { query, aliases: await memory.aliases(), now: utcMinute(nowMs) }
  const words = wordFilter(input)
  const compared = comparisons()
  const scan = scanEntries<Found>(input)
  const config = await memory.config()
  const degraded: Degradation[] = problems.map(({ code, message }) => ({ code, message }))
  const total = sizeOf(transcripts)
  let damaged = 0
  let before = 0
  let searched = 0
  let isLate = false
  const isWorthReading = (line: string): boolean => {
    if (words.mayHave(line) || NEEDED.test(line)) return true
    scan.pass([])
    return false
  }
  for (const transcript of transcripts) {
    if (isOutside(transcript, filter)) {
      searched++
      continue
    }
    let parts = 0
    for await (const { message, trouble, line, done } of coldParts(memory, transcript, { isWorthReading })) {
      if (++parts % PARTS_BETWEEN_CHECKS === 0) {
        onProgress?.(before + done, total, 'bytes of transcripts')
        if (memory.clock.nowMs() - nowMs > MAX_MS) {
          isLate = true
          break
        }
      }
      if (trouble !== undefined) damaged++
      if (message === undefined || isOutsideDate(message.at, filter)) continue
      const has = words.termsIn(messageText(message))
      if (!compared.isWorth(has.length)) {
        scan.pass(has)
        continue
      }
      // Freed of secrets before anything of it is ranked or shown.
      const kept = captureMessage(message, { config, root: rootOf(memory), now: '' }).message
      for (const passage of passagesOf(messageText(kept))) {
        const id = coldRef(transcript, line)
        if (words.mayHave(passage))
          scan.take({ entry: asEntry(id, passage, message), transcript, line, message })
        else scan.pass([])
      }
    }
    if (isLate) break
    before += transcript.size
    searched++
  }
  if (compared.left() > 0)
    degraded.push({
      code: 'cold_many',
      message: `${compared.left()} older messages have these words as well and were not compared: more or rarer words find them.`,
    })
  if (isLate) degraded.push(incomplete(transcripts.slice(searched)))
  if (damaged > 0)
    degraded.push({
      code: 'cold_lines_damaged',
      message: `${damaged} ${damaged === 1 ? 'line' : 'lines'} of transcripts could not be read and ${damaged === 1 ? 'was' : 'were'} left out.`,
    })
  const cold: ColdHit[] = []
  for (const found of scan.finish(limit)) cold.push(await hitOf(memory, found, config))
  return { cold, degraded: [...degraded, ...memory.store.takeDegraded()] }
}

/**
 * Redacting and parsing a message costs a hundred times as much as finding words in it. After this many messages with
 * at least as many of the words, an older one would hardly be shown.
 */
const MAX_COMPARED = 3_000

function comparisons() {
  const countByTerms: number[] = []
  let left = 0
  return {
    isWorth(terms: number): boolean {
      if (terms === 0) return false
      const before = countByTerms.reduce((sum, count, has) => (has >= terms ? sum + count : sum), 0)
      if (before >= MAX_COMPARED) {
        left++
        return false
      }
      countByTerms[terms] = (countByTerms[terms] ?? 0) + 1
      return true
    },
    left: () => left,
  }
}

async function hitOf(
  memory: Memory,
  found: Found & {
    readonly score: number
    readonly snippet: { readonly text: string; readonly matches: ColdHit['matches'] }
  },
  config: Config,
): Promise<ColdHit> {
  const { transcript, line, message, score, snippet, entry } = found
  const { host, session, file, isKept } = transcript
  // The second net sees the passage, for a part of a secret is none: where it finds one, nothing of it is shown.
  const redaction = redactionOptions(config)
  const isSafe =
    !config['redaction.secondNet'] || (await memory.secondNet(entry.content)).redacted.length === 0
  return {
    ref: coldRef(transcript, line),
    host,
    session,
    role: message.role,
    ...(message.at !== undefined && { at: message.at }),
    file: redact(file, redaction).text,
    line,
    ...(isKept === true && { isKept }),
    score,
    snippet: isSafe ? snippet.text : '[redacted: contains a secret]',
    matches: isSafe ? snippet.matches : [],
  }
}

/** The text of a message; of a tool run, its command and result. */
export function messageText({ text, run }: Message): string {
  return text.trim() === '' && run !== undefined ? textOfRun(run) : text
}

/** As a search for entries sees it; it is none. */
export function asEntry(id: string, content: string, { role, at = '' }: Pick<Message, 'role' | 'at'>): Entry {
  return {
    id,
    agent: 'cold',
    category: 'handoffs',
    kind: role,
    status: 'candidate',
    origin: 'machine',
    date: at.slice(0, 16),
    content,
    tags: [],
    files: [],
    importance: 0,
  }
}

function isOutside({ mtimeMs }: Transcript, { since }: NonNullable<ColdQuery['filter']>): boolean {
  return since !== undefined && mtimeMs > 0 && new Date(mtimeMs).toISOString() < since
}

function isOutsideDate(at: string | undefined, { since, until }: NonNullable<ColdQuery['filter']>): boolean {
  if (at === undefined) return false
  return (since !== undefined && at < since) || (until !== undefined && at > `${until}~`)
}

function sizeOf(transcripts: readonly Transcript[]): number {
  return transcripts.reduce((sum, { size }) => sum + size, 0)
}

function incomplete(left: readonly Transcript[]): Degradation {
  const megabytes = Math.ceil(sizeOf(left) / 1_048_576)
  return {
    code: 'cold_not_all',
    message: `${left.length} older ${left.length === 1 ? 'transcript was' : 'transcripts were'} not searched to the end (${megabytes} MB): it took longer than ${MAX_MS / 1_000} seconds. --since narrows it.`,
  }
}

/** The length of a passage: long enough to be understood, short enough to be found by its words. */
const PASSAGE_CHARACTERS = 1_200

/** A text in passages, cut between lines or words. */
export function* passagesOf(text: string): Iterable<string> {
  for (let from = 0; from < text.length; ) {
    const end = from + PASSAGE_CHARACTERS
    if (end >= text.length) {
      yield text.slice(from)
      return
    }
    const half = from + PASSAGE_CHARACTERS / 2
    const line = text.lastIndexOf('\n', end)
    const word = text.lastIndexOf(' ', end)
    const cut = line > half ? line + 1 : word > half ? word + 1 : end
    yield text.slice(from, cut)
    from = cut
  }
}
