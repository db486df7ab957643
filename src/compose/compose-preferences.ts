import { LAYOUT } from '../kernel/layout.ts'
import { isReadBy } from '../kernel/model/entry.ts'
import {
  type InjectablePreferences,
  type KnownPlace,
  type KnownPreferences,
  PREFERENCES_VERSION,
} from '../kernel/model/preference.ts'
import { asStorageError, type Disk, errnoOf } from '../kernel/system/disk.ts'
import { MEMORY_FOLDER, placeIn } from '../kernel/system/paths.ts'
import { userFolder } from '../kernel/system/user-folder.ts'

/** A file that changed just before it was read may change again within the same tick of the clock. */
const UNSEEN_MS = 50
const TEXTS = ['id', 'agent', 'kind', 'status', 'origin', 'date', 'text'] as const

/**
 * The user's preferences for every project, read at every prompt: without a user memory this checks one folder, with one its few files;
 * changed files are read by code that is loaded only then.
 */
export function composePreferences(disk: Disk, nowMs: () => number) {
  return async (reader?: string): Promise<InjectablePreferences> => {
    const memory = `${userFolder()}/${MEMORY_FOLDER}`
    try {
      if (disk.stamp(memory) === undefined) return { preferences: [], left: [] }
      const known = knownPreferences(memory, disk)
      const { preferences, left } =
        known ?? (await import('./read-preferences.ts')).readPreferences(memory, disk, nowMs())
      return { preferences: preferences.filter(preference => isReadBy(preference, reader)), left }
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      throw asStorageError(error, `Your own memory (${memory})`)
    }
  }
}

function knownPreferences(memory: string, disk: Disk): KnownPreferences | undefined {
  const bytes = disk.readFile(placeIn(memory, LAYOUT.preferences))
  const known = bytes && parsed(new TextDecoder().decode(bytes))
  if (known === undefined || !isWhole(known)) return undefined
  return known.places.every(place => isAsItWas(place, known.readMs, disk, memory)) ? known : undefined
}

/** A damaged cache must not break the brief of a project. */
function isWhole(known: KnownPreferences | null): known is KnownPreferences {
  if (known?.version !== PREFERENCES_VERSION || typeof known.readMs !== 'number') return false
  const { places, preferences, left } = known
  if (!Array.isArray(places) || places.length === 0) return false
  if (!Array.isArray(preferences) || !Array.isArray(left)) return false
  return (
    places.every(place => typeof place?.path === 'string') &&
    left.every(why => typeof why === 'string') &&
    preferences.every(
      each => TEXTS.every(field => typeof each?.[field] === 'string') && typeof each?.importance === 'number',
    )
  )
}

function isAsItWas({ path, stamp: was }: KnownPlace, readMs: number, disk: Disk, memory: string): boolean {
  const now = disk.stamp(`${memory}/${path}`)
  if (now === undefined || was === undefined) return now === was
  return (
    now.size === was.size &&
    now.mtimeMs === was.mtimeMs &&
    now.inode === was.inode &&
    readMs - was.mtimeMs > UNSEEN_MS
  )
}

/** An invalid document is created again. */
function parsed(text: string): KnownPreferences | null | undefined {
  try {
    return JSON.parse(text) as KnownPreferences | null
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
