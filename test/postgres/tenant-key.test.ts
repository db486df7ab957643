import { describe, expect, it } from 'vitest'
import { faultsOf } from '../support/tenant-key.ts'

const tables = {
  distributed: new Set(['entry', 'link', 'posting', 'project', 'title', 'removed', 'task']),
  reference: new Set(['directory', 'principal']),
}
const faults = (sql: string) => faultsOf(sql, tables)

describe('a statement that names the project for every table', () => {
  it.each([
    'SELECT e.id FROM entry e WHERE e.project = $1 AND e.id = $2',
    'SELECT id FROM entry WHERE project = $1',
    'SELECT e.id FROM entry AS e JOIN link l ON l.project = $1 AND l.key = e.key WHERE e.project = $1 ORDER BY e.id LIMIT $2 OFFSET $3',
    'SELECT e.id FROM link l LEFT JOIN entry e ON e.key = l.key AND e.project = $1 WHERE l.project = $1 AND (l.a = $2 OR l.b = $3)',
    'SELECT p.revision FROM project p WHERE p.project = $1 FOR UPDATE',
    'SELECT d.name FROM directory d WHERE d.project = $1',
    'SELECT d.name, count(*) FROM directory d JOIN entry e ON e.project = $1 WHERE d.name = $2 GROUP BY d.name',
    'SELECT $1::int IS NOT NULL AS is_there',
    "SELECT pg_notify('cairn', $1::text)",
    `WITH asked AS (SELECT a.token FROM unnest($2::int[]) AS a(token)),
       hit AS (SELECT p.key FROM asked a JOIN posting p ON p.project = $1 AND p.token = a.token)
     SELECT h.key FROM hit h JOIN entry e ON e.project = $1 AND e.key = h.key`,
    `SELECT e.id FROM (SELECT l.key FROM link l WHERE l.project = $1 UNION ALL SELECT t.key FROM title t WHERE t.project = $1) c
     JOIN entry e ON e.project = $1 AND e.key = c.key WHERE true AND e.kind = $2`,
    `SELECT f.id FROM unnest($2::text[]) AS h(head) CROSS JOIN LATERAL (
       SELECT e.id FROM title t JOIN entry e ON e.project = $1 AND e.key = t.key WHERE t.project = $1 AND t.head >= h.head LIMIT 5) f`,
    'SELECT (SELECT count(*)::int FROM entry e WHERE e.project = $1) AS entries',
    'SELECT coalesce((SELECT max(e.key) FROM entry e WHERE e.project = $1), 0) AS last',
    'UPDATE project p SET revision = $2, next_key = p.next_key + 1 WHERE p.project = $1',
    'UPDATE task t SET state = $2 FROM entry e WHERE t.project = $1 AND e.project = $1 AND e.id = t.id RETURNING t.id',
    'DELETE FROM posting p USING unnest($2::int[]) AS r(key) WHERE p.project = $1 AND p.key = r.key',
    'DELETE FROM removed r WHERE r.project = $1 AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.project = $1 AND e.id = r.id)',
    'INSERT INTO removed (project, id) VALUES ($1, $2), ($1, $3)',
    'INSERT INTO entry AS e (project, key) VALUES ($1, $2) ON CONFLICT (project, key) DO UPDATE SET kind = excluded.kind',
    'INSERT INTO link (project, key) SELECT $1, r.key FROM unnest($2::int[]) AS r(key) ON CONFLICT DO NOTHING',
    'INSERT INTO link (project, key) SELECT $1::int, e.key FROM entry e WHERE e.project = $1 ON CONFLICT (project, key) DO NOTHING',
    'INSERT INTO link (project, key) SELECT DISTINCT ON (e.key) $1, e.key FROM entry e WHERE e.project = $1 ON CONFLICT DO NOTHING',
    'INSERT INTO directory (name) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM directory WHERE name = $1) ON CONFLICT (name) DO NOTHING',
    `WITH next AS (SELECT t.id FROM task t WHERE t.project = $1 ORDER BY t.id FOR UPDATE SKIP LOCKED LIMIT 1)
     UPDATE task t SET state = 'x' FROM next n WHERE t.project = $1 AND t.id = n.id RETURNING t.id`,
    "SELECT e.id FROM entry e WHERE e.project = $1 AND e.tags LIKE '% or x.project %'",
  ])('is well: %s', sql => {
    expect(faults(sql)).toEqual([])
  })
})

