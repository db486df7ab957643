import { useSyncExternalStore } from 'react'

/** Which view is shown, and what of it: `#/graph?entity=x`. The fragment never leaves the browser. */
export interface ViewLocation {
  readonly view: string
  readonly params: Readonly<Record<string, string>>
}

export function useViewLocation(): ViewLocation {
  const hash = useSyncExternalStore(
    listener => {
      addEventListener('hashchange', listener)
      return () => removeEventListener('hashchange', listener)
    },
    () => location.hash,
  )
  return parseViewLocation(hash)
}

export function parseViewLocation(hash: string): ViewLocation {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  return { view: path === '' ? 'vault' : path, params: Object.fromEntries(new URLSearchParams(query)) }
}

export function linkTo(view: string, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(params).toString()
  return query === '' ? `#/${view}` : `#/${view}?${query}`
}

/** One entry, opened among the memories. */
export function linkToEntry(id: string): string {
  return linkTo('vault', { entry: id })
}

export function goTo(view: string, params: Readonly<Record<string, string>> = {}): void {
  location.hash = linkTo(view, params)
}
