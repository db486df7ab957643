/** The parts of a memory that can change while a page is open. A view requests the parts that it shows again. */
export const MEMORY_PARTS = [
  'entries',
  'review',
  'conflicts',
  'sessions',
  'state',
  'project-text',
  'config',
  'upkeep',
  'obsidian',
  'work',
] as const
export type MemoryPart = (typeof MEMORY_PARTS)[number]

/** The checks of `cairn validate` that read files of the memory. */
export type FileCheck =
  | 'archive'
  | 'config'
  | 'conversations'
  | 'curation'
  | 'events'
  | 'git'
  | 'index'
  | 'journal'
  | 'project'
  | 'proposals'
  | 'sessions'
  | 'sources'
  | 'state'
  | 'vault'

/** One file, or one kind of file, in `.memory/`. */
export interface MemoryFile {
  /**
   * Relative to `.memory/`. A trailing `/` means the folder with everything in it; `*` is any text within a name, `**` any text;
   * `{agent}` is a folder with the entries of an agent. A pattern without a `/` (`*.md.bak`) matches a file in any folder, as in
   * `.gitignore`.
   */
  readonly path: string
  readonly about: string
  /** Ignored files belong to this clone only: they have a line in `.gitignore`, and only the user may read them. */
  readonly git: 'committed' | 'ignored'
  /** For an ignored file: what `cairn validate` reports if git tracks it anyway. */
  readonly ifTracked?: readonly [severity: 'error' | 'warning' | 'note', why: string]
  /** The folder has its own `.gitignore`, so that of the memory does not list it. */
  readonly hasOwnGitignore?: true
  /** Absent: copied. `database`: copied by SQLite. `none`: regenerated if it is missing. */
  readonly backup?: 'database' | 'none'
  /** The parts of the page that a change of this file affects. For a database with tables, the rows are compared, not the file. */
  readonly live?: readonly MemoryPart[]
  /** For a folder: how many levels of folders are watched, including itself. */
  readonly watchedLevels?: number
  /** The check of `cairn validate` that reads the file. Absent: only its name and permissions are checked. */
  readonly check?: FileCheck
  /** How `cairn merge-driver` merges the file. Absent: entry by entry if it has entries, otherwise as text. */
  readonly merge?: 'document' | 'machine_document' | 'state' | 'log'
  /** Most processes open it, so a link that leads out of the memory is rejected before anything else is done. */
  readonly isCheckedFirst?: true
  /** For a database. No file has the data of `kept` tables, so a rebuild does not touch them. */
  readonly tables?: { readonly rebuilt: readonly string[]; readonly kept: readonly string[] }
}

type More = Omit<MemoryFile, 'path' | 'about' | 'git'>
const committed = (path: string, about: string, more?: More): MemoryFile => ({
  path,
  about,
  git: 'committed',
  ...more,
})
const ignored = (path: string, about: string, more?: More): MemoryFile => ({
  path,
  about,
  git: 'ignored',
  ...more,
})

/** The text of an entry decides what waits for review and what conflicts. */
const ENTRIES: readonly MemoryPart[] = ['entries', 'review', 'conflicts']

/**
 * Every file of `.memory/`. Add a row for a new file. If several rows match a path, the first one that answers the question is used, so
 * files come before their folder. Ignored files are in the order of `.gitignore`.
 */
