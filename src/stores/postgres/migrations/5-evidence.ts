/**
 * Conflicts rest on evidence (ADR 55), and candidates fade by disuse:
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
