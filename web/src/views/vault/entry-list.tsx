import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type Ref,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useWords } from '../../language/language.tsx'
import { EntryRow, type RowActions, type RowProps } from './entry-row.tsx'
import type { Pages } from './pages.ts'
import { vaultWords } from './words.ts'

const ESTIMATED_PX = 150
const GAP_PX = 10
/** Rows rendered outside the visible area, for scrolling. Not before the first rows are visible, because each delays them. */
const BEYOND_SIGHT = 6
/** Room for the bar above the list while scrolling. */
const ABOVE_PX = 72

export interface ListHandle {
  /** Scrolls to an entry and focuses it. */
  reveal(id: string): void
}

interface Props extends Pick<RowProps, 'isReadOnly' | 'showsAgent' | 'showsCategory'> {
  readonly handle: Ref<ListHandle>
  readonly label: string
  readonly items: Pages
  readonly actions: RowActions
  readonly at: string | undefined
  readonly open: string
  readonly edited: string | undefined
  readonly selected: ReadonlyMap<string, unknown>
  readonly onSight?: (first: number, last: number) => void
}

/** A virtual list: only visible rows are rendered, and the scroll position stays stable when other rows change. */
export function EntryList({ items, handle, label, at, open, edited, selected, onSight, ...shared }: Props) {
  const words = useWords(vaultWords)
  const box = useRef<HTMLOListElement>(null)
  const [marginPx, setMarginPx] = useState(0)
  const editedAt = edited === undefined ? -1 : items.findIndex(item => item?.entry.id === edited)
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ESTIMATED_PX,
    gap: GAP_PX,
    overscan: useFirstDrawn() ? BEYOND_SIGHT : 0,
    scrollMargin: marginPx,
    scrollPaddingStart: ABOVE_PX,
    scrollPaddingEnd: GAP_PX,
    getItemKey: useCallback((index: number) => items[index]?.entry.id ?? `place ${index}`, [items]),
    // An edited row stays rendered outside the visible area, because it has the focus and the cursor.
    rangeExtractor: useCallback(
      (range: Range) => {
        const rows = defaultRangeExtractor(range)
        return editedAt === -1 || rows.includes(editedAt) ? rows : [...rows, editedAt].sort((a, b) => a - b)
      },
      [editedAt],
    ),
  })
  useMargin(box, setMarginPx)
  useStayInPlace(virtualizer, items, edited)

  const rows = virtualizer.getVirtualItems()
  const first = virtualizer.range?.startIndex ?? 0
  const last = virtualizer.range?.endIndex ?? 0
  useEffect(() => onSight?.(first, last), [onSight, first, last])

  useImperativeHandle(handle, () => ({
    reveal(id) {
      const index = items.findIndex(item => item?.entry.id === id)
      if (index === -1) return
      virtualizer.scrollToIndex(index, { align: 'auto' })
      focusRow(id)
    },
  }))

  return (
    <ol
      className="entries"
      aria-label={label}
      ref={box}
      style={{ height: `${Math.max(0, virtualizer.getTotalSize())}px` }}
    >
      {rows.map(row => {
        const listed = items[row.index]
        return (
          <li
            key={row.key}
            data-index={row.index}
            ref={virtualizer.measureElement}
            aria-setsize={items.length}
            aria-posinset={row.index + 1}
            style={{ transform: `translateY(${row.start - marginPx}px)` }}
          >
            {listed === undefined ? (
              <div className="entry waiting soft">{words.loadingEntry}</div>
            ) : (
              <EntryRow
                {...shared}
                listed={listed}
                isAt={listed.entry.id === at || (at === undefined && row.index === 0)}
                isOpen={listed.entry.id === open}
                isSelected={selected.has(listed.entry.id)}
                isEdited={listed.entry.id === edited}
              />
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** The row may be rendered only after scrolling. */
function focusRow(id: string, tries = 12): void {
  const row = document.getElementById(`entry-${id}`)
  if (row !== null) row.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusRow(id, tries - 1))
}

/** Whether the first paint is done. */
function useFirstDrawn(): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    // The paint happens between the two frames.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => startTransition(() => setSeen(true)))
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return isSeen
}

/** The distance of the list from the top of the page. */
function useMargin(box: RefObject<HTMLElement | null>, set: (px: number) => void): void {
  useLayoutEffect(() => {
    const measure = () => {
      if (box.current !== null) set(Math.round(box.current.getBoundingClientRect().top + scrollY))
    }
    measure()
    const watcher = new ResizeObserver(measure)
    watcher.observe(document.body)
    return () => watcher.disconnect()
  })
}

type Virtualizer = ReturnType<typeof useWindowVirtualizer<HTMLLIElement>>

/**
 * Keeps the edited entry, or else the first visible one, at its position on the screen when the list changes above it. At the very top, new
 * entries are shown instead.
 */
function useStayInPlace(
  virtualizer: ReturnType<typeof useWindowVirtualizer<Element>> | Virtualizer,
  items: Pages,
  edited: string | undefined,
): void {
  const previous = useRef<{
    readonly items: Pages
    readonly anchors: readonly (readonly [string, number])[]
  }>({
    items,
    anchors: [],
  })
  useLayoutEffect(() => {
    const before = previous.current
    if (before.items !== items) {
      const placeById = new Map(
        items.flatMap((item, at) => (item === undefined ? [] : [[item.entry.id, at]])),
      )
      for (const [id, fromTop] of before.anchors) {
        const place = placeById.get(id)
        const start = place === undefined ? undefined : virtualizer.measurementsCache[place]?.start
        if (start === undefined) continue
        const wanted = start - fromTop
        if (Math.abs(wanted - scrollY) > 1) scrollTo({ top: wanted, behavior: 'instant' })
        break
      }
    }
  }, [items, virtualizer])
  useLayoutEffect(() => {
    const note = () => {
      const seen = virtualizer
        .getVirtualItems()
        .filter(row => row.end > scrollY + ABOVE_PX && row.start < scrollY + innerHeight)
        .flatMap((row): [string, number][] => {
          const id = items[row.index]?.entry.id
          return id === undefined ? [] : [[id, row.start - scrollY]]
        })
      const isAtTop = virtualizer.getVirtualItems()[0]?.index === 0 && (seen[0]?.[1] ?? 0) >= 0
      const own = seen.filter(([id]) => id === edited)
      previous.current = { items, anchors: own.length > 0 ? own : isAtTop ? [] : seen }
    }
    note()
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  })
}
