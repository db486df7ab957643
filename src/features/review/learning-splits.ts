import { planLearningSplit } from '../../addons/workspaces/decide/learnings-file.ts'
import type { WorkspacePorts } from '../../addons/workspaces/decide/ports.ts'
import type { WorkspaceFolder } from '../../addons/workspaces/decide/workspace-folder.ts'
import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { PlannedLearningSplit } from './decide/plan-stale.ts'

/** What the parts of a review pass on, which may not know the add-on. */
export type SplitPorts = WorkspacePorts

const LEARNINGS = new Set(['decision', 'lesson'] as const)

/** The files of workspaces that have too many decisions or lessons (seed B, section 9), and where the older would go. */
export async function learningSplits(
  memory: Memory & WorkspacePorts,
  mostEntries: number,
): Promise<{ readonly splits: readonly PlannedLearningSplit[]; readonly problems: readonly Problem[] }> {
  const folder = await readableFolder(memory)
  if ('problem' in folder) return { splits: [], problems: [folder.problem] }
  if (!folder.exists()) return { splits: [], problems: [] }
  const redaction = redactionOptions(await memory.config())
  const { places, problems } = folder.survey({ kinds: LEARNINGS })
  const found = [...problems]
  const textByPath = new Map<string, string>()
  for (const { path } of places) {
    const file = folder.readText(path)
    if (file.kind === 'unreadable') found.push(file.problem)
    else if (file.kind === 'read' && file.isWhole) textByPath.set(path, file.text)
    else if (file.kind === 'read') found.push(tooLarge(path))
  }
  const splits = [...textByPath].flatMap(([path, text]): PlannedLearningSplit[] => {
    const split = planLearningSplit({ path, text }, pagesOf(path, textByPath), mostEntries)
    if (split === undefined) return []
    const { file, entries, stays, moves, texts } = split
    return [
      {
        file,
        entries,
        stays,
        moves: moves.map(({ to, titles }) => ({
          to,
          entries: titles.map(title => redact(title, redaction).text),
        })),
        state: fingerprint(texts.map(({ before, after }) => `${before}\n${after}`).join('\n')),
      },
    ]
  })
  return { splits, problems: found }
}

/** Roots that cannot be used are told, and everything else is reviewed. */
async function readableFolder(
  memory: WorkspacePorts,
): Promise<WorkspaceFolder | { readonly problem: Problem }> {
  try {
    return await memory.workspaces()
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    const { code, message, hint } = error
    return { problem: { code, path: 'config.json', message, hint } }
  }
}

/** Moves the older entries of one file to its pages, in one mutation: all of the texts, or none. */
export async function splitLearnings(memory: Memory & WorkspacePorts, file: string): Promise<string | null> {
  const mostEntries = (await memory.config())['review.maxEntriesPerFile']
  const folder = await memory.workspaces()
  const paths = placesBeside(folder, file)
  const record = await memory.store.write(memory.actor, async view => {
    const textByPath = new Map<string, string>()
    for (const path of paths) {
      const text = await view.readFile(path)
      if (text !== undefined) textByPath.set(path, text)
    }
    const text = textByPath.get(file)
    const split =
      text === undefined
        ? undefined
        : planLearningSplit({ path: file, text }, pagesOf(file, textByPath), mostEntries)
    if (split === undefined) throw changed(file)
    return {
      action: 'split',
      changes: split.texts.map(({ path, before, after }) => ({ type: 'file', path, before, after })),
    }
  })
  return record?.id ?? null
}

function placesBeside(folder: WorkspaceFolder, file: string): string[] {
  const { places } = folder.survey({ kinds: LEARNINGS })
  const parent = parentOf(file)
  return places.map(({ path }) => path).filter(path => parentOf(path) === parent)
}

function pagesOf(file: string, textByPath: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...textByPath].filter(([path]) => path !== file && parentOf(path) === parentOf(file)))
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function changed(file: string): CairnError {
  return new CairnError({
    code: 'file_changed',
    message: `${file} changed in the meantime.`,
    hint: '`cairn review --stale` shows how things are now.',
  })
}

function tooLarge(path: string): Problem {
  return {
    code: 'file_too_large',
    path,
    message: `${path} is larger than what is read of one file; it was not looked at.`,
    hint: 'Move its older part to another file by hand.',
  }
}
