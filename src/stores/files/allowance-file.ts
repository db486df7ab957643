import * as path from 'node:path'
import type { Disk } from '../../kernel/system/disk.ts'

/**
 * What one user allowed on this machine, by the real path of the project. It is outside every project: what comes with a project cannot
 * allow itself.
 */
export interface AllowanceFile {
  find():
    | { readonly kind: 'none' | 'damaged' }
    | { readonly kind: 'allowed'; readonly terms: string; readonly at: string }
  put(terms: string, at: string): void
  /** false: there was no permission. */
  remove(): boolean
  /** The permissions of other projects. */
  others(): readonly { readonly project: string; readonly terms: string }[]
}

/** The kinds of permissions. */
export type AllowedThing = 'models' | 'embedders' | 'sources' | 'agents' | 'obsidian' | 'hubs'

type Allowed = Readonly<Record<string, { readonly terms: string; readonly at: string }>>

interface Stored {
  readonly version: 1
  readonly models: Allowed
  readonly embedders: Allowed
  /** Import sources. */
  readonly sources: Allowed
  /** Hosts whose program may be run. */
  readonly agents: Allowed
  /** The link to an Obsidian vault, where notes are written. */
  readonly obsidian: Allowed
  /** The link to a hub, where the memory is sent. */
  readonly hubs: Allowed
}

const EMPTY: Stored = {
  version: 1,
  models: {},
  embedders: {},
  sources: {},
  agents: {},
  obsidian: {},
  hubs: {},
}

export function allowanceFile({
  file,
  project,
  thing,
  disk,
}: {
  readonly file: string
  readonly project: string
  readonly thing: AllowedThing
  readonly disk: Disk
}): AllowanceFile {
  const load = (): Stored | 'damaged' => {
    const bytes = disk.readFile(file)
    return bytes === undefined ? EMPTY : read(Buffer.from(bytes).toString('utf8'))
  }
  const save = (stored: Stored): void => {
    disk.makeFolder(path.dirname(file))
    const fresh = `${file}.cairn-tmp`
    disk.writeFile(fresh, Buffer.from(`${JSON.stringify(stored, null, 2)}\n`))
    disk.rename(fresh, file)
  }
  return {
    find() {
      const stored = load()
      if (stored === 'damaged') return { kind: 'damaged' }
      const allowed = stored[thing]
      const one = Object.hasOwn(allowed, project) ? allowed[project] : undefined
      return one === undefined ? { kind: 'none' } : { kind: 'allowed', ...one }
    },
    put(terms, at) {
      const loaded = load()
      if (loaded === 'damaged') disk.rename(file, `${file}.damaged`)
      const stored = loaded === 'damaged' ? EMPTY : loaded
      save({ ...stored, [thing]: { ...stored[thing], [project]: { terms, at } } })
    },
    remove() {
      const stored = load()
      if (stored === 'damaged' || !Object.hasOwn(stored[thing], project)) return false
      const { [project]: _, ...others } = stored[thing]
      save({ ...stored, [thing]: others })
      return true
    },
    others() {
      const stored = load()
      if (stored === 'damaged') return []
      return Object.entries(stored[thing]).flatMap(([other, { terms }]) =>
        other === project ? [] : [{ project: other, terms }],
      )
    },
  }
}

/** An older file has no permission of a newer kind. */
function read(text: string): Stored | 'damaged' {
  const stored = parsed(text)
  if (!isRecord(stored)) return 'damaged'
  const { models, embedders = {}, sources = {}, agents = {}, obsidian = {}, hubs = {} } = stored
  return isAllowed(models) &&
    isAllowed(embedders) &&
    isAllowed(sources) &&
    isAllowed(agents) &&
    isAllowed(obsidian) &&
    isAllowed(hubs)
    ? { version: 1, models, embedders, sources, agents, obsidian, hubs }
    : 'damaged'
}

function isAllowed(value: unknown): value is Allowed {
  return (
    isRecord(value) &&
    Object.values(value).every(
      one => isRecord(one) && typeof one.terms === 'string' && typeof one.at === 'string',
    )
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
