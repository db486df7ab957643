import type { Entry } from '../../kernel/model/entry.ts'
import { rootOfId } from '../../kernel/model/entry-id.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { parseVaultPath } from '../../kernel/model/vault-layout.ts'
import { redact as redactText } from '../../kernel/text/redaction/redact.ts'
import type { EntryIndex, LocatedEntry } from '../../kernel/vault/entry-index.ts'
import type { Twin } from '../../kernel/vault/observe.ts'
import { settleTyped } from '../../kernel/vault/typed-names.ts'
import { entriesOf } from '../../kernel/vault/vault-edit.ts'
import type { VaultFile } from '../../kernel/vault/vault-file.ts'
import type { ScannedFile } from '../../kernel/vault/vault-folder.ts'
import type { EntrySegment } from '../../kernel/vault/vault-segments.ts'

/** `Dev/decisions/2026-02.md` belongs to agent `dev`, category `decisions`. */
export function ownerOf(path: string): Pick<Entry, 'agent' | 'category'> {
  const place = parseVaultPath(path)
  if (place === undefined) throw new Error(`${path} is not a vault file`)
  return { agent: place.agent, category: place.category }
}

export interface ReadFile {
  readonly scanned: ScannedFile
  readonly hash: string
  readonly file: VaultFile
}

/**
 * Gives ids and dates to entries that people typed without them. Both must be stable while the text exists, and unique: the index has those
 * of the other files. `dates` is from the journal, because the index may be new.
 */
export function settleFiles(
  read: readonly ReadFile[],
  {
    gone,
    index,
    dates,
  }: {
    readonly gone: readonly string[]
    readonly index: EntryIndex
    readonly dates: ReadonlyMap<string, string>
  },
): ReadFile[] {
  const changing = new Set([...read.map(({ scanned }) => scanned.path), ...gone])
  const taken = new Set<string>()
  /** Ids in comment lines: a typed entry with the same words is another entry. */
  const written = new Map<string, string>()
  for (const { scanned, file } of read)
    for (const segment of file.segments)
      if (segment.type === 'entry' && !segment.idMissing) written.set(segment.entry.id, scanned.path)
  const isElsewhere = (id: string) => {
    const located = index.find(id)
    return located !== undefined && !changing.has(located.path)
  }
  return read.map(one => {
    const file = settleTyped(one.file, {
      known: () => index.inFile(one.scanned.path),
      isTaken: id =>
        taken.has(id) || isElsewhere(id) || (written.get(id) ?? one.scanned.path) !== one.scanned.path,
      dateOf: id => dates.get(id),
    })
    for (const segment of file.segments) if (segment.type === 'entry') taken.add(segment.entry.id)
    return file === one.file ? one : { ...one, file }
  })
}

export function addTo<T>(groups: Map<string, T[]>, key: string, value: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}

export function twinProblem({ id, path, counts }: Twin): Problem {
  return {
    code: 'entry_twice',
    path,
    entry: id,
    message: `The entry ${id} is in ${path} and in ${counts}. The second one counts.`,
    hint: 'Remove one of the two, or run `cairn migrate`, which leaves the one that counts.',
  }
}

export function withAlias(file: VaultFile, id: string, alias: string): VaultFile {
  const segments = file.segments.map(segment =>
    segment.type === 'entry' && segment.entry.id === id
      ? { ...segment, idMissing: true, entry: { ...segment.entry, id: alias } }
      : segment,
  )
  return { ...file, segments }
}

function hasEntry(file: VaultFile, id: string): boolean {
  return file.segments.some(segment => segment.type === 'entry' && segment.entry.id === id)
}

/** Marks an entry that needs an id of its own. */
export function requireNewId(file: VaultFile, id: string): VaultFile {
  const segments = file.segments.map(segment =>
    segment.type === 'entry' && segment.entry.id === id ? { ...segment, idMissing: true } : segment,
  )
  return { ...file, segments }
}

