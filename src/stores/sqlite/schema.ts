import { LAYOUT } from '../../kernel/layout.ts'
import { DamagedRow } from '../sql/stored-value.ts'
import { SQLITE, type SqliteDatabase, sqliteErrorCode } from './driver.ts'

/**
 * The index is a cache: everything in it is rebuilt from the vault files, apart from access counters.
 *
 *   file      size, time and hash of each vault file when it was last read
 *   entry     one row an entry, with its content, so that a list or a hit needs no file
 *   analysed  the entry's index tokens by field, and how many; the full-text table reads its text from here
 *   fulltext  FTS5 over the tokens. `ascii` splits at blanks only: the analyser has done the rest
 *   term      in how many entries a token occurs: idf and the pruning of common terms, without a scan
 *   access    how often an entry was fetched, its last access, and in how many sessions it was injected since then (`unused`)
 *
 *   vector         one vector an entry: 384 signed bytes and a scale
 *   vector_bits    the signs of the vectors, 256 entries a row: a first cut that reads little
 *   vector_totals  the model, how many vectors there are and their sum
 *   unembedded     entries that wait for their vector
 *   uncompared     entries that were not yet compared
 *   conflict       two entries that state different values; decisions about them are in curation.json
 *   doc_*     the documents of the workspaces, in tables of the same shape as the entries' and their words' and vectors' (shelf.ts)
 *
 *   title     the start of the folded first line of an entry, for links by title
 *   link      every [[link]]; its target is looked up when it is needed
 *   about     the entities of an entry and their relations
 *   entity_use  which entries have an entity (`service:redis`)
 *
 *   judged_anchor  the verdict on a file that an entry is anchored to, and its stamp: it is read again when the stamp changes
 *
 *   given_brief    the last briefs that hosts received; brief_totals  how many, and their tokens
 *   sent           the entries in the context of a session
 *   latency        how long the last retrievals took
 *
 *   session_read     which files of `sessions/` were read in; finding, finding_concept  their content, for lookups
 *   model_call     the tokens of each call of a model, used or reserved
 *   bridged        the last messages that were passed to the other agents of a session
 *   looked_at      facts of session files that upkeep read already
 */
type Migration =
  | string
  /** Its tables are filled from the files: the index forgets all files, and the next read indexes them again. */
  | { readonly fromFiles: string }

