import * as path from 'node:path'
import type { JournalRecord } from '../../kernel/model/journal.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import type { MemoryPaths } from '../../kernel/system/paths.ts'
import type { Journal } from '../../kernel/vault/ports.ts'

const NEWLINE = 0x0a
const FIRST_TAIL_BYTES = 64 * 1024

/** `history/audit.jsonl`, one record a line. */
export function journalFile(paths: MemoryPaths, disk: Disk): Journal {
  const file = paths.journal

  return {
    bytes: () => disk.stamp(file)?.size ?? 0,

    append(record) {
      const line = new TextEncoder().encode(`${JSON.stringify(record)}\n`)
      const folder = path.dirname(file)
      if (disk.isFolder(folder) !== true) disk.makeFolder(folder)
      const before = disk.stamp(file)?.size ?? 0
      try {
        disk.append(file, line)
      } catch (error) {
        // Half a line would be taken for damage later.
        if ((disk.stamp(file)?.size ?? 0) > before) disk.truncate(file, before)
        throw error
      }
      return { before, after: before + line.length }
    },

    truncate: bytes => disk.truncate(file, bytes),

    readFrom(bytes) {
      const text = disk.readFile(file) ?? new Uint8Array()
      const end = text.lastIndexOf(NEWLINE) + 1
      if (end <= bytes) return { records: [], end }
      return { records: parseLines(text.subarray(bytes, end), file), end }
    },

    last() {
      for (let bytes = FIRST_TAIL_BYTES; ; bytes *= 8) {
        const read = disk.readTail(file, bytes)
        if (read === undefined || read.size === 0) return undefined
        const end = read.tail.lastIndexOf(NEWLINE)
        const start = end < 1 ? -1 : read.tail.lastIndexOf(NEWLINE, end - 1)
        if (start === -1 && read.tail.length < read.size) continue
        if (end === -1) return undefined
        return parseLines(read.tail.subarray(start + 1, end + 1), file).at(-1)
      }
    },

    count: () => countLines(disk.readFile(file) ?? new Uint8Array()),

    *newestFirst(onProblem) {
      for (const log of [file, ...archivedLogs()]) {
        const text = disk.readFile(log)
        if (text !== undefined) yield* linesBackward(text, path.relative(paths.memory, log), onProblem)
      }
    },

    rotate(nowMs) {
      const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')
      const folder = path.join(paths.archive, `audit-${stamp}`)
      const text = disk.readFile(file)
      if (text === undefined) return
      const manifest = {
        version: 1,
        type: 'audit',
        createdAt: new Date(nowMs).toISOString(),
        records: countLines(text),
      }
      disk.makeFolder(folder)
      disk.writeFile(
        path.join(folder, 'manifest.json'),
        new TextEncoder().encode(`${JSON.stringify(manifest)}\n`),
      )
      disk.rename(file, path.join(folder, 'audit.jsonl'))
      disk.syncFolder(folder)
      disk.syncFolder(path.dirname(file))
    },
  }

  function archivedLogs(): string[] {
    return (
      (disk.listFolder(paths.archive) ?? [])
        // A folder or a log that is a link may lead out of the memory.
        .filter(item => item.isDirectory() && item.name.startsWith('audit-'))
        .map(item => path.join(paths.archive, item.name, 'audit.jsonl'))
        .filter(log => !disk.isLink(log))
        .sort()
        .reverse()
    )
  }
}

type OnProblem = (problem: Problem) => void

function* linesBackward(text: Uint8Array, name: string, onProblem?: OnProblem): Iterable<JournalRecord> {
  let end = text.length
  while (end > 0) {
    const lineEnd = text[end - 1] === NEWLINE ? end - 1 : end
    const start = lineEnd === 0 ? 0 : text.lastIndexOf(NEWLINE, lineEnd - 1) + 1
    yield* parseLines(text.subarray(start, lineEnd), name, onProblem)
    end = start
  }
}

function parseLines(bytes: Uint8Array, name: string, onProblem?: OnProblem): JournalRecord[] {
  const records: JournalRecord[] = []
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    if (line.trim() === '') continue
    try {
      const record = JSON.parse(line) as JournalRecord
      if (typeof record.id !== 'string' || !Array.isArray(record.changes))
        throw new SyntaxError('not a journal record')
      records.push(record)
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause
      onProblem?.({
        code: 'journal_line_damaged',
        path: name,
        message: `A line of ${name} is not a journal record: ${line.slice(0, 60)}`,
        hint: 'The other lines are used. The damaged one stays in the file.',
      })
    }
  }
  return records
}

function countLines(text: Uint8Array): number {
  let lines = 0
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) lines++
  return lines
}
