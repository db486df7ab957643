/** Databases in `.vault/` that hold what no file does. The others are an index that is made anew, and locks. */
const DATABASES: ReadonlySet<string> = new Set(['.vault/work.db', '.vault/link.db'])

/** Made anew when it is missing; and what tells this memory from its copies, which a copy must not have. */
const REBUILT = /^\.vault\/(?:backup\/|event-hashes|project-token$|[^/]*\.db(?:-[a-z]+)?$|[^/]*\.damaged)/
const TEMPORARY = /\.cairn-tmp$/

/** Whether a file of `.memory/` is taken into a backup, and how. Paths have `/` on every system. */
export function howKept(path: string): 'as-it-is' | 'as-database' | 'left' {
  if (DATABASES.has(path)) return 'as-database'
  return REBUILT.test(path) || TEMPORARY.test(path) ? 'left' : 'as-it-is'
}

const MAX_CHARACTERS = 1_000

/** A path of a backup that may be written: below the folder, on every system, and nothing that is made anew. */
export function mayBeWritten(path: string): boolean {
  return (
    path.length <= MAX_CHARACTERS &&
    !/[\0-\x1f\\:*?"<>|]/.test(path) &&
    path.split('/').every(part => part !== '' && part !== '.' && part !== '..') &&
    howKept(path) !== 'left'
  )
}
