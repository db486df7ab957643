import { type ComponentType, lazy } from 'react'

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
}

/** Every view is a chunk of its own: the first paint carries the memories alone. */
export const VIEWS: readonly View[] = [
  { name: 'vault', key: 'm', component: lazy(() => import('./views/vault/vault.tsx')) },
  { name: 'chat', key: 'c', component: lazy(() => import('./views/chat/chat.tsx')) },
  { name: 'brief', key: 'b', component: lazy(() => import('./views/brief/brief.tsx')) },
  { name: 'review', key: 'r', component: lazy(() => import('./views/review/review.tsx')) },
  { name: 'conflicts', key: 'x', component: lazy(() => import('./views/conflicts/conflicts.tsx')) },
  { name: 'freshness', key: 'f', component: lazy(() => import('./views/freshness/freshness.tsx')) },
  { name: 'timeline', key: 't', component: lazy(() => import('./views/timeline/timeline.tsx')) },
  { name: 'graph', key: 'g', component: lazy(() => import('./views/graph/graph.tsx')) },
  { name: 'state', key: 's', component: lazy(() => import('./views/state/state.tsx')) },
  { name: 'health', key: 'h', component: lazy(() => import('./views/health/health.tsx')) },
  { name: 'import', key: 'i', component: lazy(() => import('./views/import/import.tsx')) },
]
