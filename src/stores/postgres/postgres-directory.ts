import type { HubDirectory, KeptToken, NewToken } from '../../addons/hub/decide/hub-directory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import {
  EVERY_PROJECT,
  type Grant,
  type HubProject,
  type HubToken,
  type KnownPrincipal,
  type PrincipalKind,
  type TokenScope,
} from '../../kernel/model/hub.ts'
import { explainPostgres } from './explain-postgres.ts'
import { auditIn } from './postgres-audit.ts'
import type { SqlConnection, SqlPool, TransactionEnd } from './sql-pool.ts'

/** The number of a project; a new name gets a new number. */
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

/** Deletes every row of a project in every table, and its name; its audit records stay. Returns how many entries it had. */
export async function removeProjectRows(connection: SqlConnection, project: number): Promise<number> {
  const [counted] = await connection.query<{ entries: number }>(
    'SELECT count(*)::int AS entries FROM entry WHERE project = $1',
    [project],
  )
  const tables = await connection.query<{ name: string }>(
    `SELECT quote_ident(c.relname) AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
       AND a.attname = 'project' AND NOT a.attisdropped`,
  )
  for (const { name } of tables) await connection.query(`DELETE FROM ${name} WHERE project = $1`, [project])
  await connection.query('DELETE FROM token_grant WHERE place = $1', [project])
  return counted?.entries ?? 0
}

interface ProjectRow {
  readonly name: string
  readonly project: number
  readonly created_ms: number
  readonly archived_ms: number | null
}

interface TokenRow {
  readonly id: string
  readonly principal: string
  readonly kind: PrincipalKind
  readonly digest: string
  readonly created_ms: number
  readonly expires_ms: number | null
  readonly revoked_ms: number | null
  readonly used_ms: number | null
  readonly per_second: number | null
  readonly disabled_ms: number | null
  /** `place:name:scope` lines; a deleted project has no name. */
  readonly grants: readonly {
    readonly place: number
    readonly name: string | null
    readonly scope: TokenScope
  }[]
}

const EVERYWHERE = 0
const UNIQUE_VIOLATION = '23505'
/** An arbitrary number that is the same on every server. */
const FIRST_TOKEN_LOCK = 7_241_962

const TOKENS = `
  SELECT t.id, t.principal, p.kind, t.digest, t.created_ms, t.expires_ms, t.revoked_ms, t.used_ms, t.per_second, p.disabled_ms,
    coalesce((
      SELECT json_agg(json_build_object('place', g.place, 'name', d.name, 'scope', g.scope) ORDER BY d.name)
      FROM token_grant g LEFT JOIN directory d ON d.project = g.place WHERE g.token = t.id
    ), '[]') AS grants
  FROM token t JOIN principal p ON p.name = t.principal`
const PROJECT = 'SELECT name, project, created_ms, archived_ms FROM directory'

