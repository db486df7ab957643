import type { Presenters } from '../../verbs/presenter.ts'
import { presentColdHits } from '../cold/present-cold.ts'
import { presentHits } from './present-hits.ts'

export const SEARCH_PRESENTERS = {
  search: ({ cold, ...found }, terminal) =>
    cold === undefined ? presentHits(found, terminal) : presentColdHits(cold, terminal),
} satisfies Partial<Presenters>
