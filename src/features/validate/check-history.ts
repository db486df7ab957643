import { LAYOUT } from '../../kernel/layout.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { CHECKPOINTS } from '../state/decide/state-reading.ts'
import { judgeBatch } from './decide/archive-batches.ts'
import { inMemory } from './decide/finding.ts'
import { judgeJournalLines } from './decide/journal-lines.ts'
import { textOf } from './decide/json-text.ts'
import { countLines } from './decide/log-lines.ts'
import { judgeState } from './decide/project-state.ts'
import { findingOf, MAX_LOG_BYTES, type ValidationCheck, type ValidationRun } from './validation-run.ts'

/** So much of the archive is read without --deep: it is not in use. */
const COUNTED_BYTES = 16 * 1_048_576
const COUNTED = ['entries.jsonl', 'events.jsonl', 'audit.jsonl']
/** So many of the newest checkpoints are read without --deep. */
const NEWEST_CHECKPOINTS = 20

export const checkEvents: ValidationCheck = async run => {
  run.add(run.events()?.findings ?? [])
}

export const checkJournal: ValidationCheck = async run => {
  const bytes = run.bytes(LAYOUT.journal.path, MAX_LOG_BYTES)
  if (bytes !== undefined) run.add(judgeJournalLines(textOf(bytes)))
}

/** The state and its checkpoints. */
export const checkState: ValidationCheck = async run => {
  if (run.has(CHECKPOINTS)) await readCheckpoints(run)
  if (!run.has(LAYOUT.state.path)) return
  const { state } = run.engine
  const reading = await state.read()
  if (reading.kind === 'damaged') run.add([findingOf(reading.problem, 'error')])
  if (reading.kind === 'newer')
    run.add([
      {
        code: 'state_newer',
        severity: 'warning',
        path: inMemory(LAYOUT.state.path),
        message: `version ${reading.version}: a newer Cairn has written it`,
        fix: 'Update Cairn.',
      },
    ])
  if (reading.kind !== 'read') return
  run.add(
    judgeState({
      state: reading.state,
      isHandEdited: reading.isHandEdited === true,
      checkpoints: new Set((await state.checkpoints()).map(({ id }) => id)),
      events: run.events(),
      hasPruned: run.items.some(({ path }) => path.startsWith(`${LAYOUT.archive.path}prune-`)),
    }),
  )
}

async function readCheckpoints(run: ValidationRun): Promise<void> {
  const { state } = run.engine
  const all = await state.checkpoints()
  const read = run.isDeep ? all : all.slice(0, NEWEST_CHECKPOINTS)
  if (read.length < all.length)
    run.skip(`${all.length - read.length} older checkpoints`, 'only the newest are read without --deep')
  for (const { id } of read) {
    const reading = await state.readCheckpoint(id)
    if (reading?.kind === 'damaged') run.add([findingOf(reading.problem, 'error')])
  }
}

/** Every batch whole, with all that its manifest names. */
export const checkArchive: ValidationCheck = async run => {
  let left = run.isDeep ? Number.POSITIVE_INFINITY : COUNTED_BYTES
  for (const [name, files] of batchesIn(run)) {
    const batch = `${LAYOUT.archive.path}${name}`
    const lines: Record<string, number> = {}
    for (const file of COUNTED) {
      const size = files.get(file)
      if (size === undefined) continue
      if (size > left) {
        run.skip(inMemory(`${batch}/${file}`), 'the lines of large batches are counted with --deep')
        continue
      }
      left -= size
      const bytes = run.bytes(`${batch}/${file}`, MAX_LOG_BYTES)
      if (bytes === undefined) continue
      lines[file] = countLines(bytes)
      if (run.isDeep && file === 'audit.jsonl') run.add(judgeJournalLines(textOf(bytes), `${batch}/${file}`))
    }
    const manifest = run.json(`${batch}/manifest.json`)
    run.add(judgeBatch({ name, manifest, files: new Set(files.keys()), lines }))
  }
  if (!run.isDeep) return
  const problems: Problem[] = []
  for await (const _entry of run.engine.archive.entries(problem => problems.push(problem)));
  run.add(problems.map(problem => findingOf(problem, 'error')))
}

/** The files of each batch with their sizes; half-written ones have a name that begins with a dot. */
function batchesIn(run: ValidationRun): Map<string, Map<string, number>> {
  const batches = new Map<string, Map<string, number>>()
  for (const { path, kind, size } of run.items) {
    if (!path.startsWith(LAYOUT.archive.path)) continue
    const [, name = '', ...inside] = path.split('/')
    if (name.startsWith('.') || (inside.length === 0 ? kind !== 'folder' : kind !== 'file')) continue
    const files = batches.get(name) ?? new Map<string, number>()
    batches.set(name, inside.length === 0 ? files : files.set(inside.join('/'), size))
  }
  return batches
}