describe('a statement that does not', () => {
  it.each([
    ['SELECT e.id FROM entry e WHERE e.id = $2', 'entry e is not narrowed by project = $1'],
    ['SELECT id FROM entry', 'entry is not narrowed by project = $1'],
    ['SELECT e.id FROM entry e WHERE e.project = $2', 'entry e is not narrowed by project = $1'],
    ['SELECT e.id FROM entry e WHERE e.project = ANY ($1)', 'entry e is not narrowed by project = $1'],
    ['SELECT e.id FROM entry e WHERE e.project = $1 OR e.id = $2', 'entry e is not narrowed by project = $1'],
    ['SELECT e.id FROM entry e WHERE (e.project = $1 OR true)', 'entry e is not narrowed by project = $1'],
    ['SELECT e.id FROM entry e WHERE NOT e.project = $1', 'entry e is not narrowed by project = $1'],
    ['SELECT e.id FROM entry e WHERE e.project = $1 + 1', 'entry e is not narrowed by project = $1'],
    [
      'SELECT e.id FROM entry e JOIN link l ON l.project = e.project AND l.key = e.key WHERE e.project = $1',
      'link l is not narrowed by project = $1',
    ],
    ['SELECT e.id FROM entry e, link l WHERE e.project = $1', 'link l is not narrowed by project = $1'],
    [
      'SELECT e.id FROM entry e JOIN link l USING (project, key) WHERE e.project = $1',
      'link l is not narrowed by project = $1',
    ],
    [
      'SELECT e.id FROM entry e WHERE e.project = $1 AND EXISTS (SELECT 1 FROM link l WHERE l.key = e.key)',
      'link l is not narrowed by project = $1',
    ],
    [
      'WITH all_of AS (SELECT e.id FROM entry e) SELECT a.id FROM all_of a',
      'entry e is not narrowed by project = $1',
    ],
    [
      'SELECT l.key FROM link l WHERE l.project = $1 UNION SELECT t.key FROM title t',
      'title t is not narrowed by project = $1',
    ],
    ['UPDATE entry e SET kind = $2 WHERE e.id = $3', 'entry e is not narrowed by project = $1'],
    ['UPDATE entry e SET project = $2 WHERE e.project = $1', 'an UPDATE moves rows to another project'],
    ['DELETE FROM entry', 'entry is not narrowed by project = $1'],
    [
      'DELETE FROM entry e USING link l WHERE e.project = $1 AND l.key = e.key',
      'link l is not narrowed by project = $1',
    ],
    ['INSERT INTO removed (id) VALUES ($2)', 'an INSERT into removed names no project'],
    ['INSERT INTO removed VALUES ($1, $2)', 'an INSERT into removed names no project'],
    [
      'INSERT INTO removed (project, id) VALUES ($1, $2), ($3, $4)',
      'an INSERT into removed puts something else than $1 into project',
    ],
    [
      'INSERT INTO removed (id, project) SELECT $1, r.project FROM unnest($2::int[]) AS r(project) ON CONFLICT DO NOTHING',
      'an INSERT into removed puts something else than $1 into project',
    ],
    [
      'INSERT INTO removed (project, id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      'an INSERT into removed meets conflicts of other projects',
    ],
    [
      'INSERT INTO link (project, key) SELECT $1, r.key FROM unnest($2::int[]) AS r(key)',
      'an INSERT … SELECT into link has neither ON CONFLICT nor RETURNING',
    ],
    [
      'INSERT INTO link (project, key) SELECT $1, e.key FROM entry e ON CONFLICT DO NOTHING',
      'entry e is not narrowed by project = $1',
    ],
    [
      'SELECT coalesce((SELECT max(e.key) FROM entry e), 0) AS last',
      'entry e is not narrowed by project = $1',
    ],
    ['SELECT x.id FROM elsewhere x', 'elsewhere is a table nobody knows'],
    ['SELECT $1; DELETE FROM entry', 'entry is not narrowed by project = $1'],
    ['TRUNCATE entry', 'a statement that begins with truncate'],
    [
      'SELECT (SELECT max(e.key) FROM entry e) FROM project p WHERE p.project = $1',
      'entry e is not narrowed by project = $1',
    ],
  ])('is found: %s', (sql, fault) => {
    expect(faults(sql)).toEqual([fault])
  })
})
