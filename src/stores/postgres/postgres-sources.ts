import {
  type ParsedSources,
  parseCursors,
  parseSources,
  renderCursors,
  renderSources,
  type SourceRegistry,
} from '../../addons/import/decide/source-registry.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import type { MemoryBlobs } from './memory-blobs.ts'
import { announce } from './postgres-changes.ts'
import { lockProject } from './project-row.ts'
import type { Tenant } from './tenant.ts'

const FILE = LAYOUT.sources.path
const NOTHING: ParsedSources = { sources: [], others: [], problems: [], isDamaged: false }

export function postgresSources(tenant: Tenant, blobs: MemoryBlobs, nowMs: () => number): SourceRegistry {
  const cursorFile = (id: string) => `${LAYOUT.syncCursors.path}${id}.json`
  const read = async (): Promise<ParsedSources> => {
    const text = await blobs.readText(FILE)
    return text === undefined ? NOTHING : parseSources(text)
  }
  return {
    async list() {
      const { sources, problems } = await read()
      return { sources, problems }
    },

    edit: change =>
      tenant.transaction(async () => {
        await lockProject(tenant)
        const { sources, others, isDamaged } = await read()
        const after = change(sources)
        if (after === sources) return sources
        const before = isDamaged ? await blobs.read(FILE) : undefined
        if (before !== undefined) await blobs.write(`${FILE}.damaged-${nowMs()}`, before)
        await blobs.write(FILE, renderSources(after, others))
        await announce(tenant, ['config'])
        return after
      }),

    async cursors(id) {
      const text = await blobs.readText(cursorFile(id))
      return text === undefined ? {} : parseCursors(text)
    },

    keepCursors: (id, cursors) => blobs.write(cursorFile(id), renderCursors(cursors)),
    forgetCursors: id => blobs.remove(cursorFile(id)),
  }
}