/** The tables of a hub that belong to no project. Nothing is cached here: a change takes effect at the next query, on every server. */
export function postgresDirectory(pool: SqlPool): HubDirectory {
  const asking = async <T>(
    work: (connection: SqlConnection) => Promise<T>,
    end?: TransactionEnd,
  ): Promise<T> => {
    try {
      return await pool.transaction(work, end)
    } catch (error) {
      throw explainPostgres(error)
    }
  }
  const oneProject = async (connection: SqlConnection, name: string): Promise<HubProject> => {
    const [row] = await connection.query<ProjectRow>(`${PROJECT} WHERE name = $1 FOR UPDATE`, [name])
    if (row === undefined) throw noProject(name)
    return projectOf(row)
  }
  const oneToken = async (connection: SqlConnection, id: string): Promise<HubToken> => {
    const [row] = await connection.query<TokenRow>(`${TOKENS} WHERE t.id = $1`, [id])
    if (row === undefined) throw noToken()
    return listed(tokenOf(row))
  }
  return {
    standing: (token, project) =>
      asking(async connection => {
        const [row] = await connection.query<{ token: TokenRow | null; project: ProjectRow | null }>(
          `SELECT (SELECT row_to_json(k) FROM (${TOKENS} WHERE t.id = $1) k) AS token,
                  (SELECT row_to_json(d) FROM (${PROJECT} WHERE name = $2) d) AS project`,
          [token, project ?? ''],
        )
        return {
          token: row?.token ? tokenOf(row.token) : undefined,
          project: row?.project ? projectOf(row.project) : undefined,
        }
      }, 'sent along'),
    tokensById: ids =>
      asking(async connection => {
        const rows = await connection.query<TokenRow>(`${TOKENS} WHERE t.id = ANY($1)`, [ids])
        return new Map(rows.map(row => [row.id, tokenOf(row)]))
      }),

    projects: () =>
      asking(async connection =>
        (await connection.query<ProjectRow>(`${PROJECT} ORDER BY name`)).map(projectOf),
      ),
    findProject: name =>
      asking(async connection => {
        const [row] = await connection.query<ProjectRow>(`${PROJECT} WHERE name = $1`, [name])
        return row && projectOf(row)
      }),
    addProject: (name, nowMs) =>
      asking(async connection => {
        const [row] = await connection.query<ProjectRow>(
          `INSERT INTO directory (name, project, created_ms) VALUES ($1, nextval('project_number'), $2)
           ON CONFLICT (name) DO NOTHING RETURNING name, project, created_ms, archived_ms`,
          [name, nowMs],
        )
        if (row === undefined) throw projectExists(name)
        await connection.query('INSERT INTO project (project) VALUES ($1) ON CONFLICT DO NOTHING', [
          row.project,
        ])
        return projectOf(row)
      }),
    renameProject: (name, to) =>
      asking(async connection => {
        await oneProject(connection, name)
        const [row] = await orTaken(
          connection.query<ProjectRow>(
            'UPDATE directory SET name = $2 WHERE name = $1 RETURNING name, project, created_ms, archived_ms',
            [name, to],
          ),
          to,
        )
        if (row === undefined) throw noProject(name)
        return projectOf(row)
      }),
    setArchived: (name, archivedMs) =>
      asking(async connection => {
        const [row] = await connection.query<ProjectRow>(
          'UPDATE directory SET archived_ms = $2 WHERE name = $1 RETURNING name, project, created_ms, archived_ms',
          [name, archivedMs ?? null],
        )
        if (row === undefined) throw noProject(name)
        return projectOf(row)
      }),
    removeProject: name =>
      asking(async connection => {
        const { number } = await oneProject(connection, name)
        return removeProjectRows(connection, number)
      }),

    principals: () =>
      asking(async connection =>
        (await connection.query<PrincipalRow>(`${PRINCIPAL} ORDER BY name`)).map(principalOf),
      ),
    setDisabled: (name, disabledMs) =>
      asking(async connection => {
        const [row] = await connection.query<PrincipalRow>(
          'UPDATE principal SET disabled_ms = $2 WHERE name = $1 RETURNING name, kind, created_ms, disabled_ms',
          [name, disabledMs ?? null],
        )
        if (row === undefined) throw noPrincipal(name)
        return principalOf(row)
      }),

    tokens: () =>
      asking(async connection =>
        (await connection.query<TokenRow>(`${TOKENS} ORDER BY t.created_ms, t.id`)).map(row =>
          listed(tokenOf(row)),
        ),
      ),
    addToken: token =>
      asking(async connection => {
        await keepToken(connection, token)
        return oneToken(connection, token.id)
      }),
    addFirstToken: token =>
      asking(async connection => {
        await connection.run(`SELECT pg_advisory_xact_lock(${FIRST_TOKEN_LOCK})`)
        if ((await connection.query('SELECT 1 FROM token LIMIT 1')).length > 0) return undefined
        await keepToken(connection, token)
        return oneToken(connection, token.id)
      }),
    revokeToken: (id, nowMs) =>
      asking(async connection => {
        await connection.query('UPDATE token SET revoked_ms = coalesce(revoked_ms, $2) WHERE id = $1', [
          id,
          nowMs,
        ])
        return oneToken(connection, id)
      }),
    setGrants: (id, grants) =>
      asking(async connection => {
        await oneToken(connection, id)
        await connection.query('DELETE FROM token_grant WHERE token = $1', [id])
        await keepGrants(connection, id, grants)
        return oneToken(connection, id)
      }),
    noteUse: usedMsById =>
      asking(async connection => {
        await connection.query(
          `UPDATE token t SET used_ms = greatest(t.used_ms, u.at)
           FROM unnest($1::text[], $2::bigint[]) AS u(id, at) WHERE t.id = u.id`,
          [[...usedMsById.keys()], [...usedMsById.values()]],
        )
      }),
    ...auditIn(asking),
  }
}

