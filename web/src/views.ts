import type { ComponentType } from 'react'
import { isHub } from './api/hub-address.ts'
import { type Preloadable, preloadable } from './preload.ts'

export type ViewName =
  | 'vault'
  | 'chat'
  | 'brief'
  | 'review'
  | 'conflicts'
  | 'freshness'
  | 'timeline'
  | 'graph'
  | 'everywhere'
  | 'state'
  | 'health'
  | 'import'
  | 'work'

export interface View extends Preloadable<object> {
  readonly name: ViewName
  /** The shortcut key after `g`. */
  readonly key: string
}

/** Every view is its own chunk. The first paint loads only the Memories view. */
const VIEWS: readonly View[] = [
  view('vault', 'm', () => import('./views/vault/vault.tsx')),
  view('chat', 'c', () => import('./views/chat/chat.tsx')),
  view('brief', 'b', () => import('./views/brief/brief.tsx')),
  view('review', 'r', () => import('./views/review/review.tsx')),
  view('conflicts', 'x', () => import('./views/conflicts/conflicts.tsx')),
  view('freshness', 'f', () => import('./views/freshness/freshness.tsx')),
  view('work', 'w', () => import('./views/work/work.tsx')),
  view('timeline', 't', () => import('./views/timeline/timeline.tsx')),
  view('graph', 'g', () => import('./views/graph/graph.tsx')),
  view('everywhere', 'e', () => import('./views/everywhere/everywhere.tsx')),
  view('state', 's', () => import('./views/state/state.tsx')),
  view('health', 'h', () => import('./views/health/health.tsx')),
  view('import', 'i', () => import('./views/import/import.tsx')),
]

/** Views that need the files or programs of one machine do not exist on a hub. */
const BESIDE_FILES: ReadonlySet<ViewName> = new Set(['chat', 'freshness', 'import'])

export const SHOWN_VIEWS: readonly View[] = isHub
  ? VIEWS.filter(({ name }) => !BESIDE_FILES.has(name))
  : VIEWS

function view(name: ViewName, key: string, fetch: () => Promise<{ default: ComponentType }>): View {
  return { name, key, ...preloadable(fetch) }
}
