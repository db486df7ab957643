import { useEffect, useRef } from 'react'

/**
 * Handlers by key: `j`, `?`, `Escape`, `Delete`, `mod+k` (Ctrl, or Cmd on a Mac), or two keys in sequence: `g m`. A handler that returns
 * `false` did not use the key.
 */
type Hotkeys = Readonly<Record<string, (event: KeyboardEvent) => unknown>>

/** Maximum time between the two keys of a sequence. */
const SEQUENCE_MS = 1_200

/** Active sets of hotkeys. The set mounted last has priority. */
const layers: { current: Hotkeys }[] = []
let first: { readonly key: string; readonly at: number } | undefined

/**
 * Listens for keys while the component is mounted. Ignores keys while the user types or a dialog is open, except those with `mod`. `isOn:
 * false` disables it.
 */
export function useHotkeys(keys: Hotkeys, isOn = true): void {
  const layer = useRef(keys)
  layer.current = keys
  useEffect(() => {
    if (!isOn) return
    if (layers.length === 0) addEventListener('keydown', hear)
    layers.unshift(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) removeEventListener('keydown', hear)
    }
  }, [isOn])
}

function hear(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const key = keyName(event)
  if (key === undefined) return
  if (!key.startsWith('mod+') && (isTyping(event) || document.querySelector('dialog[open]') !== null)) return
  const before = first
  first = undefined
  // The second key of a sequence does not count on its own.
  if (before !== undefined && event.timeStamp - before.at < SEQUENCE_MS) {
    run(`${before.key} ${key}`, event)
    return
  }
  if (run(key, event)) return
  if (layers.some(({ current }) => Object.keys(current).some(known => known.startsWith(`${key} `))))
    first = { key, at: event.timeStamp }
}

function run(key: string, event: KeyboardEvent): boolean {
  for (const { current } of layers) {
    const does = current[key]
    if (does === undefined || does(event) === false) continue
    event.preventDefault()
    return true
  }
  return false
}

function keyName(event: KeyboardEvent): string | undefined {
  if (['Control', 'Meta', 'Shift', 'Alt'].includes(event.key) || event.altKey) return undefined
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key
}

/** Whether the user is typing in a text field. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true
  return (
    target instanceof HTMLInputElement &&
    !['checkbox', 'radio', 'button', 'range', 'file'].includes(target.type)
  )
}