export const LAYOUT = {
  projectText: committed('_project.md', 'The text about the project that every agent reads', {
    live: ['project-text'],
    check: 'project',
    isCheckedFirst: true,
  }),
  config: committed('config.json', 'Settings, and the version of the format', {
    live: ['config'],
    check: 'config',
    merge: 'document',
    isCheckedFirst: true,
  }),
  curation: committed('curation.json', 'Decisions of people: aliases, resolved conflicts', {
    live: ENTRIES,
    check: 'curation',
    merge: 'document',
    isCheckedFirst: true,
  }),
  gitignore: committed('.gitignore', 'The files that git ignores', { check: 'git' }),
  gitattributes: committed('.gitattributes', 'Which files the merge driver merges'),
  macFolder: committed('.DS_Store', 'Written by macOS'),

  privateVault: ignored('private/', 'Entries that are never shared', {
    ifTracked: ['error', 'the private vault is never committed'],
    check: 'vault',
  }),
  localCuration: ignored('local/curation.json', 'Confirmations, feedback, rejections, dismissals', {
    live: ENTRIES,
    check: 'curation',
    isCheckedFirst: true,
  }),
  localEntries: ignored(
    'local/**.md',
    'Candidates, suggestions, handoffs: `local/{agent}/{category}.md` and pages',
    {
      live: ENTRIES,
      check: 'vault',
    },
  ),
  local: ignored('local/', 'Data of this clone only', {
    ifTracked: ['warning', 'unconfirmed entries are not committed'],
    hasOwnGitignore: true,
    watchedLevels: 3,
    isCheckedFirst: true,
  }),
  conversations: ignored(
    'conversations/',
    '`{agent}/{session}.jsonl` while a session is open, then `.json`',
    {
      ifTracked: ['warning', 'whole conversations would be in the history of the project'],
      live: ['sessions'],
      watchedLevels: 2,
      check: 'conversations',
      isCheckedFirst: true,
    },
  ),
  sessions: ignored('sessions/', '`{session}.memory.json`: the findings of a session', {
    ifTracked: ['warning', 'findings of sessions are local'],
    live: ['sessions', 'review'],
    watchedLevels: 1,
    check: 'sessions',
    isCheckedFirst: true,
  }),
  journal: ignored('history/audit.jsonl', 'Every change, written before it is made', {
    live: ['state'],
    check: 'journal',
    merge: 'log',
    isCheckedFirst: true,
  }),
  events: ignored('history/events.jsonl', 'Events, one per line', {
    live: ['state'],
    check: 'events',
    merge: 'log',
  }),
  proposals: ignored('history/proposals.json', 'Changes that agents propose', {
    live: ['review'],
    check: 'proposals',
  }),
  stateCheckpoints: ignored('history/checkpoints/', 'Earlier states', { live: ['state'], check: 'state' }),
  history: ignored('history/', 'The journal and the events', {
    ifTracked: ['note', 'events and the journal are local, unless a team shares them'],
    // The journal is included because the project state depends on the changes since.
    live: ['state'],
    watchedLevels: 2,
    isCheckedFirst: true,
  }),
  archive: ignored('archive/', 'A folder for each batch that upkeep removed or an import could not place', {
    ifTracked: ['note', 'files that upkeep removed are local'],
    live: ['upkeep'],
    // A batch is added or removed as a whole.
    watchedLevels: 1,
    check: 'archive',
    isCheckedFirst: true,
  }),
  state: ignored('state.json', 'The state of the project', {
    ifTracked: ['note', 'each clone makes its own with `cairn recall`'],
    live: ['state'],
    check: 'state',
    merge: 'state',
  }),
  damagedState: ignored('state.json.damaged-*', 'A state that could not be read'),
  sources: ignored('sources.json', 'Places that are imported from repeatedly', {
    ifTracked: ['warning', 'it contains paths of this machine'],
    live: ['config'],
    check: 'sources',
    merge: 'machine_document',
  }),
  damagedSources: ignored('sources.json.damaged-*', 'A list of sources that could not be read'),

  index: ignored('.vault/index.db', 'The search index', {
    backup: 'none',
    check: 'index',
    isCheckedFirst: true,
    tables: {
      rebuilt: [
        ...['about', 'analysed', 'bridged', 'conflict', 'entity_use', 'entry', 'file', 'finding'],
        ...['finding_concept', 'fulltext', 'judged_anchor', 'link', 'looked_at', 'session_read'],
        ...['term', 'title', 'twin', 'uncompared', 'unembedded'],
        ...['vector', 'vector_bits', 'vector_totals'],
        ...['doc_analysed', 'doc_entry', 'doc_file', 'doc_fulltext', 'doc_term', 'doc_unembedded'],
        ...['doc_vector', 'doc_vector_bits', 'doc_vector_totals'],
      ],
      // How often an entry was fetched, which briefs were sent, what models cost, the last id.
      kept: ['access', 'meta', 'given_brief', 'brief_totals', 'sent', 'latency', 'model_call'],
    },
  }),
  compactLog: ignored('.vault/compact-log.json', 'When upkeep ran, and what it did', {
    live: ['upkeep'],
    check: 'index',
  }),
  work: ignored('.vault/work.db', 'The work board', {
    backup: 'database',
    live: ['work'],
    tables: { rebuilt: [], kept: ['task', 'dependency'] },
  }),
  linkState: ignored('.vault/link.db', 'The common state of this memory and its hub at the last sync', {
    backup: 'database',
    tables: { rebuilt: [], kept: ['fact', 'agreed'] },
  }),
  linkLog: ignored('.vault/link-log.json', 'The result of the last sync with the hub'),
  obsidianBase: ignored(
    '.vault/obsidian/',
    '`base.json`: on what notes and entries agreed at the last sync',
    {
      live: ['obsidian'],
    },
  ),
  obsidianLock: ignored('.vault/obsidian.db', 'The lock of a sync with notes', {
    backup: 'none',
    live: ['obsidian'],
  }),
  writerLock: ignored('.vault/lock.db', 'The lock of writers', { backup: 'none', isCheckedFirst: true }),
  linkLock: ignored('.vault/link-lock.db', 'The lock of a sync with the hub', { backup: 'none' }),
  hookLock: ignored('.vault/hooks.db', 'The lock of the worker for the spool', { backup: 'none' }),
  otherDatabases: ignored('.vault/*.db', 'Locks of other versions of Cairn', { backup: 'none' }),
  databaseJournals: ignored('.vault/*.db-*', 'Files of SQLite next to a database', { backup: 'none' }),
  damagedDatabases: ignored('.vault/*.damaged*', 'A database that could not be read', { backup: 'none' }),
  eventHashes: ignored('.vault/event-hashes', 'Hashes of events: none is added twice', { backup: 'none' }),
  projectToken: ignored('.vault/project-token', 'Identifies the project of the folder; never copied', {
    backup: 'none',
  }),
  documentBackups: ignored('.vault/backup/', 'The last good version of each JSON file', {
    backup: 'none',
    isCheckedFirst: true,
  }),
  checkpoints: ignored('.vault/checkpoints/', 'The last messages of sessions, for seven days', {
    check: 'conversations',
  }),
  spool: ignored('.vault/spool/', 'What hooks recorded, until a worker stores it'),
  asks: ignored('.vault/asks/', 'Which sessions were asked what they learned'),
  agentRuns: ignored('.vault/agent-runs/', 'Results of agent runs that the page started'),
  writerQueue: ignored('.vault/waiting/', 'Which processes wait for the lock of writers'),
  syncCursors: ignored('.vault/sync/', '`{source}.json`: how far a source was imported'),
  hotFolders: ignored('.vault/hot-folders.json', 'Folders of the project that linking rules created'),
  preferences: ignored('.vault/preferences.json', 'Preferences of the user, as every prompt reads them'),
  data: ignored('.vault/', 'The index, locks and caches', {
    ifTracked: ['warning', 'the index is local, and changes with every call'],
    live: [],
    watchedLevels: 1,
    isCheckedFirst: true,
  }),
  migrated: ignored('*.md.bak', 'A flat memory file from before `cairn migrate`'),
  temporary: ignored('*.cairn-tmp', 'A file that is being written', {
    ifTracked: ['note', 'temporary files'],
    backup: 'none',
  }),

  persona: committed('{agent}/_persona.md', 'The role of an agent, for `cairn agent run`', { live: ENTRIES }),
  folderMark: committed('{agent}/*/.gitkeep', 'Keeps a folder without entries in git'),
  heads: committed('{agent}/*.md', 'Entries of a category that a person typed, or that format 1 wrote', {
    live: ENTRIES,
    check: 'vault',
  }),
  entries: committed('{agent}/*/*.md', 'One entry, a page of a month, or text that a person typed', {
    live: ENTRIES,
    check: 'vault',
  }),
  vaults: committed('{agent}/', 'The vault of an agent; `shared` is common to all', { watchedLevels: 3 }),
} as const satisfies Readonly<Record<string, MemoryFile>>

