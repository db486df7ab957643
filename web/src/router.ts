import { useSyncExternalStore } from 'react'

/** The current view and its parameters: `#/graph?entity=x`. The fragment is never sent to the server. */
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

/** The link to one entry in the Memories view. */
export function linkToEntry(id: string): string {
  return linkTo('vault', { entry: id })
}

export function goTo(view: string, params: Readonly<Record<string, string>> = {}): void {
  location.hash = linkTo(view, params)
}
