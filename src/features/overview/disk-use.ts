import type { Memory } from '../../kernel/memory.ts'
import type { ValidatePorts } from '../validate/decide/ports.ts'

/** Nobody's disk fills in less; listing a large memory takes a moment. */
const KNOWN_FOR_MS = 10_000

export interface FolderUse {
  /** Directly in `.memory/`; `.` for the files that lie there themselves. */
  readonly folder: string
  readonly bytes: number
  readonly files: number
}

const knownByTree = new WeakMap<object, { readonly atMs: number; readonly use: readonly FolderUse[] }>()

/** What the memory takes on the disk, the largest first. */
export async function readDiskUse(memory: Memory & ValidatePorts): Promise<readonly FolderUse[]> {
  const nowMs = memory.clock.nowMs()
  const known = knownByTree.get(memory.store)
  if (known !== undefined && nowMs - known.atMs < KNOWN_FOR_MS && nowMs >= known.atMs) return known.use
  const tree = await memory.memoryTree.open()
  const byFolder = new Map<string, FolderUse>()
  for (const { path, kind, size } of tree?.items ?? []) {
    if (kind !== 'file') continue
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '.'
    const own = byFolder.get(folder) ?? { folder, bytes: 0, files: 0 }
    byFolder.set(folder, { folder, bytes: own.bytes + size, files: own.files + 1 })
  }
  const use = [...byFolder.values()].sort((a, b) => b.bytes - a.bytes || (a.folder < b.folder ? -1 : 1))
  knownByTree.set(memory.store, { atMs: nowMs, use })
  return use
}
