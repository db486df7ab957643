import type { BackupLine } from './backup-line.ts'

/**
 * Which line may follow which:
 *
 *   head (file piece* fileEnd | gone)* end                  of a memory
 *   head (project (table rows* tableEnd)*)* (hub (table rows* tableEnd)*)? end      of a hub
 */
export interface LineOrder {
  /** Why a line may not stand here; undefined: it may. */
  wrong(line: BackupLine): string | undefined
}

const WITHIN: Readonly<Record<string, string>> = {
  piece: 'file',
  fileEnd: 'file',
  rows: 'table',
  tableEnd: 'table',
}
const OF: Readonly<Record<string, string>> = {
  file: 'memory',
  gone: 'memory',
  project: 'hub',
  hub: 'hub',
  table: 'hub',
}

export function lineOrder(): LineOrder {
  let of: string | undefined
  let open: 'file' | 'table' | undefined
  let part: 'project' | 'hub' | undefined
  return {
    wrong(line) {
      if (of === undefined) {
        if (line.is !== 'head') return 'it does not begin with a head'
        of = line.of
        return undefined
      }
      if (line.is === 'head') return 'it has two heads'
      const within = WITHIN[line.is]
      if (within !== open) return `${line.is} stands in the wrong place`
      const belongs = OF[line.is]
      if (belongs !== undefined && belongs !== of) return `a backup of a ${of} has no ${line.is}`
      if (line.is === 'table' && part === undefined) return 'a table belongs to nothing'
      if (line.is === 'project' || line.is === 'hub') {
        if (part === 'hub') return 'what belongs to no project comes last'
        part = line.is
      }
      if (line.is === 'file' || line.is === 'table') open = line.is
      if (line.is === 'fileEnd' || line.is === 'tableEnd') open = undefined
      return undefined
    },
  }
}
