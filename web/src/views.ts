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

interface View {
  readonly name: ViewName
  readonly component: ComponentType
}

/** Every view is a chunk of its own: the first paint carries the memories alone. */
export const VIEWS: readonly View[] = [
  { name: 'vault', component: lazy(() => import('./views/vault/vault.tsx')) },
  { name: 'chat', component: lazy(() => import('./views/chat/chat.tsx')) },
  { name: 'brief', component: lazy(() => import('./views/brief/brief.tsx')) },
  { name: 'review', component: lazy(() => import('./views/review/review.tsx')) },
  { name: 'conflicts', component: lazy(() => import('./views/conflicts/conflicts.tsx')) },
  { name: 'freshness', component: lazy(() => import('./views/freshness/freshness.tsx')) },
  { name: 'timeline', component: lazy(() => import('./views/timeline/timeline.tsx')) },
  { name: 'graph', component: lazy(() => import('./views/graph/graph.tsx')) },
  { name: 'state', component: lazy(() => import('./views/state/state.tsx')) },
  { name: 'health', component: lazy(() => import('./views/health/health.tsx')) },
  { name: 'import', component: lazy(() => import('./views/import/import.tsx')) },
]
