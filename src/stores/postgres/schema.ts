/**
 * Everything of a project lies under its number, which is the first column of every key and index:
 *
 *   directory  the names of the projects; small, the same on every node
 *   project    one row a project, locked by whoever writes to it: the last id, the next key, the revision, the statistics
 *   entry      one row an entry, with its content. `key` counts up within the project
 *   analysed   its tokens by field, and how many
 *   posting    which entries have a token (by its hash), how often, and how long each is (text-rows.ts): the first cut of a search
 *   term       how many entries contain a token
 *   access     how often an entry was fetched, and when it was last used here
 *   removed    removed entries with the revision, for synced clones
 *   journal    which change was made, by whom; `journal_subject` finds the records of an entry
 *   document   config.json and curation.json;  text  files of the project, such as its `_project.md`
 *   title, link, about, entity_use      connections between entries
 *   meaning, meaning_totals, unembedded, unasked, succession   search by meaning
 *   uncompared, conflict                conflicts between entries
 *   given_brief, brief_totals, sent, latency, model_call, looked_at   what was injected, and its cost
 *   session_read, finding, finding_concept, bridged           findings of closed sessions
 *
 * Texts are compared byte by byte, as in the embedded store, whatever the collation of the database is. JSON is stored as text: `jsonb` rejects
 * NUL, and no query reads inside.
 */
