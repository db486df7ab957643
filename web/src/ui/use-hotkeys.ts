import { useEffect, useRef } from 'react'

/**
 * What a key does: `j`, `?`, `Escape`, `Delete`, `mod+k` (Ctrl, or Cmd on a Mac), or two keys after each other: `g m`. A handler that
 * answers `false` did not want the key.
 */
type Hotkeys = Readonly<Record<string, (event: KeyboardEvent) => unknown>>

/** Two keys after each other belong together for this long. */
const SEQUENCE_MS = 1_200

/** Whose keys are listened for; what was shown last comes first. */
const layers: { current: Hotkeys }[] = []
let first: { readonly key: string; readonly at: number } | undefined

/**
 * Listens for keys while the part is shown. Keys are left alone while someone types and while a dialog is open, but for those with
 * `mod`; `isOn: false` switches them off.
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
  // The second key of a sequence is no key on its own.
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

/** Whether the key goes into a text. */
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
