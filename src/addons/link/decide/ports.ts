import type { ReviewPorts } from '../../../features/review/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../../../features/search/decide/ports.ts'
import type { GitPorts } from '../../../features/validate/decide/ports.ts'
import type { HubClient } from './hub-client.ts'
import type { HubFeed } from './hub-feed.ts'
import type { HubAddress, HubLink } from './link-state.ts'

export interface LinkPorts {
  /** The hub that this project is linked to on this machine. */
  readonly hubLink: HubLink
  /** Speaks to it. With `onceMs` each question is asked once, and waited for so long. */
  readonly hubClient: (
    address: Pick<HubAddress, 'url' | 'project'>,
    token: string,
    patience?: { readonly onceMs: number },
  ) => Promise<HubClient>
}

export interface FeedPorts {
  /** What the memories that are linked to this project of a hub ask for. */
  readonly hubFeed: HubFeed
}

/** What a sync with a hub needs. */
export interface SyncPorts extends SearchPorts, MeaningPorts, ReviewPorts, GitPorts, LinkPorts {}
