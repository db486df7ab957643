/**
 * Who may do what on a hub, and who did it. These are not of one project, so the role of the tenants has no right to them: `place` is the
 * number of a project (0: every one), under another name than the key by which rows are distributed.
 *
 *   principal    users and agents
 *   token        of the secret only its digest
 *   token_grant  what a token may do, and where
 *   audit        what was done and refused, newest last
 */
export const HUB_TABLES = `
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
