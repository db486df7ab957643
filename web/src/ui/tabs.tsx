import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export interface Tab<Name extends string> {
  readonly name: Name
  readonly label: ReactNode
}

/** Tabs with one Tab stop. Arrow keys, Home and End move between them. `children` is the panel of the selected tab. */
export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  children,
}: {
  readonly label: string
  readonly tabs: readonly Tab<Name>[]
  readonly chosen: Name
  onChoose(name: Name): void
  readonly children: ReactNode
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const go = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ name }) => name === chosen)
    const to = nextAt(event.key, at, tabs.length)
    const next = to === undefined ? undefined : tabs[to]
    if (next === undefined) return
    event.preventDefault()
    onChoose(next.name)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to ?? 0]?.focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={go}>
        {tabs.map(({ name, label: text }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div className="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  )
}

/** The target index of a navigation key in a list of `length` items; `undefined` for other keys. */
export function nextAt(key: string, at: number, length: number): number | undefined {
  if (length === 0) return undefined
  if (key === 'ArrowRight' || key === 'ArrowDown') return (at + 1) % length
  if (key === 'ArrowLeft' || key === 'ArrowUp') return (at - 1 + length) % length
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  return undefined
}