const MEMORY_TABLES = `
CREATE SEQUENCE project_number;
CREATE TABLE directory (name text COLLATE "C" PRIMARY KEY, project int NOT NULL UNIQUE, created_ms bigint NOT NULL);
CREATE TABLE project (
  project int PRIMARY KEY, last_id_ms bigint NOT NULL DEFAULT 0, last_dated_ms bigint NOT NULL DEFAULT 0, next_key int NOT NULL DEFAULT 1, revision bigint NOT NULL DEFAULT 0,
  statistics text NOT NULL DEFAULT '{}', accesses_since_upkeep bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE entry (
  project int NOT NULL, key int NOT NULL, id text COLLATE "C" NOT NULL, order_ms bigint NOT NULL,
  agent text COLLATE "C" NOT NULL, category text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL, status text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL, date text COLLATE "C" NOT NULL, updated text COLLATE "C", importance double precision NOT NULL,
  confidence double precision, session text COLLATE "C", tags text COLLATE "C" NOT NULL, files text COLLATE "C" NOT NULL,
  extra text, anchors text, fingerprint text COLLATE "C" NOT NULL, content text NOT NULL, raw bytea, revision bigint NOT NULL,
  PRIMARY KEY (project, key), UNIQUE (project, id)
);
CREATE INDEX entry_by_order ON entry (project, order_ms DESC, id DESC);
CREATE INDEX entry_by_vault ON entry (project, agent, category, order_ms DESC, id DESC);
CREATE INDEX entry_by_status ON entry (project, status, order_ms DESC, id DESC);
CREATE INDEX entry_by_session ON entry (project, session, order_ms, key) WHERE session IS NOT NULL;
CREATE INDEX entry_by_fingerprint ON entry (project, fingerprint);
CREATE INDEX entry_by_revision ON entry (project, revision);
CREATE TABLE removed (project int NOT NULL, id text COLLATE "C" NOT NULL, revision bigint NOT NULL, PRIMARY KEY (project, id));
CREATE INDEX removed_by_revision ON removed (project, revision);
CREATE TABLE analysed (
  project int NOT NULL, key int NOT NULL, language text NOT NULL, body text NOT NULL, tags text NOT NULL, files text NOT NULL,
  kind text NOT NULL, date text NOT NULL, lengths text NOT NULL, PRIMARY KEY (project, key)
);
CREATE TABLE posting (
  project int NOT NULL, token int NOT NULL, block int NOT NULL, packed int[] NOT NULL, PRIMARY KEY (project, token, block)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
CREATE TABLE term (
  project int NOT NULL, token text COLLATE "C" NOT NULL, df int NOT NULL, PRIMARY KEY (project, token)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
CREATE TABLE access (
  project int NOT NULL, id text COLLATE "C" NOT NULL, count int NOT NULL, last_ms bigint NOT NULL, PRIMARY KEY (project, id)
);
CREATE TABLE journal (
  project int NOT NULL, number bigint NOT NULL, id text COLLATE "C" NOT NULL, packed text NOT NULL, PRIMARY KEY (project, number)
);
CREATE TABLE journal_subject (
  project int NOT NULL, subject text COLLATE "C" NOT NULL, number bigint NOT NULL, PRIMARY KEY (project, subject, number)
);
CREATE TABLE document (project int NOT NULL, name text COLLATE "C" NOT NULL, body text NOT NULL, PRIMARY KEY (project, name));
CREATE TABLE text_file (project int NOT NULL, path text COLLATE "C" NOT NULL, body text NOT NULL, PRIMARY KEY (project, path));

CREATE TABLE title (project int NOT NULL, head text COLLATE "C" NOT NULL, key int NOT NULL, PRIMARY KEY (project, head, key));
CREATE TABLE link (
  project int NOT NULL, key int NOT NULL, at int NOT NULL, target text COLLATE "C" NOT NULL, folded text COLLATE "C" NOT NULL,
  text text NOT NULL, PRIMARY KEY (project, key, at)
);
CREATE INDEX link_by_target ON link (project, target);
CREATE INDEX link_by_folded ON link (project, folded);
CREATE TABLE about (project int NOT NULL, key int NOT NULL, packed text NOT NULL, PRIMARY KEY (project, key));
CREATE TABLE entity_use (project int NOT NULL, entity text COLLATE "C" NOT NULL, key int NOT NULL, PRIMARY KEY (project, entity, key));

CREATE TABLE meaning (project int NOT NULL, key int NOT NULL, code bytea NOT NULL, signs varbit NOT NULL, PRIMARY KEY (project, key));
CREATE TABLE meaning_totals (project int PRIMARY KEY, model text NOT NULL, count int NOT NULL, sum bytea NOT NULL);
CREATE TABLE unembedded (project int NOT NULL, key int NOT NULL, PRIMARY KEY (project, key));
CREATE TABLE unasked (project int NOT NULL, key int NOT NULL, PRIMARY KEY (project, key));
CREATE TABLE succession (project int NOT NULL, older int NOT NULL, newer int NOT NULL, PRIMARY KEY (project, older));
CREATE INDEX succession_by_newer ON succession (project, newer);

CREATE TABLE uncompared (project int NOT NULL, key int NOT NULL, PRIMARY KEY (project, key));
CREATE TABLE conflict (
  project int NOT NULL, older int NOT NULL, newer int NOT NULL, type text NOT NULL, confidence double precision NOT NULL,
  reason text NOT NULL, detected_ms bigint NOT NULL, PRIMARY KEY (project, older, newer)
);
CREATE INDEX conflict_by_newer ON conflict (project, newer);

CREATE TABLE given_brief (project int NOT NULL, id text COLLATE "C" NOT NULL, packed text NOT NULL, PRIMARY KEY (project, id));
CREATE TABLE brief_totals (project int PRIMARY KEY, briefs bigint NOT NULL, silent bigint NOT NULL, tokens bigint NOT NULL);
CREATE TABLE sent (
  project int NOT NULL, session text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, brief text COLLATE "C" NOT NULL,
  PRIMARY KEY (project, session, id)
);
CREATE TABLE latency (project int PRIMARY KEY, samples text NOT NULL, state text NOT NULL);
CREATE TABLE looked_at (
  project int NOT NULL, path text COLLATE "C" NOT NULL, stamp text NOT NULL, facts text NOT NULL, PRIMARY KEY (project, path)
);

CREATE TABLE session_read (
  project int NOT NULL, session text COLLATE "C" NOT NULL, stamp text NOT NULL, root text COLLATE "C" NOT NULL, agent text COLLATE "C" NOT NULL,
  finalized_ms bigint NOT NULL, summary text NOT NULL, PRIMARY KEY (project, session)
);
CREATE INDEX session_read_by_time ON session_read (project, finalized_ms DESC);
CREATE TABLE finding (
  project int NOT NULL, key bigint NOT NULL, id text COLLATE "C" NOT NULL, session text COLLATE "C" NOT NULL, fingerprint text COLLATE "C" NOT NULL,
  promoted boolean NOT NULL, entry text COLLATE "C", finalized_ms bigint NOT NULL, packed text NOT NULL, PRIMARY KEY (project, key)
);
CREATE INDEX finding_by_id ON finding (project, id);
CREATE INDEX finding_by_session ON finding (project, session);
CREATE INDEX finding_by_fingerprint ON finding (project, fingerprint, key);
CREATE INDEX finding_by_entry ON finding (project, entry) WHERE entry IS NOT NULL;
CREATE INDEX finding_pending ON finding (project, finalized_ms DESC, key) WHERE NOT promoted;
CREATE TABLE finding_concept (
  project int NOT NULL, concept text COLLATE "C" NOT NULL, finding bigint NOT NULL, PRIMARY KEY (project, concept, finding)
);
CREATE INDEX finding_concept_by_finding ON finding_concept (project, finding);
CREATE TABLE bridged (
  project int NOT NULL, name text COLLATE "C" NOT NULL, number bigint NOT NULL, packed text NOT NULL, PRIMARY KEY (project, name)
);
CREATE TABLE model_call (
  project int NOT NULL, id bigint NOT NULL, day text COLLATE "C" NOT NULL, at text NOT NULL, model text NOT NULL, state text NOT NULL,
  input_tokens bigint NOT NULL, output_tokens bigint NOT NULL, micro_usd double precision NOT NULL, failure text, PRIMARY KEY (project, id)
);
CREATE INDEX model_call_by_day ON model_call (project, day);
`

