import { contentHash } from '../../kernel/system/content-hash.ts'
import type { Tenant } from './tenant.ts'

export interface BlobFacts {
  /** Relative to `.memory/`, as the file would be named. */
  readonly path: string
  readonly bytes: number
  /** Changes with the content. */
  readonly stamp: string
  readonly writtenMs: number
}

/**
 * Documents that are read and written whole: the state, its checkpoints, session memories, the archive, the log of upkeep. They have the
 * names of the files in a repository, so that archives, backups and messages name both alike.
 */
export class MemoryBlobs {
  readonly #tenant: Tenant
  readonly #nowMs: () => number

  constructor(tenant: Tenant, nowMs: () => number) {
    this.#tenant = tenant
    this.#nowMs = nowMs
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    const row = await this.#tenant.one<{ body: Uint8Array }>(
      'SELECT f.body FROM memory_file f WHERE f.project = $1 AND f.path = $2',
      path,
    )
    return row && Uint8Array.from(row.body)
  }

  async readText(path: string): Promise<string | undefined> {
    const bytes = await this.read(path)
    return bytes && new TextDecoder().decode(bytes)
  }

  async facts(path: string): Promise<BlobFacts | undefined> {
    return this.#tenant.one<BlobFacts>(
      `SELECT f.path, octet_length(f.body) AS bytes, f.stamp, f.written_ms AS "writtenMs" FROM memory_file f
       WHERE f.project = $1 AND f.path = $2`,
      path,
    )
  }

  /** Of a folder, which ends with `/`, including subfolders; by path. */
  async list(folder: string): Promise<readonly BlobFacts[]> {
    return this.#tenant.query<BlobFacts>(
      `SELECT f.path, octet_length(f.body) AS bytes, f.stamp, f.written_ms AS "writtenMs" FROM memory_file f
       WHERE f.project = $1 AND f.path >= $2 AND f.path < $3 ORDER BY f.path`,
      folder,
      folder === '' ? '\u{10ffff}' : `${folder.slice(0, -1)}0`,
    )
  }

  async write(path: string, body: Uint8Array | string): Promise<void> {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    await this.#tenant.query(
      `INSERT INTO memory_file (project, path, body, stamp, written_ms) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (project, path) DO UPDATE SET body = excluded.body, stamp = excluded.stamp, written_ms = excluded.written_ms`,
      path,
      Buffer.from(bytes),
      contentHash(bytes),
      this.#nowMs(),
    )
  }

  /** False: the name is taken. */
  async add(path: string, body: string): Promise<boolean> {
    const bytes = new TextEncoder().encode(body)
    const rows = await this.#tenant.query(
      `INSERT INTO memory_file (project, path, body, stamp, written_ms) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (project, path) DO NOTHING RETURNING 1`,
      path,
      Buffer.from(bytes),
      contentHash(bytes),
      this.#nowMs(),
    )
    return rows.length > 0
  }

  async remove(path: string): Promise<void> {
    await this.#tenant.query('DELETE FROM memory_file f WHERE f.project = $1 AND f.path = $2', path)
  }

  async removeFolder(folder: string): Promise<void> {
    await this.#tenant.query(
      'DELETE FROM memory_file f WHERE f.project = $1 AND f.path >= $2 AND f.path < $3',
      folder,
      `${folder.slice(0, -1)}0`,
    )
  }
}

/** Texts of the project that are stored with its memory, such as `.memory/_project.md`. */
export function postgresTexts(tenant: Tenant): { read(path: string): Promise<string | undefined> } {
  return { read: path => readText(tenant, path) }
}

export async function readText(tenant: Tenant, path: string): Promise<string | undefined> {
  const row = await tenant.one<{ body: string }>(
    'SELECT f.body FROM text_file f WHERE f.project = $1 AND f.path = $2',
    path,
  )
  return row?.body
}
