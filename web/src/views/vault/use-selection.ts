import { useCallback, useRef, useState } from 'react'
import type { Entry, Pages } from './pages.ts'

/** The selected entries. Shift selects a range. */
export function useSelection(rows: Pages) {
  const [selected, setSelected] = useState<ReadonlyMap<string, Entry>>(new Map())
  const last = useRef<string>(undefined)
  const shown = useRef(rows)
  shown.current = rows

  const select = useCallback((entry: Entry, { isRange }: { readonly isRange: boolean }) => {
    const from = last.current
    last.current = entry.id
    setSelected(before => {
      const next = new Map(before)
      if (isRange && from !== undefined) {
        for (const one of between(shown.current, from, entry.id)) next.set(one.id, one)
      } else if (!next.delete(entry.id)) next.set(entry.id, entry)
      return next
    })
  }, [])
  const selectThese = useCallback((entries: readonly Entry[]) => {
    setSelected(new Map(entries.map(entry => [entry.id, entry])))
  }, [])
  const selectNone = useCallback(() => {
    last.current = undefined
    setSelected(before => (before.size === 0 ? before : new Map()))
  }, [])
  return { selected, select, selectThese, selectNone }
}

function between(rows: Pages, from: string, to: string): Entry[] {
  const placeOf = (id: string) => rows.findIndex(row => row?.entry.id === id)
  const [first, last] = [placeOf(from), placeOf(to)].sort((a, b) => a - b)
  return rows.slice(first, (last ?? 0) + 1).flatMap(row => row?.entry ?? [])
}