/** `ID~2` for an entry whose id another file has; stable while both exist. */
export function freeAlias(
  id: string,
  {
    path,
    files,
    index,
  }: { readonly path: string; readonly files: ReadonlyMap<string, VaultFile>; readonly index: EntryIndex },
): string {
  const isTaken = (alias: string) => {
    const indexed = index.find(alias)
    if (indexed !== undefined && indexed.path !== path && !files.has(indexed.path)) return true
    return [...files.values()].some(file => hasEntry(file, alias))
  }
  let copies = 2
  while (isTaken(`${id}~${copies}`)) copies++
  return `${id}~${copies}`
}

/** Applies the aliases of the index to the entries of a file. */
export function withKnownAliases(file: VaultFile, known: readonly LocatedEntry[]): VaultFile {
  return known
    .filter(({ entry }) => rootOfId(entry.id) !== entry.id && !hasEntry(file, entry.id))
    .reduce((aliased, { entry }) => withAlias(aliased, rootOfId(entry.id), entry.id), file)
}

export type Redact = (text: string) => {
  readonly text: string
  readonly redacted: readonly { type: string; line: number }[]
}

/** Ids and prints look random: in them only certain secrets count. */
const CERTAIN = { emails: false, allow: [/(?:)/] }
/** Secrets are at least this long; most tags and names are shorter. */
const MIN_SECRET = 12

/** The entries of a file without typed secrets, and a problem for each secret. */
export function safeEntries(
  file: VaultFile,
  path: string,
  redact: Redact,
): { readonly entries: Entry[]; readonly problems: Problem[] } {
  const segments = new Map<Entry, EntrySegment>()
  for (const segment of file.segments) if (segment.type === 'entry') segments.set(segment.entry, segment)
  const problems: Problem[] = []
  const entries = entriesOf(file).map(entry => {
    const segment = segments.get(entry)
    const types: string[] = []
    const clean = (text: string, by: Redact = redact): string => {
      const { text: safe, redacted } = by(text)
      for (const { type } of redacted) types.push(type)
      return safe
    }
    const cleaned = {
      content: clean(entry.content),
      tags: entry.tags.filter(tag => {
        const typed = asTyped(tag, segment?.raw ?? '')
        return clean(typed) === typed
      }),
      files: entry.files.map(name => (name.length < MIN_SECRET ? name : clean(name))),
      session: entry.session && clean(entry.session, certain),
      extra: entry.extra && cleanValues(entry.extra, text => clean(text, certain)),
    }
    for (const type of types) {
      problems.push({
        code: 'secret_in_file',
        path,
        ...(segment !== undefined && { line: segment.line }),
        entry: entry.id,
        message: `Entry ${entry.id} in ${path} contains what looks like a secret (${type}). It is not stored in the index or the journal.`,
        hint: `Run \`cairn edit ${entry.id}\` to remove it from the file, and change the secret if it was shared.`,
      })
    }
    if (types.length === 0) return entry
    const { content, tags, files, session, extra } = cleaned
    return { ...entry, content, tags, files, ...(session && { session }), ...(extra && { extra }) }
  })
  return { entries, problems }
}

function certain(text: string) {
  return redactText(text, CERTAIN)
}

function cleanValues(extra: Readonly<Record<string, string>>, clean: (text: string) => string) {
  return Object.fromEntries(Object.entries(extra).map(([key, value]) => [key, clean(value)]))
}

/** A tag is in lower case, where key patterns do not match: this is the original spelling. */
function asTyped(tag: string, raw: string): string {
  if (tag.length < MIN_SECRET) return tag
  const at = raw.toLowerCase().indexOf(`#${tag}`)
  return at === -1 ? tag : raw.slice(at + 1, at + 1 + tag.length)
}

export function problemsOf(
  path: string,
  file: VaultFile,
  found: ReadonlyMap<string, readonly Problem[]>,
): Problem[] {
  return [...file.problems.map(problem => ({ ...problem, path })), ...(found.get(path) ?? [])]
}

export function timeOfDate(entry: Entry): number | undefined {
  const ms = Date.parse(entry.date.includes('T') ? `${entry.date}Z` : entry.date)
  return Number.isNaN(ms) ? undefined : ms
}
