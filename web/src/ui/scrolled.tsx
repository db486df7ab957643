import type { ReactNode } from 'react'

/** A wide element, such as a table, that scrolls without scrolling the page. Reachable by keyboard. */
export function Scrolled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <div className="scrolled" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
