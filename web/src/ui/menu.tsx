import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { nextAt } from './tabs.tsx'

interface MenuItem {
  readonly label: ReactNode
  readonly isDisabled?: boolean
  readonly isDanger?: boolean
  run(): void
}

/** A button that opens a menu of actions. Escape or a click outside closes it, and the focus returns to the button. */
export function Menu({
  label,
  children,
  items,
}: {
  /** The accessible name of the button. */
  readonly label: string
  readonly children?: ReactNode
  readonly items: readonly MenuItem[]
}) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const whole = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    whole.current?.querySelector<HTMLElement>('[role=menuitem]:not(:disabled)')?.focus()
    const elsewhere = (event: Event) => {
      if (!whole.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', elsewhere)
    return () => document.removeEventListener('pointerdown', elsewhere)
  }, [isOpen])
  const close = () => {
    setOpen(false)
    whole.current?.querySelector<HTMLElement>('button')?.focus()
  }
  const move = (event: KeyboardEvent) => {
    if (!isOpen) return
    event.stopPropagation()
    if (event.key === 'Escape') return close()
    if (event.key === 'Tab') return setOpen(false)
    const all = [...(whole.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? [])]
    const to = nextAt(event.key, all.indexOf(document.activeElement as HTMLElement), all.length)
    if (to === undefined) return
    event.preventDefault()
    all[to]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the button and the items within.
    <div className="menu" ref={whole} onKeyDown={move}>
      <Button
        variant="plain"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        {children ?? <span aria-hidden="true">⋯</span>}
      </Button>
      {isOpen && (
        <div className="menu-items" role="menu" id={id} aria-label={label}>
          {items.map((item, at) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of an open menu do not move.
              key={at}
              type="button"
              role="menuitem"
              className={item.isDanger ? 'danger' : undefined}
              disabled={item.isDisabled}
              onClick={() => {
                close()
                item.run()
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
