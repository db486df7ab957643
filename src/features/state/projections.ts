import type { Memory } from '../../kernel/memory.ts'
import { AUTOMATIC } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { TextFileChange } from '../../kernel/model/journal.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import type { StatePorts } from './decide/ports.ts'
import {
  type JudgedProjection,
  judgeProjection,
  PROJECTION_NAMES,
  type Present,
  type ProjectionInput,
  projectionChange,
  renderProjections,
} from './decide/projection.ts'
import { type ReadState, readSafeState, requireState } from './safe-state.ts'

export interface ProjectionReport {
  readonly folder: string
  /** The state of each file before the change. */
  readonly files: readonly JudgedProjection[]
  /** Problems of the state. */
  readonly problems: readonly Problem[]
  /** Paths that were written or removed; with a dry run, those that would be. */
  readonly changed: readonly string[]
  /** The record that `undo` reverts; null: nothing was changed. */
  readonly record: string | null
}

export interface ProjectingOptions {
  readonly dryRun?: boolean | undefined
  /** Also files that a person changed, or that Cairn did not write. */
  readonly overwrite?: boolean | undefined
}

export async function projectionStatus(memory: Memory & StatePorts): Promise<ProjectionReport> {
  const safe = await readSafeState(memory)
  const folder = await projectionFolder(memory)
  const inputs = await projectionInputs(memory, folder, safe.kind === 'read' ? safe : undefined)
  const problems = safe.kind === 'unusable' ? [safe.problem] : []
  return { folder, files: inputs.map(judgeProjection), problems, changed: [], record: null }
}

/** Throws `file_changed` if an edit of a person would be lost. */
export async function writeProjections(
  memory: Memory & StatePorts,
  { dryRun = false, overwrite = false }: ProjectingOptions,
): Promise<ProjectionReport> {
  const safe = await requireState(memory)
  return changeProjections(memory, { safe, dryRun }, inputs => {
    const judged = inputs.map(judgeProjection)
    const refused = judged.filter(({ state }) => mustRefuse(state, overwrite))
    if (refused.length > 0 && !dryRun) throw refusal(refused, 'overwritten', 'cairn projections write')
    const changes = inputs.flatMap((input, at) => {
      const state = judged[at]?.state
      if (state === undefined || mustRefuse(state, overwrite)) return []
      const change = state === 'current' && !overwrite ? undefined : projectionChange(input)
      return change === undefined ? [] : [change]
    })
    return { judged, changes }
  })
}

/** Only files that Cairn wrote and that were not edited, unless `overwrite` is set. */
export async function removeProjections(
  memory: Memory & StatePorts,
  { dryRun = false, overwrite = false }: ProjectingOptions,
): Promise<ProjectionReport> {
  const safe = await readSafeState(memory)
  return changeProjections(memory, { safe: safe.kind === 'read' ? safe : undefined, dryRun }, inputs => {
    const judged = inputs.map(judgeProjection)
    const refused = judged.filter(({ state }) => state === 'edited' && !overwrite)
    if (refused.length > 0 && !dryRun) throw refusal(refused, 'removed', 'cairn projections remove')
    const isOurs = (state: JudgedProjection['state'] | undefined) =>
      state === 'current' ||
      state === 'behind' ||
      state === 'unknown' ||
      state === 'newer' ||
      (state === 'edited' && overwrite)
    const changes = inputs.flatMap(({ path, present }, at): TextFileChange[] =>
      present.kind === 'text' && isOurs(judged[at]?.state)
        ? [{ type: 'file', path, before: present.text, after: null }]
        : [],
    )
    return { judged, changes }
  })
}

async function changeProjections(
  memory: Memory,
  { safe, dryRun }: { readonly safe: ReadState | undefined; readonly dryRun: boolean },
  decide: (inputs: readonly ProjectionInput[]) => {
    judged: readonly JudgedProjection[]
    changes: readonly TextFileChange[]
  },
): Promise<ProjectionReport> {
  const folder = await projectionFolder(memory)
  const decideNow = async () => decide(await projectionInputs(memory, folder, safe))
  let decided = dryRun ? await decideNow() : undefined
  let record: string | null = null
  if (!dryRun) {
    const written = await memory.store.write(memory.actor, async () => {
      // Read under the lock: no other Cairn process writes in between, and the store checks again before it renames.
      decided = await decideNow()
      return decided.changes.length === 0 ? null : { action: 'edit-files', changes: decided.changes }
    })
    record = written?.id ?? null
  }
  return {
    folder,
    files: decided?.judged ?? [],
    problems: [],
    changed: decided?.changes.map(({ path }) => path) ?? [],
    record,
  }
}

/** The path in messages and in the journal: relative, with `/`, without a trailing one. */
export async function projectionFolder(memory: Memory): Promise<string> {
  const folder = (await memory.config())['projections.folder'].replaceAll('\\', '/')
  return folder.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
}

