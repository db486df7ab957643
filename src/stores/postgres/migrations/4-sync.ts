/**
 * What those that are linked to a project need of it:
 *
 *   sync_identity   tells the project from every other, on every hub
 *   sync_push       what a push was answered, so that it is done once however often it arrives; no answer: whoever sent it gave it up
 */
export const SYNC_TABLES = `
CREATE TABLE sync_identity (project int PRIMARY KEY, identity text NOT NULL);
CREATE TABLE sync_push (
  project int NOT NULL, id text COLLATE "C" NOT NULL, revision bigint NOT NULL, answer text, PRIMARY KEY (project, id)
);
CREATE INDEX sync_push_by_revision ON sync_push (project, revision);
`
