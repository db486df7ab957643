import { useEffect, useRef } from 'react'

/** By `event.key`. */
export type Keys = Readonly<Record<string, () => void>>

/** Typing, choosing and dialogs have the keys for themselves. */
const HAS_KEYS = 'input, textarea, select, [contenteditable], dialog, [role="dialog"]'

/**
 * Single keys of a view, while it is shown and the reader is neither typing nor in a dialog. Enter and the space bar stay with the
 * control that has the focus.
 */
export function useKeys(keys: Keys): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const from = event.target
      const isChecking = from instanceof HTMLInputElement && from.type === 'checkbox'
      if (from instanceof Element && from.closest(HAS_KEYS) !== null && !isChecking) return
      const run = current.current[event.key]
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
