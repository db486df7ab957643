/** Tasks that an orchestrator and its workers share. */
export const WORK_TABLES = `
CREATE TABLE task (project int NOT NULL, id text COLLATE "C" NOT NULL, packed text NOT NULL, PRIMARY KEY (project, id));
`
