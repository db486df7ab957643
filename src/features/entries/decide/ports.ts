import type { ConflictPorts } from '../../conflicts/decide/ports.ts'
import type { FreshnessPorts } from '../../freshness/decide/ports.ts'
import type { MeaningPorts, SearchPorts, ShelfPorts } from '../../search/decide/ports.ts'

/** What a search by words and meaning needs, with marks and freshness on its hits. */
export interface FullSearchPorts
  extends SearchPorts,
    MeaningPorts,
    ShelfPorts,
    ConflictPorts,
    FreshnessPorts {}
