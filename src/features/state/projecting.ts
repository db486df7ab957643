import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { TextFileChange } from '../../kernel/model/journal.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import {
  type JudgedProjection,
  judgeProjection,
  type Present,
  type ProjectionInput,
  projectionChange,
} from './decide/plan-projections.ts'
import type { StatePorts } from './decide/ports.ts'
import { PROJECTION_NAMES, renderProjections } from './decide/projection.ts'
import { needState, type ReadState, tellState } from './told-state.ts'

export interface ProjectionReport {
  readonly folder: string
  /** How each file stood before. */
  readonly files: readonly JudgedProjection[]
  /** What is wrong with the state. */
  readonly problems: readonly Problem[]
  /** Paths that were written or removed; with a dry run, those that would be. */
  readonly changed: readonly string[]
  /** What `undo` takes back; null when nothing was changed. */
  readonly record: string | null
}

export interface ProjectingOptions {
  readonly dryRun?: boolean | undefined
  /** Also what a person changed, or what is not ours. */
  readonly overwrite?: boolean | undefined
}

export async function projectionStatus(memory: Memory & StatePorts): Promise<ProjectionReport> {
  const told = await tellState(memory)
  const folder = await projectionFolder(memory)
  const inputs = await projectionInputs(memory, folder, told.kind === 'read' ? told : undefined)
  const problems = told.kind === 'unusable' ? [told.problem] : []
  return { folder, files: inputs.map(judgeProjection), problems, changed: [], record: null }
}

/** Throws `file_changed` before anything of a person would be lost. */
export async function writeProjections(
  memory: Memory & StatePorts,
  { dryRun = false, overwrite = false }: ProjectingOptions,
): Promise<ProjectionReport> {
  const told = await needState(memory)
  return changeProjections(memory, { told, dryRun }, inputs => {
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

/** Only files that are ours and as we wrote them, unless told otherwise. */
export async function removeProjections(
  memory: Memory & StatePorts,
  { dryRun = false, overwrite = false }: ProjectingOptions,
): Promise<ProjectionReport> {
  const told = await tellState(memory)
  return changeProjections(memory, { told: told.kind === 'read' ? told : undefined, dryRun }, inputs => {
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
  { told, dryRun }: { readonly told: ReadState | undefined; readonly dryRun: boolean },
  decide: (inputs: readonly ProjectionInput[]) => {
    judged: readonly JudgedProjection[]
    changes: readonly TextFileChange[]
  },
): Promise<ProjectionReport> {
  const folder = await projectionFolder(memory)
  const look = async () => decide(await projectionInputs(memory, folder, told))
  let decided = dryRun ? await look() : undefined
  let record: string | null = null
  if (!dryRun) {
    const written = await memory.store.write(memory.actor, async () => {
      // Read under the lock: nobody of ours writes in between, and the store looks once more before it renames.
      decided = await look()
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

/** As it is named in messages and in the journal: relative, with `/`, without one at its end. */
export async function projectionFolder(memory: Memory): Promise<string> {
  const folder = (await memory.config())['projections.folder'].replaceAll('\\', '/')
  return folder.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
}

export function projectionInputs(
  memory: Memory,
  folder: string,
  told: ReadState | undefined,
): Promise<ProjectionInput[]> {
  const rendered = told && renderProjections(told.bundle, told.bundleHash, textHash)
  const inputOf = async (name: (typeof PROJECTION_NAMES)[number]): Promise<ProjectionInput> => {
    const path = folder === '' || folder === '.' ? name : `${folder}/${name}`
    return {
      path,
      present: await presentText(memory, path),
      next: rendered?.find(file => file.name === name),
      bundleHash: told?.bundleHash,
      hash: textHash,
    }
  }
  return Promise.all(PROJECTION_NAMES.map(inputOf))
}

/** What cannot be read is told, and not written over. */
export async function presentText(memory: Memory, path: string): Promise<Present> {
  try {
    if ((await memory.projectTexts.linkTarget(path)) !== undefined)
      return { kind: 'unreadable', why: `${path} is a link, and Cairn writes no file through a link` }
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
const MAX_TOLD_LINES = 60

function refusal(
  refused: readonly JudgedProjection[],
  become: 'overwritten' | 'removed',
  verb: string,
): CairnError {
  const told = refused.flatMap(({ path, state, diff = [], why }) => {
    if (state === 'newer') return [`${path} was written by a newer Cairn.`]
    if (state === 'unreadable') return [`${why}.`]
    return [`${path} ${WHY[state]}, and would be ${become}:`, ...diff.map(line => `  ${line}`)]
  })
  const left = told.length - MAX_TOLD_LINES
  const isTheirs = refused.some(({ state }) => state === 'edited' || state === 'foreign')
  return new CairnError({
    code: 'file_changed',
    message: [...told.slice(0, MAX_TOLD_LINES), ...(left > 0 ? [`… ${left} more lines`] : [])].join('\n'),
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
