/**
 * What sessions leave behind, beside the entries:
 *
 *   conversation, message   a row a conversation with its head, and a row a message
 *   event                   what happened; `place` orders them
 *   turn                    which server does what by itself, and until when
 *   memory_file             what is read and written whole, by the name that its file has in a repository: state.json and its checkpoints, memories of sessions, the archive
 *
 * Sessions and agents are named as their files would be (`src/kernel/system/session-names.ts`): an id may hold what no text of the database does.
 */
export const SESSION_TABLES = `
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
