import { randomUUID } from 'node:crypto'
import type { Incoming } from '../../addons/link/decide/plan-incoming.ts'
import type { HubFeed } from '../../addons/link/decide/ports.ts'
import { type PushAnswer, SYNC_PROTOCOL, type VersionQuestion } from '../../addons/link/decide/protocol.ts'
import { type Print, printOfEntry } from '../../addons/link/decide/shared-entry.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { JournalRecord } from '../../kernel/model/journal.ts'
import { PRIVATE_VAULT } from '../../kernel/model/vault-layout.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-row.ts'
import type { Tenant } from './tenant.ts'

/** Revisions for which pushes are remembered: an interrupted sync resumes long before. */
const REMEMBERED_REVISIONS = 20_000
/** A record of the journal may contain thousands of entries: batch size for reading. */
const RECORDS_AT_ONCE = 20

/** The feed of a project: its entries and removals in the order of their revisions, which are assigned under the lock of the project. */
export function postgresFeed({
  tenant,
  clock,
  print,
}: {
  readonly tenant: Tenant
  readonly clock: Clock
  readonly print: Print
}): HubFeed {
  const revisionNow = async () => {
    const row = await tenant.one<{ revision: number }>(
      'SELECT p.revision FROM project p WHERE p.project = $1',
    )
    return row?.revision ?? 0
  }

  async function identity(): Promise<string> {
    const find = () =>
      tenant.one<{ identity: string }>('SELECT s.identity FROM sync_identity s WHERE s.project = $1')
    const known = await find()
    if (known !== undefined) return known.identity
    await tenant.query(
      'INSERT INTO sync_identity (project, identity) VALUES ($1, $2) ON CONFLICT (project) DO NOTHING',
      randomUUID(),
    )
    const made = await find()
    if (made === undefined) throw new Error(`project ${tenant.project} has no identity`)
    return made.identity
  }

  return {
    hello: () =>
      tenant.transaction(async () => ({
        protocol: SYNC_PROTOCOL,
        identity: await identity(),
        revision: await revisionNow(),
        nowMs: clock.nowMs(),
      })),

    changesAfter: ({ revision: from, id }, limit) =>
      tenant.transaction(async () => {
        // Read first: a write between the two queries has a greater revision, and comes with the next page.
        const revision = await revisionNow()
        const place = [from, id ?? null, revision, limit]
        const isAfter = (row: string) =>
          `(${row}.revision > $2 OR ($3::text IS NOT NULL AND ${row}.revision = $2 AND ${row}.id > $3))`
        const entries = await tenant.query<EntryRow & { revision: number }>(
          `SELECT ${ENTRY_COLUMNS}, e.revision FROM entry e
           WHERE e.project = $1 AND e.revision >= $2 AND ${isAfter('e')} AND e.revision <= $4 AND e.agent <> '${PRIVATE_VAULT}'
           ORDER BY e.revision, e.id LIMIT $5`,
          ...place,
        )
        const removed = await tenant.query<{ id: string; revision: number }>(
          `SELECT r.id, r.revision FROM removed r
           WHERE r.project = $1 AND r.revision >= $2 AND ${isAfter('r')} AND r.revision <= $4 ORDER BY r.revision, r.id LIMIT $5`,
          ...place,
        )
        const changes: Incoming[] = [
          ...entries.map(row => ({ id: row.id, entry: entryOfRow(row), revision: row.revision })),
          ...removed.map(row => ({ id: row.id, entry: null, revision: row.revision })),
        ]
        changes.sort((a, b) => a.revision - b.revision || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
        return { revision, changes: changes.slice(0, limit) }
      }),

    versions: questions => tenant.transaction(() => findVersions(tenant, questions, print)),

    async answered(push) {
      const row = await tenant.one<{ answer: string | null }>(
        'SELECT s.answer FROM sync_push s WHERE s.project = $1 AND s.id = $2',
        push,
      )
      if (row === undefined) return undefined
      return row.answer === null ? 'given up' : (JSON.parse(row.answer) as PushAnswer)
    },

    async keepAnswer(push, answer) {
      const revision = await revisionNow()
      await tenant.query(
        'INSERT INTO sync_push (project, id, revision, answer) VALUES ($1, $2, $3, $4)',
        push,
        revision,
        answer === 'given up' ? null : JSON.stringify(answer),
      )
      await tenant.query(
        'DELETE FROM sync_push s WHERE s.project = $1 AND s.revision < $2',
        revision - REMEMBERED_REVISIONS,
      )
    },

    revision: revisionNow,
  }
}

/** The journal has every version that an entry had here, and fingerprints of the versions in between that a clone reported. */
async function findVersions(
  tenant: Tenant,
  questions: readonly VersionQuestion[],
  print: Print,
): Promise<readonly boolean[]> {
  const rows = await tenant.query<{ subject: string; number: number }>(
    `SELECT s.subject, s.number FROM journal_subject s WHERE s.project = $1 AND s.subject = ANY ($2::text[]) AND s.number > $3`,
    questions.map(({ id }) => id),
    Math.min(...questions.map(({ after }) => after)),
  )
  const asked = new Set(rows.map(({ subject }) => subject))
  const numbers = [...new Set(rows.map(({ number }) => number))].sort((a, b) => b - a)
  const revisionsByVersion = new Map<string, number>()
  for (let start = 0; start < numbers.length; start += RECORDS_AT_ONCE) {
    const records = await tenant.query<{ number: number; packed: string }>(
      'SELECT j.number, j.packed FROM journal j WHERE j.project = $1 AND j.number = ANY ($2::bigint[])',
      numbers.slice(start, start + RECORDS_AT_ONCE),
    )
    for (const { number, packed } of records)
      for (const change of (JSON.parse(packed) as JournalRecord).changes) {
        if (change.type !== 'entry') continue
        const id = (change.after ?? change.before)?.id ?? ''
        if (!asked.has(id)) continue
        for (const version of [printOr(change.after, print), ...(change.formerly ?? [])]) {
          const key = versionKey(id, version)
          revisionsByVersion.set(key, Math.max(number, revisionsByVersion.get(key) ?? 0))
        }
      }
  }
  return questions.map(
    question => (revisionsByVersion.get(versionKey(question.id, question.print)) ?? -1) > question.after,
  )
}

function versionKey(id: string, print: string | null): string {
  return `${print ?? ''} ${id}`
}

function printOr(entry: Entry | null, print: Print): string | null {
  return entry === null ? null : printOfEntry(entry, print)
}