/**
 * What sessions store besides entries:
 *
 *   conversation, message   one row for each conversation with its head, and one for each message
 *   event                   events in the order of `place`
 *   turn                    which server does which background work, and until when
 *   memory_file             documents read and written whole, by the name of their file in a repository: state.json and its checkpoints, session memories, the archive
 *
 * Sessions and agents are named as their files would be (`src/kernel/system/session-names.ts`): an id may contain characters that PostgreSQL cannot store.
 */
const SESSION_TABLES = `
CREATE TABLE conversation (
  project int NOT NULL, session_name text COLLATE "C" NOT NULL, agent_name text COLLATE "C" NOT NULL, head text NOT NULL, state text NOT NULL,
  said_at text, written_ms bigint NOT NULL, count int NOT NULL, seen int NOT NULL, trimmed int NOT NULL, doing text, version bigint NOT NULL,
  PRIMARY KEY (project, session_name, agent_name)
);
CREATE INDEX conversation_unclosed ON conversation (project, written_ms) WHERE state <> 'closed';
CREATE TABLE message (
  project int NOT NULL, session_name text COLLATE "C" NOT NULL, agent_name text COLLATE "C" NOT NULL, n int NOT NULL, is_internal boolean NOT NULL,
  packed text NOT NULL, PRIMARY KEY (project, session_name, agent_name, n)
);
CREATE TABLE event (
  project int NOT NULL, key bigint NOT NULL, place bigint NOT NULL, id text COLLATE "C", hash text COLLATE "C", packed text NOT NULL,
  PRIMARY KEY (project, key)
);
CREATE INDEX event_by_place ON event (project, place, key);
CREATE INDEX event_by_id ON event (project, id);
CREATE UNIQUE INDEX event_by_hash ON event (project, hash);
CREATE TABLE turn (
  project int NOT NULL, work text COLLATE "C" NOT NULL, holder text COLLATE "C" NOT NULL, until timestamptz NOT NULL, PRIMARY KEY (project, work)
);
CREATE TABLE memory_file (
  project int NOT NULL, path text COLLATE "C" NOT NULL, body bytea NOT NULL, stamp text NOT NULL, written_ms bigint NOT NULL,
  PRIMARY KEY (project, path)
);
`

/**
 * Permissions of a hub and its audit. These rows belong to no single project, so the tenant role has no access to them: `place` is the
 * number of a project (0: all), named differently from the key by which rows are distributed.
 *
 *   principal    users and agents
 *   token        only the digest of the secret
 *   token_grant  what a token may do, and where
 *   audit        what was done and refused, newest last
 */