function projectionInputs(
  memory: Memory,
  folder: string,
  safe: ReadState | undefined,
): Promise<ProjectionInput[]> {
  const rendered = safe && renderProjections(safe.bundle, safe.bundleHash, textHash)
  const inputOf = async (name: (typeof PROJECTION_NAMES)[number]): Promise<ProjectionInput> => {
    const path = folder === '' || folder === '.' ? name : `${folder}/${name}`
    return {
      path,
      present: await presentText(memory, path),
      next: rendered?.find(file => file.name === name),
      bundleHash: safe?.bundleHash,
      hash: textHash,
    }
  }
  return Promise.all(PROJECTION_NAMES.map(inputOf))
}

/** A file that cannot be read is reported, and not overwritten. */
export async function presentText(memory: Memory, path: string): Promise<Present> {
  try {
    if ((await memory.projectTexts.linkTarget(path)) !== undefined)
      return { kind: 'unreadable', why: `${path} is a link, and Cairn does not write through a link` }
    const text = await memory.projectTexts.read(path)
    return text === undefined ? { kind: 'absent' } : { kind: 'text', text }
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    return { kind: 'unreadable', why: error.message.replace(/\.$/, '') }
  }
}

function mustRefuse(state: JudgedProjection['state'], overwrite: boolean): boolean {
  if (state === 'unreadable' || state === 'newer') return true
  return !overwrite && (state === 'edited' || state === 'foreign')
}

const WHY: Readonly<Partial<Record<JudgedProjection['state'], string>>> = {
  edited: 'was edited by hand',
  foreign: 'was not written by Cairn',
}
const MAX_MESSAGE_LINES = 60

function refusal(
  refused: readonly JudgedProjection[],
  become: 'overwritten' | 'removed',
  verb: string,
): CairnError {
  const safe = refused.flatMap(({ path, state, diff = [], why }) => {
    if (state === 'newer') return [`${path} was written by a newer Cairn.`]
    if (state === 'unreadable') return [`${why}.`]
    return [`${path} ${WHY[state]}, and would be ${become}:`, ...diff.map(line => `  ${line}`)]
  })
  const left = safe.length - MAX_MESSAGE_LINES
  const isTheirs = refused.some(({ state }) => state === 'edited' || state === 'foreign')
  return new CairnError({
    code: 'file_changed',
    message: [...safe.slice(0, MAX_MESSAGE_LINES), ...(left > 0 ? [`… ${left} more lines`] : [])].join('\n'),
    hint: isTheirs
      ? `Nothing was changed. Keep what matters with \`cairn remember\`, then run \`${verb} --overwrite\`; or move the file away.`
      : refused.every(({ path }) => path.startsWith('../'))
        ? 'Nothing was changed. `cairn config unset projections.folder` goes back to the default.'
        : 'Nothing was changed. Move the file away, or update Cairn.',
    details: {
      files: refused.map(({ path, state, diff }) => ({ path, state, ...(diff && { diff }) })),
    },
  })
}

interface Refreshed {
  readonly changed: readonly string[]
  /** Files that were not changed because a person edited them. */
  readonly problems: readonly Problem[]
}

/**
 * Updates projections that exist and were not edited; creates none. Runs after a recall that a person started: problems are reported, and
 * never fail the recall. The entry block does not depend on the bundle.
 */
export async function refreshProjections(memory: Memory & StatePorts): Promise<Refreshed> {
  // A hub has no projections: the repositories that are linked to it have them.
  if (memory.place.kind === 'hub') return { changed: [], problems: [] }
  if (!(await memory.config())['projections.auto']) return { changed: [], problems: [] }
  const safe = await readSafeState(memory)
  if (safe.kind !== 'read') return { changed: [], problems: [] }
  const folder = await projectionFolder(memory)
  let problems: Problem[] = []
  let changes: TextFileChange[] = []
  try {
    await memory.store.write(AUTOMATIC, async () => {
      problems = []
      changes = []
      for (const input of await projectionInputs(memory, folder, safe)) {
        const { state } = judgeProjection(input)
        if (state === 'edited') problems.push(leftAlone(input.path))
        const change = state === 'behind' ? projectionChange(input) : undefined
        if (change !== undefined) changes.push(change)
      }
      return changes.length === 0 ? null : { action: 'edit-files', changes }
    })
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    const { code, message, hint } = error
    return { changed: [], problems: [...problems, { code, path: folder, message, hint }] }
  }
  return { changed: changes.map(({ path }) => path), problems }
}

function leftAlone(path: string): Problem {
  return {
    code: 'file_changed',
    path,
    message: `${path} was edited by hand, so it was not updated.`,
    hint: '`cairn projections` shows the state of each file.',
  }
}