const ROWS: readonly MemoryFile[] = Object.values(LAYOUT)
const nameOf = ({ path }: Pick<MemoryFile, 'path'>) => (path.endsWith('/') ? path.slice(0, -1) : path)

// Every process evaluates this file, so derived values are computed on first use.
let reserved: ReadonlySet<string> | undefined

/** Names at the top of `.memory/` that Cairn uses itself, so an agent cannot have them. */
export function reservedNames(): ReadonlySet<string> {
  reserved ??= new Set(topNames(row => /^[a-z]/.test(row.path) && row !== LAYOUT.privateVault))
  return reserved
}

/** Paths at the top of `.memory/` that git ignores. */
export function ignoredNames(): readonly string[] {
  return topNames(({ git }) => git === 'ignored')
}

/** `history/` is at the top, `history/audit.jsonl` is not. */
function topNames(isMeant: (row: MemoryFile) => boolean): string[] {
  return ROWS.filter(row => /^[^/*{]+\/?$/.test(row.path) && isMeant(row)).map(nameOf)
}

/** Rows with a line in `.memory/.gitignore`: all ignored files, except those in an ignored folder. */
export function ignoredRows(): readonly MemoryFile[] {
  return ROWS.filter(row => row.git === 'ignored' && !nameOf(row).includes('/'))
}

/** Paths that must not be links out of the memory. A folder comes before its contents. */
export function checkedFirst(): readonly string[] {
  return ROWS.filter(row => row.isCheckedFirst)
    .map(nameOf)
    .sort((a, b) => a.length - b.length)
}

/** The rows that match a path relative to `.memory/`, with `/`. Empty: Cairn does not know the file. */
export function rowsOf(path: string): readonly MemoryFile[] {
  return ROWS.filter(row => matchesRow(path, row))
}

const patterns = new Map<string, RegExp>()

/** Whether a path is that of a row, or is in its folder. A folder path ends with `/`. */
export function matchesRow(path: string, { path: row }: Pick<MemoryFile, 'path'>): boolean {
  if (!/[*{]/.test(row)) return path === row || (row.endsWith('/') && path.startsWith(row))
  const pattern = patterns.get(row) ?? patternOf(row)
  patterns.set(row, pattern)
  return pattern.test(path)
}

function patternOf(row: string): RegExp {
  const own = [...reservedNames()].join('|').replaceAll('.', '\\.')
  const wildcards: Readonly<Record<string, string>> = {
    '**': '.*',
    '*': '[^/]*',
    '{agent}': `(?!(?:${own})(?:/|$))[^./][^/]*`,
  }
  const body = nameOf({ path: row }).replace(
    /\*\*|\*|\{agent\}|[.]/g,
    found => wildcards[found] ?? `\\${found}`,
  )
  return new RegExp(`^${row.includes('/') ? '' : '(?:.*/)?'}${body}${row.endsWith('/') ? '/' : '$'}`, 's')
}
