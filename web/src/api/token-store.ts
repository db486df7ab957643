const KEY = 'cairn-token'
const listeners = new Set<() => void>()
let isRefused = false

/** `cairn up` hands the token over in the fragment, which no server sees and no history should keep. It lives as long as this tab. */
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

/** The server did not take the token of this tab, or there is none: the page asks for one. */
export function rejectToken(): void {
  isRefused = true
  changed()
}

/** Whoever was asked does not want to give a token now. */
export function stayReadOnly(): void {
  sessionStorage.removeItem(KEY)
  isRefused = false
  changed()
}

export type TokenState = 'present' | 'absent' | 'refused'

/** `absent`: the page shows everything and changes nothing. `refused`: something was asked for that needs a token. */
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
