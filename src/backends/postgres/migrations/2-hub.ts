/** Who may do what on a hub, and who did it: not of one project, so that row-level security of projects does not hold for them. */
export const HUB_TABLES = `
CREATE TABLE principal (name text COLLATE "C" PRIMARY KEY, kind text NOT NULL, created_ms bigint NOT NULL, disabled_ms bigint);
`
