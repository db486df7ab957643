import type { Engine } from '../engine-parts.ts'
import type { Category } from '../model/category.ts'
import type { Entry } from '../model/entry.ts'
import type { RecallEntry } from '../pipeline/recall/recall-input.ts'
import { conflictMarks, supersededBy } from '../superseded.ts'

/** The newest of each file: more would not fit into the bundle anyway. */
const MOST_OF: Readonly<Partial<Record<Category, number>>> = {
  decisions: 120,
  lessons: 400,
  tasks: 400,
  handoffs: 20,
}
/** What only its user is to see. A bundle may be written into files that are published. */
const NOT_TOLD = 'private'
const RECORDS_LOOKED_AT = 500

export interface GatheredEntries {
  readonly entries: readonly RecallEntry[]
  /** Texts that hold no longer. */
  readonly retired: readonly string[]
}

/** What the vault says now, with what of it no longer holds. */
export async function gatherEntries(engine: Engine): Promise<GatheredEntries> {
  const entries: Entry[] = []
  for (const [category, limit] of Object.entries(MOST_OF)) {
    const filter = { category: category as Category }
    entries.push(...(await engine.store.listEntries({ filter, limit, offset: 0 })).entries)
  }
  const told = entries.filter(({ agent }) => agent !== NOT_TOLD)
  const ids = told.map(({ id }) => id)
  const successors = await supersededBy(engine, ids)
  const marks = await conflictMarks(engine, ids)
  const byId = new Map(told.map(entry => [entry.id, entry]))
  const isLoser = ({ id, date }: Entry) => {
    const other = marks.get(id)?.conflictsWith?.id
    const against = other === undefined ? undefined : byId.get(other)
    // Of two that are against each other the newer is told, until somebody decides.
    return against !== undefined && (against.date > date || (against.date === date && against.id > id))
  }
  const gathered = told.map(entry => ({ entry, isRetired: successors.has(entry.id) || isLoser(entry) }))
  return {
    entries: gathered,
    retired: [
      ...gathered.filter(({ isRetired }) => isRetired).map(({ entry }) => entry.content),
      ...(await rejectedTexts(engine)),
      ...(await forgottenTexts(engine, byId)),
    ],
  }
}

/** What a person said no to in the review. */
async function rejectedTexts(engine: Engine): Promise<string[]> {
  const { rejections } = await engine.store.readDocument('curation.json')
  if (!Array.isArray(rejections)) return []
  return rejections.flatMap((each: unknown) => {
    const { content } = (each ?? {}) as { content?: unknown }
    return typeof content === 'string' ? [content] : []
  })
}

/** What somebody removed: an event that said it once does not bring it back. */
async function forgottenTexts(engine: Engine, there: ReadonlyMap<string, Entry>): Promise<string[]> {
  const texts: string[] = []
  for await (const { action, changes } of engine.store.readJournal({ limit: RECORDS_LOOKED_AT })) {
    // What upkeep lets go was not said to be wrong.
    if (action === 'evict' || action === 'undo') continue
    for (const change of changes) {
      if (change.type !== 'entry' || change.before === null || change.after !== null) continue
      if (!there.has(change.before.id) && change.before.agent !== NOT_TOLD) texts.push(change.before.content)
    }
  }
  return texts
}
