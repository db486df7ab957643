import { useEffect, useRef } from 'react'

/**
 * What a key does: `j`, `?`, `Escape`, `Delete`, `mod+k` (Ctrl, or Cmd on a Mac), or two keys after each other: `g m`. A handler that
 * answers `false` did not want the key.
 */
export type Hotkeys = Readonly<Record<string, (event: KeyboardEvent) => unknown>>

/** Two keys after each other belong together for this long. */
const SEQUENCE_MS = 1_200

/**
 * Listens for keys while the part is shown. Keys are left alone while someone types and while a dialog is open, but for those with
 * `mod`; `isOn: false` switches them off.
 */
export function useHotkeys(keys: Hotkeys, isOn = true): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    if (!isOn) return
    let first: { key: string; at: number } | undefined
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const name = keyName(event)
      if (name === undefined) return
      if (!name.startsWith('mod+') && (isTyping(event) || document.querySelector('dialog[open]') !== null))
        return
      const sequence =
        first !== undefined && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${name}` : undefined
      first = { key: name, at: event.timeStamp }
      const known = sequence !== undefined && sequence in current.current ? sequence : name
      // The second key of a sequence is not a key on its own.
      if (known === name && sequence !== undefined && startsSequence(current.current, sequence)) return
      const run = current.current[known]
      if (run === undefined || run(event) === false) return
      first = undefined
      event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [isOn])
}

function startsSequence(keys: Hotkeys, sequence: string): boolean {
  const [first = ''] = sequence.split(' ')
  return Object.keys(keys).some(key => key.startsWith(`${first} `))
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
