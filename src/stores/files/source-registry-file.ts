import * as path from 'node:path'
import {
  type ParsedSources,
  parseCursors,
  parseSources,
  renderCursors,
  renderSources,
  type SourceRegistry,
} from '../../addons/import/decide/source-registry.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { asStorageError, type Disk } from '../../kernel/system/disk.ts'
import { type MemoryPaths, placeIn } from '../../kernel/system/paths.ts'
import { replaceFile, safePaths } from './safe-path.ts'

/** A registry of a thousand sources is far smaller: a larger file is not one. */
const MAX_BYTES = 4 * 1024 * 1024
const NOTHING: ParsedSources = { sources: [], others: [], problems: [], isDamaged: false }

/** `sources.json`, and `.vault/sync/<id>.json` with how far each source is imported. */
export function sourceRegistryFile({
  paths,
  disk,
  clock,
  exclusively,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  /** Runs under the lock of this memory. */
  readonly exclusively: <T>(work: () => T | Promise<T>) => Promise<T>
}): SourceRegistry {
  const file = `${paths.memory}/sources.json`
  const safe = safePaths(paths, disk)
  const cursorFile = (id: string) =>
    safe.check(path.join(placeIn(paths.memory, LAYOUT.syncCursors), `${id}.json`))

  const read = (): ParsedSources => {
    safe.check(file)
    const { size } = disk.stamp(file) ?? { size: 0 }
    if (size > MAX_BYTES) return parseSources('')
    const bytes = disk.readFile(file)
    return bytes === undefined ? NOTHING : parseSources(new TextDecoder().decode(bytes))
  }
  const storing = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (error instanceof CairnError) throw error
      throw asStorageError(error, '.memory/sources.json')
    }
  }

  return {
    async list() {
      const { sources, problems } = read()
      return { sources, problems }
    },
    edit: change =>
      exclusively(() =>
        storing(() => {
          const { sources, others, isDamaged } = read()
          const after = change(sources)
          if (after === sources) return sources
          if (isDamaged) disk.rename(file, `${file}.damaged-${clock.nowMs()}`)
          replaceFile(disk, file, renderSources(after, others), clock.random(1e9))
          return after
        }),
      ),
    async cursors(id) {
      const bytes = disk.readFile(cursorFile(id))
      return bytes === undefined ? {} : parseCursors(new TextDecoder().decode(bytes))
    },
    keepCursors: (id, cursors) =>
      exclusively(() =>
        storing(() => replaceFile(disk, cursorFile(id), renderCursors(cursors), clock.random(1e9))),
      ),
    async forgetCursors(id) {
      storing(() => disk.remove(cursorFile(id)))
    },
  }
}
