import { isTaken } from './agent-id.ts'
import { CATEGORIES, type Category } from './category.ts'
import { type Entry, isPinnedByAgent } from './entry.ts'

/** git ignores it, and it is never sent to a hub. */
export const PRIVATE_VAULT = 'private'

/**
 * Where vault files are, relative to `.memory/`:
 *
 *   shared/decisions/2026-11-18-unit-tests-never-touch-redis-k3f9.md    committed: one file for each entry
 *   shared/decisions.md  shared/decisions/2026-02.md                   committed: typed by hand, or written by format 1
 *   local/shared/decisions.md  local/shared/decisions/2026-02.md       ignored: a head file and its pages
 *
 * One file for each entry lets plain git merge any two branches that do not change the same entry (ADR 61).
 */
export const LOCAL_FOLDER = 'local'

/**
 * The format of the vault, in `version` of `config.json`. 1 is that of 0.1.0, with all entries of a category in one file; it is read and
 * written until a person runs `cairn migrate`. 2 has one file per committed entry, and local ones in `local/`.
 */
export const FORMAT_VERSION = 2

/** `vault` is visible to git, `local` exists only in this clone. */
export type Area = 'vault' | 'local'

export interface VaultPlace {
  readonly area: Area
  /** The name of the folder on disk, whose case may differ from the agent's id. */
  readonly folder: string
  readonly agent: string
  readonly category: Category
  /** `head`: `decisions.md`. `page`: any file in `decisions/`. */
  readonly role: 'head' | 'page'
}

/** undefined: not a vault file. */
export function parseVaultPath(path: string): VaultPlace | undefined {
  if (!path.endsWith('.md')) return undefined
  const names = path.split('/')
  const isLocal = names[0]?.toLowerCase() === LOCAL_FOLDER && !isOfAgentLocal(names)
  const [folder = '', second = '', page, more] = isLocal ? names.slice(1) : names
  const isFolder = isVaultFolder(folder) || (!isLocal && folder.toLowerCase() === LOCAL_FOLDER)
  if (more !== undefined || !isFolder) return undefined
  const category = categoryOf(second)
  const role = page === undefined ? 'head' : 'page'
  if (category === undefined || (second === category) !== (role === 'page')) return undefined
  return { area: isLocal ? 'local' : 'vault', folder, agent: folder.toLowerCase(), category, role }
}

/**
 * An agent that 0.1.0 allowed to be called `local` has its files directly in that folder: `local/decisions.md`,
 * `local/decisions/2026-02.md`. But `local/decisions/lessons.md` is a head file of the agent `decisions`.
 */
function isOfAgentLocal([, second = '', third, more]: readonly string[]): boolean {
  return categoryOf(second) !== undefined && more === undefined && categoryOf(third ?? '') === undefined
}

/** Whether a folder of `.memory/`, or of `.memory/local/`, may contain the files of an agent. */
export function isVaultFolder(name: string): boolean {
  return name !== '' && !/^[._]/.test(name) && !isTaken(name)
}

/** `decisions` for `decisions` and `decisions.md`. */
export function categoryOf(name: string): Category | undefined {
  return CATEGORIES.find(category => name === category || name === `${category}.md`)
}

export function isLocalPath(path: string): boolean {
  return parseVaultPath(path)?.area === 'local'
}

/** Whether git can see a vault file: `local/` and the private vault are ignored. */
export function isTrackedPath(path: string): boolean {
  const place = parseVaultPath(path)
  return place !== undefined && place.area === 'vault' && place.agent !== PRIVATE_VAULT
}

/** `dev/decisions/2026-02.md` is a page, `dev/decisions.md` a head file. */
export function isPage(path: string): boolean {
  return parseVaultPath(path)?.role === 'page'
}

const MONTH_PAGE = /\/\d{4}-\d\d(?:\.\d+)?\.md$/

/** A page with entries that rolled over. The summary in the head file counts only these. */
export function isMonthPage(path: string): boolean {
  return isPage(path) && MONTH_PAGE.test(path)
}

/** `shared/decisions/2026-11-18-no-redis-k3f9.md`: created for one entry, and removed with it. */
export function isEntryFile(path: string): boolean {
  return parseVaultPath(path)?.area === 'vault' && isPage(path) && !isMonthPage(path)
}

/** For a page or a head file: `shared/decisions`, `local/shared/decisions`. */
export function pageFolderOf(path: string): string {
  return isPage(path) ? path.slice(0, path.lastIndexOf('/')) : path.replace(/\.md$/, '')
}

/** The head file of the category that a page belongs to. */
export function headPathOf(path: string): string {
  return `${pageFolderOf(path)}.md`
}

export const SHARED_CLASSES = ['candidates', 'suggestions', 'handoffs'] as const
type SharedClass = (typeof SHARED_CLASSES)[number]

/**
 * What a person wrote or confirmed is committed; candidates of agents, suggestions and handoffs are local, unless the configuration
 * shares them (`vault.share`). The private vault is ignored as a whole.
 */
export function areaOf(
  entry: Pick<Entry, 'agent' | 'category' | 'status' | 'origin' | 'extra'>,
  shared: readonly string[] = [],
): Area {
  const kind = localClassOf(entry)
  return kind === undefined || shared.includes(kind) || entry.agent === PRIVATE_VAULT ? 'vault' : 'local'
}

function localClassOf(
  entry: Pick<Entry, 'category' | 'status' | 'origin' | 'extra'>,
): SharedClass | undefined {
  if (entry.category === 'handoffs') return 'handoffs'
  const isUnconfirmed = entry.status === 'candidate' || isPinnedByAgent(entry)
  if (!isUnconfirmed || entry.origin === 'person') return undefined
  return entry.origin === 'machine' ? 'suggestions' : 'candidates'
}
