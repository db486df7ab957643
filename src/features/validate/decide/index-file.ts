import { counted, inMemory, type ValidationFinding } from './finding.ts'
import type { IndexedStamp, IndexGlance } from './memory-tree.ts'

const PATH = '.vault/index.db'
type Glance = Awaited<ReturnType<IndexGlance['glance']>>

/** The index is a cache: nothing is lost with it, and it may well be behind. */
export function judgeIndex(glance: Glance, files: readonly IndexedStamp[]): ValidationFinding[] {
  const path = inMemory(PATH)
  if (glance.kind === 'damaged')
    return [
      {
        code: 'index_damaged',
        severity: 'warning',
        path,
        message: `the index cannot be used: ${glance.why}`,
        fix: '`cairn validate --fix` makes it again from the vault; nothing is lost.',
        mend: { kind: 'rebuild_index' },
      },
    ]
  if (glance.kind === 'newer')
    return [
      {
        code: 'index_newer',
        severity: 'warning',
        path,
        message: 'a newer Cairn has written this index, so this one reads the vault with every call',
        fix: 'Update Cairn.',
      },
    ]
  if (glance.kind !== 'read') return []
  const known = new Map(glance.files.map(file => [file.path, file]))
  const changed = files.filter(file => {
    const indexed = known.get(file.path)
    return indexed === undefined || indexed.size !== file.size || indexed.mtimeMs !== file.mtimeMs
  })
  const gone = glance.files.length - (files.length - changed.filter(file => !known.has(file.path)).length)
  if (changed.length === 0 && gone <= 0) return []
  return [
    {
      code: 'index_behind',
      severity: 'note',
      path,
      message: `${counted(changed.length + Math.max(0, gone), 'vault file')} changed since the index was last read`,
      fix: 'Nothing has to be done: the next search takes the changes in.',
    },
  ]
}