const MIGRATIONS: readonly Migration[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE file (
    path TEXT PRIMARY KEY, agent TEXT NOT NULL, category TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ms REAL NOT NULL, inode REAL NOT NULL, checked_ms INTEGER NOT NULL,
    hash TEXT NOT NULL, problems TEXT
  ) WITHOUT ROWID;
  CREATE TABLE entry (
    key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, order_ms INTEGER NOT NULL,
    agent TEXT NOT NULL, category TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, origin TEXT NOT NULL,
    date TEXT NOT NULL, updated TEXT, importance REAL NOT NULL, confidence REAL, session TEXT,
    tags TEXT NOT NULL, files TEXT NOT NULL, extra TEXT, fingerprint TEXT NOT NULL, path TEXT NOT NULL,
    content TEXT NOT NULL
  );
  CREATE INDEX entry_by_order ON entry (order_ms DESC, id DESC);
  CREATE INDEX entry_by_vault ON entry (agent, category, order_ms DESC, id DESC);
  CREATE INDEX entry_by_session ON entry (session, order_ms, key) WHERE session IS NOT NULL;
  CREATE INDEX entry_by_fingerprint ON entry (fingerprint);
  CREATE INDEX entry_by_path ON entry (path);
  CREATE TABLE analysed (
    key INTEGER PRIMARY KEY, language TEXT NOT NULL,
    body TEXT NOT NULL, tags TEXT NOT NULL, files TEXT NOT NULL, kind TEXT NOT NULL, date TEXT NOT NULL,
    lengths TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE fulltext USING fts5 (
    body, tags, files, kind, date, content = 'analysed', content_rowid = 'key', tokenize = 'ascii'
  );
  CREATE TABLE term (token TEXT PRIMARY KEY, df INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE access (id TEXT PRIMARY KEY, count INTEGER NOT NULL, last_ms INTEGER NOT NULL) WITHOUT ROWID;
  `,
  `
  CREATE TABLE vector (key INTEGER PRIMARY KEY, code BLOB NOT NULL);
  CREATE TABLE vector_bits (block INTEGER PRIMARY KEY, bits BLOB NOT NULL);
  CREATE TABLE vector_totals (only INTEGER PRIMARY KEY CHECK (only = 0), model TEXT NOT NULL, count INTEGER NOT NULL, sum BLOB NOT NULL);
  CREATE TABLE unembedded (key INTEGER PRIMARY KEY);
  CREATE TABLE unasked (key INTEGER PRIMARY KEY);
  CREATE TABLE succession (older INTEGER PRIMARY KEY, newer INTEGER NOT NULL);
  CREATE INDEX succession_by_newer ON succession (newer);
  INSERT INTO unembedded SELECT key FROM entry;
  `,
  {
    fromFiles: `
  CREATE TABLE title (head TEXT NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (head, key)) WITHOUT ROWID;
  CREATE TABLE link (
    key INTEGER NOT NULL, at INTEGER NOT NULL, target TEXT NOT NULL, folded TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (key, at)
  ) WITHOUT ROWID;
  CREATE INDEX link_by_target ON link (target);
  CREATE INDEX link_by_folded ON link (folded);
  CREATE TABLE about (key INTEGER PRIMARY KEY, packed TEXT NOT NULL);
  CREATE TABLE entity_use (entity TEXT NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (entity, key)) WITHOUT ROWID;
  `,
  },
  `
  CREATE TABLE given_brief (id TEXT PRIMARY KEY, packed TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE brief_totals (only INTEGER PRIMARY KEY CHECK (only = 0), briefs INTEGER NOT NULL, silent INTEGER NOT NULL, tokens INTEGER NOT NULL);
  CREATE TABLE sent (session TEXT NOT NULL, id TEXT NOT NULL, brief TEXT NOT NULL, PRIMARY KEY (session, id)) WITHOUT ROWID;
  CREATE INDEX entry_by_status ON entry (status, order_ms DESC, id DESC);
  CREATE TABLE latency (only INTEGER PRIMARY KEY CHECK (only = 0), samples TEXT NOT NULL, state TEXT NOT NULL);
  `,
  `
  -- findings
  CREATE TABLE session_read (
    session TEXT PRIMARY KEY, stamp TEXT NOT NULL, root TEXT NOT NULL, agent TEXT NOT NULL, finalized_ms INTEGER NOT NULL,
    summary TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX session_read_by_time ON session_read (finalized_ms);
  CREATE TABLE finding (
    key INTEGER PRIMARY KEY, id TEXT NOT NULL, session TEXT NOT NULL, fingerprint TEXT NOT NULL, promoted INTEGER NOT NULL,
    entry TEXT, finalized_ms INTEGER NOT NULL, packed TEXT NOT NULL
  );
  CREATE INDEX finding_by_id ON finding (id);
  CREATE INDEX finding_by_session ON finding (session);
  CREATE INDEX finding_by_fingerprint ON finding (fingerprint);
  CREATE INDEX finding_by_entry ON finding (entry) WHERE entry IS NOT NULL;
  CREATE INDEX finding_waiting ON finding (finalized_ms DESC) WHERE promoted = 0;
  CREATE TABLE finding_concept (concept TEXT NOT NULL, finding INTEGER NOT NULL, PRIMARY KEY (concept, finding)) WITHOUT ROWID;
  CREATE INDEX finding_concept_by_finding ON finding_concept (finding);

  -- conflicts
  CREATE TABLE uncompared (key INTEGER PRIMARY KEY);
  CREATE TABLE conflict (
    older INTEGER NOT NULL, newer INTEGER NOT NULL, type TEXT NOT NULL, confidence REAL NOT NULL, reason TEXT NOT NULL,
    detected_ms INTEGER NOT NULL, PRIMARY KEY (older, newer)
  ) WITHOUT ROWID;
  CREATE INDEX conflict_by_newer ON conflict (newer);
  INSERT INTO uncompared SELECT key FROM entry;

  -- anchors
  ALTER TABLE entry ADD COLUMN anchors TEXT;
  CREATE TABLE judged_anchor (
    id TEXT NOT NULL, file TEXT NOT NULL, print TEXT NOT NULL, outcome TEXT NOT NULL, path TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ms REAL NOT NULL, inode REAL NOT NULL, checked_ms INTEGER NOT NULL,
    PRIMARY KEY (id, file)
  ) WITHOUT ROWID;
  -- Where an older Cairn took anchors for keys it does not know, the file is read again.
  UPDATE file SET hash = '', size = -1 WHERE path IN (SELECT path FROM entry WHERE extra LIKE '%"anchors":%');

  -- what a model was paid
  CREATE TABLE model_call (
    id INTEGER PRIMARY KEY, day TEXT NOT NULL, at TEXT NOT NULL, model TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('reserved', 'settled', 'failed')),
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, micro_usd INTEGER NOT NULL, failure TEXT
  );
  CREATE INDEX model_call_by_day ON model_call (day);

  -- upkeep
  CREATE TABLE looked_at (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, facts TEXT NOT NULL) WITHOUT ROWID;

  -- briefs
  CREATE TABLE bridged (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, packed TEXT NOT NULL);
  `,
  `
  -- documents of workspaces
  CREATE TABLE doc_file (
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ms REAL NOT NULL, inode REAL NOT NULL, checked_ms INTEGER NOT NULL,
    hash TEXT NOT NULL, documents INTEGER NOT NULL, problems TEXT
  ) WITHOUT ROWID;
  CREATE INDEX doc_file_left_out ON doc_file (path) WHERE documents = 0 AND problems IS NOT NULL;
  CREATE TABLE doc_entry (
    key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, order_ms INTEGER NOT NULL,
    agent TEXT NOT NULL, category TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, origin TEXT NOT NULL,
    date TEXT NOT NULL, updated TEXT, importance REAL NOT NULL, confidence REAL, session TEXT,
    tags TEXT NOT NULL, files TEXT NOT NULL, extra TEXT, anchors TEXT, fingerprint TEXT NOT NULL, path TEXT NOT NULL,
    content TEXT NOT NULL, scope TEXT NOT NULL, plan_status TEXT, line INTEGER, is_cut INTEGER NOT NULL, print TEXT NOT NULL
  );
  CREATE INDEX doc_entry_by_path ON doc_entry (path);
  CREATE TABLE doc_analysed (
    key INTEGER PRIMARY KEY, language TEXT NOT NULL,
    body TEXT NOT NULL, tags TEXT NOT NULL, files TEXT NOT NULL, kind TEXT NOT NULL, date TEXT NOT NULL,
    lengths TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE doc_fulltext USING fts5 (
    body, tags, files, kind, date, content = 'doc_analysed', content_rowid = 'key', tokenize = 'ascii'
  );
  CREATE TABLE doc_term (token TEXT PRIMARY KEY, df INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE doc_vector (key INTEGER PRIMARY KEY, code BLOB NOT NULL);
  CREATE TABLE doc_vector_bits (block INTEGER PRIMARY KEY, bits BLOB NOT NULL);
  CREATE TABLE doc_vector_totals (only INTEGER PRIMARY KEY CHECK (only = 0), model TEXT NOT NULL, count INTEGER NOT NULL, sum BLOB NOT NULL);
  CREATE TABLE doc_unembedded (key INTEGER PRIMARY KEY);
  `,
  `
  -- conflicts were told by other rules: everything is compared anew
  DELETE FROM conflict;
  INSERT OR IGNORE INTO uncompared SELECT key FROM entry;
  `,
  `
  -- conflicts rest on evidence (ADR 55): what other rules found goes, and everything is compared again
  DROP TABLE IF EXISTS succession;
  DROP TABLE IF EXISTS unasked;
  DELETE FROM conflict;
  INSERT OR IGNORE INTO uncompared SELECT key FROM entry;
  CREATE INDEX entry_by_predecessor ON entry (json_extract(extra, '$."supersedes"')) WHERE extra IS NOT NULL;
  CREATE INDEX entry_by_version ON entry (json_extract(extra, '$."version-of"')) WHERE extra IS NOT NULL;

  -- lifespans
  ALTER TABLE access ADD COLUMN unused INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- disk format 2 (ADR 61) finds entries that earlier versions did not see: every file is read again
  CREATE TABLE IF NOT EXISTS twin (id TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (id, path)) WITHOUT ROWID;
  UPDATE file SET hash = '', size = -1;
  DELETE FROM meta WHERE key = 'survey';
  `,
  `
  -- _features, _spikes and _architecture of workspaces are documents too: the folders are listed again
  DELETE FROM meta WHERE key = 'doc_survey';
  `,
]

const KEPT_TABLES = new Set(LAYOUT.index.tables?.kept)
const KEPT_META = 'last_id_ms'

export const INDEX_VERSION = MIGRATIONS.length

export function readVersion(database: SqliteDatabase): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
}

/** Migrations are numbered, forward only, each in its own transaction: a crash leaves a whole version. */
export function migrate(database: SqliteDatabase): void {
  for (let version = readVersion(database); version < INDEX_VERSION; version++) {
    database.exec('BEGIN IMMEDIATE')
    try {
      // Another process may have migrated while this one waited for the lock.
      if (readVersion(database) === version) {
        const migration = MIGRATIONS[version] ?? ''
        if (typeof migration !== 'string' && version > 0) forgetFiles(database)
        database.exec(typeof migration === 'string' ? migration : migration.fromFiles)
        database.exec(`PRAGMA user_version = ${version + 1}`)
      }
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      // A table exists already, or is missing: the version number of the file is wrong.
      if (sqliteErrorCode(error) === SQLITE.ERROR) throw new DamagedRow(`its version (${version})`, error)
      throw error
    }
  }
}

/** Like a lost index: the journal still knows the entries, so finding them again is not a change. */
function forgetFiles(database: SqliteDatabase): void {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
    name: string
  }[]
  for (const { name } of tables) {
    if (name === 'fulltext' || name === 'doc_fulltext')
      database.exec(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`)
    if (KEPT_TABLES.has(name) || /^(?:sqlite_|fulltext|doc_fulltext)/.test(name)) continue
    database.exec(`DELETE FROM "${name}"`)
  }
  database.exec(`DELETE FROM meta WHERE key <> '${KEPT_META}'`)
}