interface PrincipalRow {
  readonly name: string
  readonly kind: PrincipalKind
  readonly created_ms: number
  readonly disabled_ms: number | null
}
const PRINCIPAL = 'SELECT name, kind, created_ms, disabled_ms FROM principal'

function principalOf({ name, kind, created_ms, disabled_ms }: PrincipalRow): KnownPrincipal {
  return { name, kind, createdMs: created_ms, ...(disabled_ms !== null && { disabledMs: disabled_ms }) }
}

async function keepToken(connection: SqlConnection, token: NewToken): Promise<void> {
  const { name, kind } = token.principal
  await connection.query(
    'INSERT INTO principal (name, kind, created_ms) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING',
    [name, kind, token.createdMs],
  )
  await connection.query(
    `INSERT INTO token (id, principal, digest, created_ms, expires_ms, per_second) VALUES ($1, $2, $3, $4, $5, $6)`,
    [token.id, name, token.digest, token.createdMs, token.expiresMs ?? null, token.perSecond ?? null],
  )
  await keepGrants(connection, token.id, token.grants)
}

async function keepGrants(connection: SqlConnection, id: string, grants: readonly Grant[]): Promise<void> {
  for (const { project, scope } of grants) {
    const place = project === EVERY_PROJECT ? EVERYWHERE : await placeOf(connection, project)
    await connection.query(
      `INSERT INTO token_grant (token, place, scope) VALUES ($1, $2, $3)
       ON CONFLICT (token, place) DO UPDATE SET scope = excluded.scope`,
      [id, place, scope],
    )
  }
}

async function placeOf(connection: SqlConnection, name: string): Promise<number> {
  const [row] = await connection.query<ProjectRow>(`${PROJECT} WHERE name = $1`, [name])
  if (row === undefined) throw noProject(name)
  return row.project
}

function projectOf({ name, project, created_ms, archived_ms }: ProjectRow): HubProject {
  return {
    name,
    number: project,
    createdMs: created_ms,
    ...(archived_ms !== null && { archivedMs: archived_ms }),
  }
}

function tokenOf(row: TokenRow): KeptToken {
  return {
    id: row.id,
    principal: row.principal,
    kind: row.kind,
    digest: row.digest,
    isDisabled: row.disabled_ms !== null,
    createdMs: row.created_ms,
    ...(row.expires_ms !== null && { expiresMs: row.expires_ms }),
    ...(row.revoked_ms !== null && { revokedMs: row.revoked_ms }),
    ...(row.used_ms !== null && { usedMs: row.used_ms }),
    ...(row.per_second !== null && { perSecond: row.per_second }),
    grants: row.grants.flatMap(({ place, name, scope }) => {
      if (place === EVERYWHERE) return [{ project: EVERY_PROJECT, scope }]
      return name === null ? [] : [{ project: name, scope }]
    }),
  }
}

function listed({ digest: _, isDisabled: __, ...token }: KeptToken): HubToken {
  return token
}

async function orTaken<T>(asked: Promise<T>, name: string): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (String((error as { code?: unknown }).code) === UNIQUE_VIOLATION) throw projectExists(name)
    throw error
  }
}

function noProject(name: string): CairnError {
  return new CairnError({
    code: 'project_not_found',
    message: `There is no project "${name.slice(0, 100)}" on this hub.`,
    hint: '`cairn hub projects` lists them.',
  })
}

function projectExists(name: string): CairnError {
  return new CairnError({
    code: 'project_exists',
    message: `There is a project "${name.slice(0, 100)}" on this hub already.`,
    hint: 'Choose another name. `cairn hub projects` lists all, including archived ones.',
  })
}

function noPrincipal(name: string): CairnError {
  return new CairnError({
    code: 'principal_not_found',
    message: `There is no principal "${name.slice(0, 100)}".`,
    hint: '`cairn hub principals` lists the users and agents.',
  })
}

function noToken(): CairnError {
  return new CairnError({
    code: 'token_not_found',
    message: 'There is no token with this id on this hub.',
    hint: '`cairn hub tokens` lists the ids.',
  })
}
