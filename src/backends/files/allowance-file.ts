import * as path from 'node:path'
import type { Disk } from '../../system/disk.ts'

/** What one user allowed on this machine, by the real path of the project. It lies outside every project: what comes with one cannot allow itself. */
export interface AllowanceFile {
  find():
    | { readonly kind: 'none' | 'damaged' }
    | { readonly kind: 'allowed'; readonly terms: string; readonly at: string }
  put(terms: string, at: string): void
  /** false: there was none. */
  remove(): boolean
}

interface Stored {
  readonly version: 1
  readonly models: Readonly<Record<string, { readonly terms: string; readonly at: string }>>
}

const EMPTY: Stored = { version: 1, models: {} }

export function allowanceFile({
  file,
  project,
  disk,
}: {
  readonly file: string
  readonly project: string
  readonly disk: Disk
}): AllowanceFile {
  const load = (): Stored | 'damaged' => {
    const bytes = disk.readFile(file)
    return bytes === undefined ? EMPTY : read(Buffer.from(bytes).toString('utf8'))
  }
  const save = (models: Stored['models']): void => {
    disk.makeFolder(path.dirname(file))
    const fresh = `${file}.cairn-tmp`
    const text = `${JSON.stringify({ version: 1, models }, null, 2)}\n`
    disk.writeFile(fresh, Buffer.from(text))
    disk.rename(fresh, file)
  }
  return {
    find() {
      const stored = load()
      if (stored === 'damaged') return { kind: 'damaged' }
      const one = Object.hasOwn(stored.models, project) ? stored.models[project] : undefined
      return one === undefined ? { kind: 'none' } : { kind: 'allowed', ...one }
    },
    put(terms, at) {
      const stored = load()
      if (stored === 'damaged') disk.rename(file, `${file}.damaged`)
      save({ ...(stored === 'damaged' ? {} : stored.models), [project]: { terms, at } })
    },
    remove() {
      const stored = load()
      if (stored === 'damaged' || !Object.hasOwn(stored.models, project)) return false
      const { [project]: _, ...others } = stored.models
      save(others)
      return true
    },
  }
}

function read(text: string): Stored | 'damaged' {
  const stored = parsed(text)
  if (!isRecord(stored) || !isRecord(stored.models)) return 'damaged'
  const isWhole = Object.values(stored.models).every(
    one => isRecord(one) && typeof one.terms === 'string' && typeof one.at === 'string',
  )
  return isWhole ? (stored as unknown as Stored) : 'damaged'
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
