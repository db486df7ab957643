import { damagedLine, type EventLog, parseEvent } from '../../features/sessions/decide/event-log.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import type { MemoryEvent } from '../../kernel/model/event.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { contentHash } from '../../kernel/system/content-hash.ts'
import { asStorageError, type Disk } from '../../kernel/system/disk.ts'
import { type MemoryPaths, placeIn } from '../../kernel/system/paths.ts'
import { safePaths } from './safe-path.ts'

const NEWLINE = 0x0a
const FIRST_TAIL_BYTES = 64 * 1024
/** How much of the log may be missing from the table of hashes: read again with every append, and far cheaper than a second fsync. */
const UNCOVERED_BYTES = 64 * 1024

/**
 * `history/events.jsonl`, one event a line.
 *
 * A hook must not read 40 MB to find a hash in a log of 100,000 events. `.vault/event-hashes` has two numbers for
 * each event: 52 bits of its hash, and where its line ends. What is after the last such end is read from the log. The
 * table can be deleted at any time.
 */
export function eventFile({
  paths,
  disk,
  exclusively,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  /** Runs under the lock of this memory. */
  readonly exclusively: <T>(work: () => T | Promise<T>) => Promise<T>
}): EventLog {
  const folder = placeIn(paths.memory, LAYOUT.history)
  const file = placeIn(paths.memory, LAYOUT.events)
  const table = placeIn(paths.memory, LAYOUT.eventHashes)
  const name = LAYOUT.events.path
  const safe = safePaths(paths, disk)
  for (const own of [file, table]) safe.check(own)

  return {
    async append(events) {
      if (events.length === 0) return []
      return exclusively(() => storing(() => appendNew(events)))
    },

    async *read(onProblem) {
      let number = 0
      for (const line of linesOf(disk.readFile(file) ?? new Uint8Array())) {
        number++
        const event = parseEvent(line.text)
        if (event !== undefined) yield event
        else if (line.text.trim() !== '') onProblem?.(damagedLine(line.text, number))
      }
    },

    async newest(limit) {
      for (let bytes = FIRST_TAIL_BYTES; ; bytes *= 8) {
        const read = disk.readTail(file, bytes)
        if (read === undefined) return { events: [], problems: [] }
        const isWhole = read.tail.length === read.size
        // The first line of the tail may be incomplete.
        const start = isWhole ? 0 : read.tail.indexOf(NEWLINE) + 1
        const found = newestIn(read.tail.subarray(start), limit)
        if (!isWhole && (start === 0 || found.events.length < limit)) continue
        const offset = read.size - read.tail.length + start
        return { events: found.events, problems: numbered(found.damaged, offset) }
      }
    },

    async count() {
      let lines = 0
      for (const { text } of linesOf(disk.readFile(file) ?? new Uint8Array())) if (text.trim() !== '') lines++
      return lines
    },

    async remove(ids) {
      if (ids.size === 0) return
      await exclusively(() => storing(() => rewriteWithout(ids)))
    },

    putBack: events =>
      exclusively(() => {
        const bytes = disk.readFile(file) ?? new Uint8Array()
        const known = new Set<string>()
        for (const { text } of linesOf(bytes)) known.add(parseEvent(text)?.contentHash ?? '')
        const back = events.filter(event => !known.has(event.contentHash))
        if (back.length === 0) return back
        const waiting = [...back].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
        const lines: Uint8Array[] = []
        const putUntil = (at: string) => {
          for (let next = waiting[0]; next !== undefined && next.createdAt < at; next = waiting[0]) {
            lines.push(Buffer.from(`${JSON.stringify(next)}\n`))
            waiting.shift()
          }
        }
        for (const { text, start, end } of linesOf(bytes)) {
          const event = parseEvent(text)
          if (event !== undefined) putUntil(event.createdAt)
          lines.push(bytes[end - 1] === NEWLINE ? bytes.subarray(start, end) : Buffer.from(`${text}\n`))
        }
        putUntil('\uffff')
        if (disk.isFolder(folder) !== true) disk.makeFolder(folder)
        const temporary = `${file}.cairn-tmp`
        disk.remove(table)
        disk.writeFile(temporary, Buffer.concat(lines))
        disk.rename(temporary, file)
        disk.syncFolder(folder)
        return back
      }),
  }

  function rewriteWithout(ids: ReadonlySet<string>): void {
    const bytes = disk.readFile(file)
    if (bytes === undefined) return
    const kept: Uint8Array[] = []
    for (const { text, start, end } of linesOf(bytes)) {
      const event = parseEvent(text)
      // A line that cannot be read stays: a person may correct it.
      if (event === undefined || !ids.has(event.id)) kept.push(bytes.subarray(start, end))
    }
    const temporary = `${file}.cairn-tmp`
    disk.remove(table)
    disk.writeFile(temporary, Buffer.concat(kept))
    disk.rename(temporary, file)
    disk.syncFolder(folder)
  }

  function storing<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asStorageError(error, `.memory/${name}`)
    }
  }

  function appendNew(events: readonly MemoryEvent[]): readonly MemoryEvent[] {
    const asked = new Map<number, MemoryEvent>()
    for (const event of events) {
      const key = keyOf(event.contentHash)
      if (!asked.has(key)) asked.set(key, event)
    }
    const { endsOpen } = forgetKnown(asked)
    const fresh = [...asked.values()]
    if (fresh.length === 0) return []
    const text = fresh.map(event => `${JSON.stringify(event)}\n`).join('')
    if (disk.isFolder(folder) !== true) disk.makeFolder(folder)
    const before = disk.stamp(file)?.size ?? 0
    try {
      // A process that died left an unfinished line; the next event must not become part of it.
      disk.append(file, new TextEncoder().encode(endsOpen ? `\n${text}` : text))
    } catch (error) {
      if ((disk.stamp(file)?.size ?? 0) > before) disk.truncate(file, before)
      throw error
    }
    return fresh
  }

  /** Removes from `asked` what the log has already. */
  function forgetKnown(asked: Map<number, MemoryEvent>): { endsOpen: boolean } {
    const size = disk.stamp(file)?.size ?? 0
    if (size === 0) return { endsOpen: false }
    const records = readTable(size)
    const covered = records[records.length - 1] ?? 0
    for (let at = 0; at < records.length; at += 2) asked.delete(records[at] as number)
    const rest = disk.readTail(file, size - covered)?.tail ?? new Uint8Array()
    const found: number[] = []
    for (const { text, end } of linesOf(rest)) {
      const event = parseEvent(text)
      if (event === undefined) continue
      const key = keyOf(event.contentHash)
      found.push(key, covered + end)
      asked.delete(key)
    }
    const endsOpen = rest.length > 0 && rest[rest.length - 1] !== NEWLINE
    if (rest.length > UNCOVERED_BYTES && !endsOpen) extendTable(found, records.length === 0)
    return { endsOpen }
  }

  /** Pairs of key and end of line; empty if the table does not belong to this log. */
  function readTable(size: number): Float64Array {
    const bytes = disk.readFile(table)
    if (bytes === undefined || bytes.length === 0 || bytes.length % 16 !== 0) return new Float64Array()
    const records = new Float64Array(bytes.slice().buffer)
    const key = records[records.length - 2]
    const end = records[records.length - 1] as number
    if (!(end > 0 && end <= size)) return new Float64Array()
    const back = disk.readTail(file, size - end + FIRST_TAIL_BYTES)
    if (back === undefined) return new Float64Array()
    const known = back.tail.subarray(0, back.tail.length - (size - end))
    const start = known.lastIndexOf(NEWLINE, known.length - 2) + 1
    const last = parseEvent(new TextDecoder().decode(known.subarray(start)))
    return last !== undefined && keyOf(last.contentHash) === key ? records : new Float64Array()
  }

  function extendTable(found: readonly number[], isNew: boolean): void {
    const bytes = new Uint8Array(Float64Array.from(found).buffer)
    if (isNew) disk.writeFile(table, bytes)
    else disk.append(table, bytes)
  }

  /** Counted from the beginning only for a report. */
  function numbered(damaged: readonly { text: string; start: number }[], offset: number): Problem[] {
    if (damaged.length === 0) return []
    const bytes = disk.readFile(file) ?? new Uint8Array()
    return damaged.map(({ text, start }) => damagedLine(text, 1 + countNewlines(bytes, offset + start)))
  }
}

