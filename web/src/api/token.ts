const KEY = 'cairn-token'

/** `cairn up` hands the token over in the fragment, which no server sees and no history should keep. It lives as long as this tab. */
export function takeToken(): void {
  const given = /^#token=([0-9a-f]+)$/.exec(location.hash)?.[1]
  if (given === undefined) return
  setToken(given)
  history.replaceState(null, '', location.pathname)
}

export function setToken(value: string): void {
  sessionStorage.setItem(KEY, value)
}

export function token(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}
