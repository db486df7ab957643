import type { Category } from '../../kernel/model/category.ts'
import { foldTitle, type LinkLookup, linkTitleOf } from '../../kernel/text/links.ts'
import { headOf, storable } from '../sql/entry-fields.ts'
import { contentOfRow, type EntryRow } from './entry-row.ts'
import type { Tenant } from './tenant.ts'

/** Entries that begin alike: `Decision: we use …`. */
const MAX_COMPARED = 500

/** All that resolving these targets asks, fetched at once: one round trip each would be a hundred for a page of links. */
export async function lookUpTargets(tenant: Tenant, targets: readonly string[]): Promise<LinkLookup> {
  const ids = await tenant.query<{ id: string }>(
    'SELECT e.id FROM entry e WHERE e.project = $1 AND e.id = ANY ($2::text[])',
    targets.map(storable),
  )
  const files = await tenant.query<{ agent: string; category: Category }>(
    'SELECT DISTINCT e.agent, e.category FROM entry e WHERE e.project = $1',
  )
  const heads = [...new Set(targets.map(target => headOf(foldTitle(target))).filter(head => head !== ''))]
  const titled = await tenant.query<Pick<EntryRow, 'id' | 'content' | 'raw'>>(
    `SELECT f.id, f.content, f.raw FROM unnest($2::text[]) AS h(head) CROSS JOIN LATERAL (
       SELECT e.id, e.content, e.raw, t.key FROM title t JOIN entry e ON e.project = $1 AND e.key = t.key
       WHERE t.project = $1 AND t.head >= h.head AND t.head < h.head || U&'\\+10FFFF' ORDER BY t.key LIMIT ${MAX_COMPARED}) f`,
    heads,
  )
  const known = new Set(ids.map(({ id }) => id))
  const vaults = new Set(files.map(({ agent, category }) => `${agent}/${category}`))
  const titles = new Map(titled.map(row => [row.id, linkTitleOf(contentOfRow(row))]))
  const idsWhere = (isMeant: (title: string) => boolean) =>
    [...titles].filter(([, title]) => isMeant(title)).map(([id]) => id)
  return {
    hasEntry: id => known.has(id),
    hasVaultFile: (agent, category) => vaults.has(`${agent}/${category}`),
    idsByTitle: wanted => idsWhere(title => title === wanted),
    idsByTitlePrefix: prefix => idsWhere(title => title.startsWith(prefix)),
  }
}
