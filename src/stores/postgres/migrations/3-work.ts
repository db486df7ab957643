/** Tasks that an orchestrator and its workers share. `packed` is the task; the columns are what it is found by. */
export const WORK_TABLES = `
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