interface Line {
  readonly text: string
  readonly start: number
  /** Behind its line break. */
  readonly end: number
}

function* linesOf(bytes: Uint8Array): Iterable<Line> {
  const decoder = new TextDecoder()
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline === -1 ? bytes.length : newline + 1
    yield { text: decoder.decode(bytes.subarray(start, newline === -1 ? end : newline)), start, end }
    start = end
  }
}

/** Newest first, until there are enough. */
function newestIn(bytes: Uint8Array, limit: number) {
  const events: MemoryEvent[] = []
  const damaged: { text: string; start: number }[] = []
  const decoder = new TextDecoder()
  for (let end = bytes.length; end > 0 && events.length < limit; ) {
    const lineEnd = bytes[end - 1] === NEWLINE ? end - 1 : end
    const start = lineEnd === 0 ? 0 : bytes.lastIndexOf(NEWLINE, lineEnd - 1) + 1
    const text = decoder.decode(bytes.subarray(start, lineEnd))
    const event = parseEvent(text)
    if (event !== undefined) events.push(event)
    else if (text.trim() !== '') damaged.push({ text, start })
    end = start
  }
  return { events, damaged }
}

function countNewlines(bytes: Uint8Array, end: number): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}

/** 52 bits, which a number represents exactly. */
function keyOf(hash: string): number {
  const digits = contentHash(new TextEncoder().encode(hash))
  return Number.parseInt(digits.slice(0, 13), 16)
}
