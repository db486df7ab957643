import type { DocumentReference } from '../../kernel/model/document-reference.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Freshness } from '../../kernel/model/freshness.ts'
import type { Marks } from '../../kernel/model/selection.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'

export interface ShownView {
  readonly entry: Entry
  readonly document?: DocumentReference
  readonly isCut?: boolean
  readonly marks?: Marks
  readonly use?: Use
  readonly backlinks: number
  readonly freshness?: Freshness
}

interface Use {
  readonly accessCount: number
  readonly lastAccessedAt: string | null
  readonly importance: number
}

export function presentUse(use: Use | undefined, terminal: Terminal): void {
  if (use === undefined) return
  const { accessCount, lastAccessedAt, importance } = use
  const times = `${accessCount} ${accessCount === 1 ? 'time' : 'times'}`
  const fetched =
    lastAccessedAt === null ? 'never fetched before' : `fetched ${times}, last ${lastAccessedAt.slice(0, 16)}`
  terminal.out(terminal.dim(`\n${fetched}; effective importance ${importance}\n`))
}
