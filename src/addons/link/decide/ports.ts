import type { ReviewPorts } from '../../../features/review/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../../../features/search/decide/ports.ts'
import type { GitPorts } from '../../../features/validate/decide/ports.ts'
import type { HubAddress, HubLink } from './link-state.ts'
import type { Incoming } from './plan-incoming.ts'
import type {
  FeedPage,
  FeedPlace,
  Hello,
  PullQuestion,
  Push,
  PushAnswer,
  VersionQuestion,
} from './protocol.ts'

/** The project on the hub, for linked clones. It changes through `write` of the store. */
export interface HubFeed {
  /** Throws `hub_refused` if this is not a hub. */
  hello(): Promise<Hello>
  /** Changes of entries after a cursor, in the order of the revisions, up to the current one. Entries of private vaults are left out. */
  changesAfter(
    place: FeedPlace,
    limit: number,
  ): Promise<{ readonly revision: number; readonly changes: readonly Incoming[] }>
  /** From the journal. In the order of the questions. */
  versions(questions: readonly VersionQuestion[]): Promise<readonly boolean[]>
  /** The stored answer to a push; `given up`: its sender asked before it arrived. undefined: it is unknown. */
  answered(push: string): Promise<PushAnswer | 'given up' | undefined>
  /** Within `write` or `exclusively`: stored with its answer, or not at all. */
  keepAnswer(push: string, answer: PushAnswer | 'given up'): Promise<void>
  revision(): Promise<number>
}

/** A project on a hub, as a clone uses it. Throws `hub_unreachable`, `token_refused`, `scope_missing`, `project_not_found`, `hub_refused`. */
export interface HubClient {
  hello(): Promise<Hello>
  pull(question: PullQuestion): Promise<FeedPage>
  /** In the order of the questions. */
  versions(questions: readonly VersionQuestion[]): Promise<readonly boolean[]>
  push(push: Push): Promise<PushAnswer>
  /** The stored answer to a push. undefined: it has not arrived, and will be rejected if it still does. */
  giveUp(push: string): Promise<PushAnswer | undefined>
}

export interface LinkPorts {
  /** The hub that this project is linked to on this machine. */
  readonly hubLink: HubLink
  /** Opens a client. With `onceMs` each request is sent once, with this timeout. */
  readonly hubClient: (
    address: Pick<HubAddress, 'url' | 'project'>,
    token: string,
    patience?: { readonly onceMs: number },
  ) => Promise<HubClient>
}

export interface FeedPorts {
  /** The requests of memories that are linked to this project of a hub. */
  readonly hubFeed: HubFeed
}

/** The ports of a sync with a hub. */
export interface SyncPorts extends SearchPorts, MeaningPorts, ReviewPorts, GitPorts, LinkPorts {}
