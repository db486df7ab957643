import type { SqlPool } from './sql-pool.ts'

/** The number of a project, which gets one when its name is new. */
export async function numberOfProject(pool: SqlPool, name: string, nowMs: number): Promise<number> {
  return pool.transaction(async connection => {
    await connection.query(
      `INSERT INTO directory (name, project, created_ms) SELECT $1, nextval('project_number'), $2
       WHERE NOT EXISTS (SELECT 1 FROM directory WHERE name = $1) ON CONFLICT (name) DO NOTHING`,
      [name, nowMs],
    )
    const [row] = await connection.query<{ project: number }>(
      'SELECT project FROM directory WHERE name = $1',
      [name],
    )
    if (row === undefined) throw new Error(`the directory has no ${name}`)
    await connection.query('INSERT INTO project (project) VALUES ($1) ON CONFLICT DO NOTHING', [row.project])
    return row.project
  })
}
