const KEY = 'cairn-token'
const listeners = new Set<() => void>()
let isRefused = false

/**
 * `cairn up` passes the token in the fragment, which is not sent to the server and is removed from the history. It is stored until the tab
 * closes.
 */
export function readTokenFromAddress(): void {
  const given = /^#token=([0-9a-f]+|cairn_[0-9a-f]+_[0-9a-f]+)$/.exec(location.hash)?.[1]
  if (given === undefined) return
  setToken(given)
  history.replaceState(null, '', location.pathname)
}

export function setToken(value: string): void {
  sessionStorage.setItem(KEY, value)
  isRefused = false
  changed()
}

export function token(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

/** Call when the server rejected the token of this tab, or there is none: the page asks for one. */
export function rejectToken(): void {
  isRefused = true
  changed()
}

/** The user declined to enter a token. */
export function stayReadOnly(): void {
  sessionStorage.removeItem(KEY)
  isRefused = false
  changed()
}

export type TokenState = 'present' | 'absent' | 'refused'

/** `absent`: the page is read-only. `refused`: an action needed a token and was refused. */
export function tokenState(): TokenState {
  return isRefused ? 'refused' : token() === undefined ? 'absent' : 'present'
}

export function onToken(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function changed(): void {
  for (const listener of listeners) listener()
}
