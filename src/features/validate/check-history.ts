import { judgeBatch } from './decide/archive-batches.ts'
import { JOURNAL_PATH, judgeJournalLines } from './decide/journal-lines.ts'
import { textOf } from './decide/json-text.ts'
import { countLines } from './decide/text-lines.ts'
import { findingOf, MAX_LOG_BYTES, type ValidationCheck, type ValidationRun } from './look.ts'

/** So much of the archive is read without being asked: what lies there is not in use. */
const COUNTED_BYTES = 16 * 1_048_576
const COUNTED = ['entries.jsonl', 'events.jsonl', 'audit.jsonl']

export const eventsCheck: ValidationCheck = {
  name: 'events',
  about: 'history/events.jsonl: every line an event, none twice',
  async run(look) {
    const seen = look.events()
    if (seen !== undefined) look.add(seen.findings)
  },
}

export const journalCheck: ValidationCheck = {
  name: 'journal',
  about: 'history/audit.jsonl: every line a record, none twice',
  async run(look) {
    const bytes = look.bytes(JOURNAL_PATH, MAX_LOG_BYTES)
    if (bytes !== undefined) look.add(judgeJournalLines(textOf(bytes)))
  },
}

export const archiveCheck: ValidationCheck = {
  name: 'archive',
  about: 'archive/: every batch whole, with all that its manifest names',
  async run(look) {
    let left = look.isDeep ? Number.POSITIVE_INFINITY : COUNTED_BYTES
    for (const [name, files] of batchesIn(look)) {
      const lines: Record<string, number> = {}
      for (const file of COUNTED) {
        const size = files.get(file)
        if (size === undefined) continue
        if (size > left) {
          look.skip(`.memory/archive/${name}/${file}`, 'the lines of large batches are counted with --deep')
          continue
        }
        left -= size
        const bytes = look.bytes(`archive/${name}/${file}`, MAX_LOG_BYTES)
        if (bytes === undefined) continue
        lines[file] = countLines(bytes)
        if (look.isDeep && file === 'audit.jsonl')
          look.add(judgeJournalLines(textOf(bytes), `archive/${name}/${file}`))
      }
      look.add(
        judgeBatch({
          name,
          manifest: look.json(`archive/${name}/manifest.json`),
          files: new Set(files.keys()),
          lines,
        }),
      )
    }
    if (look.isDeep) await readArchivedEntries(look)
  },
}

async function readArchivedEntries(look: ValidationRun): Promise<void> {
  const problems: Parameters<typeof findingOf>[0][] = []
  for await (const _entry of look.engine.archive.entries(problem => problems.push(problem)));
  look.add(problems.map(problem => findingOf(problem, 'error')))
}

/** The files of each batch with their sizes; half-written ones have a name that begins with a dot. */
function batchesIn(look: ValidationRun): Map<string, Map<string, number>> {
  const batches = new Map<string, Map<string, number>>()
  for (const { path, kind, size } of look.items) {
    if (!path.startsWith('archive/')) continue
    const [, name = '', ...inside] = path.split('/')
    if (name.startsWith('.')) continue
    if (inside.length === 0) {
      if (kind === 'folder') batches.set(name, batches.get(name) ?? new Map())
    } else if (kind === 'file') {
      const files = batches.get(name) ?? new Map<string, number>()
      files.set(inside.join('/'), size)
      batches.set(name, files)
    }
  }
  return batches
}
