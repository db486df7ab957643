import type { Category } from '../../../../src/kernel/model/category.ts'
import { useHotkeys } from '../../ui/use-hotkeys.ts'
import { isControl, type RowActions } from './entry-row.tsx'
import { TABS } from './list-params.ts'
import type { Entry, Pages } from './pages.ts'

interface VaultKeys {
  readonly rows: Pages
  readonly at: string | undefined
  readonly tab: Category
  readonly isReadOnly: boolean
  readonly actions: RowActions
  chooseTab(tab: Category): void
  goTo(id: string): void
  openLinks(id: string): void
  create(): void
  selectAll(): void
  /** Closes the open entry, then clears the selection. */
  leave(): boolean
}

/** The keyboard shortcuts of the Memories view. They do nothing for read-only entries. */
export function useVaultKeys(keys: VaultKeys): void {
  const { rows, at, tab, isReadOnly, actions } = keys
  const known = () => rows.filter(row => row !== undefined)
  const current = (): Entry | undefined => {
    const listed = known().find(({ entry }) => entry.id === at) ?? (at === undefined ? known()[0] : undefined)
    return listed?.document === undefined ? listed?.entry : undefined
  }
  const move = (step: number) => {
    const all = known()
    const place = all.findIndex(({ entry }) => entry.id === at)
    const next = all[place === -1 ? 0 : Math.min(all.length - 1, Math.max(0, place + step))]
    if (next === undefined) return false
    keys.goTo(next.entry.id)
  }
  const withCurrent = (act: (entry: Entry) => void, { changes = true } = {}) => {
    const entry = current()
    if (entry === undefined || (changes && isReadOnly)) return false
    act(entry)
  }
  const turn = (step: number) => {
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length]
    if (next !== undefined) keys.chooseTab(next)
  }
  useHotkeys({
    j: () => move(1),
    k: () => move(-1),
    // Outside the list these keys scroll.
    ArrowDown: () => (isOnRow() ? move(1) : false),
    ArrowUp: () => (isOnRow() ? move(-1) : false),
    Enter: event =>
      event.target !== null && isControl(event.target)
        ? false
        : withCurrent(entry => actions.open(entry.id), { changes: false }),
    o: () => withCurrent(entry => keys.openLinks(entry.id), { changes: false }),
    e: () => withCurrent(entry => actions.edit(entry.id)),
    p: () => withCurrent(actions.pin),
    x: () => withCurrent(entry => actions.select(entry, { isRange: false }), { changes: false }),
    Delete: () => withCurrent(actions.remove),
    n: () => (isReadOnly ? false : keys.create()),
    '[': () => turn(-1),
    ']': () => turn(1),
    'mod+a': event => (isTextField(event.target) ? false : keys.selectAll()),
    Escape: () => keys.leave(),
  })
}

function isOnRow(): boolean {
  return document.activeElement?.classList.contains('entry') === true
}

/** In a text field the browser selects the text. */
function isTextField(target: EventTarget | null): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    (target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select') !== null)
  )
}
