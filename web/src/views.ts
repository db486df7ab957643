import { type ComponentType, createElement, lazy, useState } from 'react'

export type ViewName =
  | 'vault'
  | 'chat'
  | 'brief'
  | 'review'
  | 'conflicts'
  | 'freshness'
  | 'timeline'
  | 'graph'
  | 'state'
  | 'health'
  | 'import'

export interface View {
  readonly name: ViewName
  /** After `g`. */
  readonly key: string
  readonly component: ComponentType
  /** Its code, before it is shown: React holds what comes after a fallback back for 300 ms. */
  load(): Promise<unknown>
}

/** Every view is a chunk of its own: the first paint carries the memories alone. */
export const VIEWS: readonly View[] = [
  view('vault', 'm', () => import('./views/vault/vault.tsx')),
  view('chat', 'c', () => import('./views/chat/chat.tsx')),
  view('brief', 'b', () => import('./views/brief/brief.tsx')),
  view('review', 'r', () => import('./views/review/review.tsx')),
  view('conflicts', 'x', () => import('./views/conflicts/conflicts.tsx')),
  view('freshness', 'f', () => import('./views/freshness/freshness.tsx')),
  view('timeline', 't', () => import('./views/timeline/timeline.tsx')),
  view('graph', 'g', () => import('./views/graph/graph.tsx')),
  view('state', 's', () => import('./views/state/state.tsx')),
  view('health', 'h', () => import('./views/health/health.tsx')),
  view('import', 'i', () => import('./views/import/import.tsx')),
]

function view(name: ViewName, key: string, fetch: () => Promise<{ default: ComponentType }>): View {
  const Later = lazy(fetch)
  let loaded: ComponentType | undefined
  function Shown() {
    // Chosen once: another component in its place would begin anew.
    const [Chosen] = useState(() => loaded ?? Later)
    return createElement(Chosen)
  }
  return {
    name,
    key,
    component: Shown,
    async load() {
      loaded = (await fetch()).default
    },
  }
}
