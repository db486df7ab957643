import type { MemoryTree, TreeItem } from '../../features/validate/decide/ports.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import type { MemoryBlobs } from './memory-blobs.ts'
import type { Tenant } from './tenant.ts'

const JOURNAL = LAYOUT.journal.path
const EVENTS = LAYOUT.events.path
/** Rows of a log that are read for its end. */
const MAX_LINES = 100_000

interface Sized {
  readonly path: string
  readonly bytes: number
}

/** The size of a memory in the database, under the names of files: a log is one line for each row, and entries are in `entries`. */
export function postgresTree(
  tenant: Tenant,
  blobs: MemoryBlobs,
): { items(): Promise<readonly TreeItem[]>; readEnd: MemoryTree['readEnd'] } {
  return {
    async items() {
      const rows = await tenant.query<Sized>(
        `SELECT 'entries/' || e.agent || '/' || e.category AS path, sum(octet_length(e.content))::bigint AS bytes
           FROM entry e WHERE e.project = $1 GROUP BY e.agent, e.category
         UNION ALL SELECT d.name, octet_length(d.body)::bigint FROM document d WHERE d.project = $1
         UNION ALL SELECT f.path, octet_length(f.body)::bigint FROM text_file f WHERE f.project = $1
         UNION ALL SELECT '${JOURNAL}', sum(octet_length(j.packed))::bigint FROM journal j WHERE j.project = $1 HAVING count(*) > 0
         UNION ALL SELECT '${EVENTS}', sum(octet_length(v.packed))::bigint FROM event v WHERE v.project = $1 HAVING count(*) > 0
         UNION ALL SELECT 'conversations/' || m.agent_name || '/' || m.session_name, sum(octet_length(m.packed))::bigint
           FROM message m WHERE m.project = $1 GROUP BY m.agent_name, m.session_name`,
      )
      return [...rows, ...(await blobs.list(''))].map(({ path, bytes }) => ({
        path: path.replace(/^\.memory\//, ''),
        kind: 'file' as const,
        size: bytes,
        mtimeMs: 0,
        inode: 0,
        isWorldWritable: false,
      }))
    },

    async readEnd(path, maxBytes) {
      const whole = path === EVENTS ? await events() : await blobs.read(path)
      if (whole === undefined) return undefined
      return { bytes: whole.subarray(-maxBytes), isWhole: whole.length <= maxBytes }
    },
  }

  async function events(): Promise<Uint8Array | undefined> {
    const rows = await tenant.query<{ packed: string }>(
      `SELECT v.packed FROM event v WHERE v.project = $1 ORDER BY v.place DESC, v.key DESC LIMIT ${MAX_LINES}`,
    )
    if (rows.length === 0) return undefined
    return new TextEncoder().encode(
      rows
        .reverse()
        .map(({ packed }) => `${packed}\n`)
        .join(''),
    )
  }
}