const HUB_TABLES = `
ALTER TABLE directory ADD COLUMN archived_ms bigint;
CREATE TABLE principal (name text COLLATE "C" PRIMARY KEY, kind text NOT NULL, created_ms bigint NOT NULL, disabled_ms bigint);
CREATE TABLE token (
  id text COLLATE "C" PRIMARY KEY, principal text COLLATE "C" NOT NULL, digest text COLLATE "C" NOT NULL, created_ms bigint NOT NULL,
  expires_ms bigint, revoked_ms bigint, used_ms bigint, per_second double precision
);
CREATE INDEX token_by_principal ON token (principal);
CREATE TABLE token_grant (
  token text COLLATE "C" NOT NULL, place int NOT NULL, scope text NOT NULL, PRIMARY KEY (token, place)
);
CREATE TABLE audit (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at_ms bigint NOT NULL, principal text COLLATE "C", token text COLLATE "C",
  place int, action text NOT NULL, subject text, outcome text NOT NULL
);
CREATE INDEX audit_by_time ON audit (at_ms);
CREATE INDEX audit_by_place ON audit (place, number);
CREATE INDEX audit_by_principal ON audit (principal, number);
`

/** Tasks that an orchestrator and its workers share. `packed` is the task; the other columns serve lookups. */
const WORK_TABLES = `
CREATE TABLE task (
  project int NOT NULL, id text COLLATE "C" NOT NULL, graph text COLLATE "C" NOT NULL, state text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL, agent text COLLATE "C", priority int NOT NULL, created_ms bigint NOT NULL, place int NOT NULL,
  due_ms bigint NOT NULL, packed text NOT NULL, PRIMARY KEY (project, id));
CREATE INDEX task_ready ON task (project, state, priority DESC, created_ms, place);
CREATE INDEX task_due ON task (project, state, due_ms);
CREATE INDEX task_graph ON task (project, graph, state);
CREATE TABLE dependency (
  project int NOT NULL, before text COLLATE "C" NOT NULL, task text COLLATE "C" NOT NULL, PRIMARY KEY (project, before, task));
CREATE INDEX dependency_task ON dependency (project, task);
`

/**
 * For clones that are linked to a project:
 *
 *   sync_identity   distinguishes the project from every other, on every hub
 *   sync_push       the answer to a push, so that it is applied once however often it arrives; no answer: the sender gave it up
 */
const SYNC_TABLES = `
CREATE TABLE sync_identity (project int PRIMARY KEY, identity text NOT NULL);
CREATE TABLE sync_push (
  project int NOT NULL, id text COLLATE "C" NOT NULL, revision bigint NOT NULL, answer text, PRIMARY KEY (project, id)
);
CREATE INDEX sync_push_by_revision ON sync_push (project, revision);
`

/**
 * Conflicts rest on evidence (ADR 55), and unused candidates expire:
 *
 *   entry_by_predecessor, entry_by_version   entries that name another one in their comment
 *   access.unused                            sessions in which an entry was injected since it was last used
 */
export const EVIDENCE_TABLES = `
DROP TABLE succession;
DROP TABLE unasked;
DELETE FROM conflict;
INSERT INTO uncompared (project, key) SELECT e.project, e.key FROM entry e ON CONFLICT DO NOTHING;
CREATE INDEX entry_by_predecessor ON entry (project, (substring(extra from '"supersedes":"([^"]+)"')));
CREATE INDEX entry_by_version ON entry (project, (substring(extra from '"version-of":"([^"]+)"')));
ALTER TABLE access ADD COLUMN unused int NOT NULL DEFAULT 0;
`

/** Numbered by position, forward only: a released migration never changes, new ones are appended. */
export const MIGRATIONS: readonly string[] = [
  MEMORY_TABLES + SESSION_TABLES,
  HUB_TABLES,
  WORK_TABLES,
  SYNC_TABLES,
  EVIDENCE_TABLES,
]

/**
 * Where the server has pgvector: a second copy of the vectors, for its operators. Without it the signs select the candidates, which are
 * then measured.
 */
export const NEAR_TABLE = `
CREATE TABLE IF NOT EXISTS meaning_near (project int NOT NULL, key int NOT NULL, near vector NOT NULL, PRIMARY KEY (project, key))`
