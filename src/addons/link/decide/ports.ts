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

/** The project on the hub, for those that are linked to it. `write` of the store is how it changes. */
export interface HubFeed {
  /** Throws `hub_refused` where this is no hub. */
  hello(): Promise<Hello>
  /**
   * What became of entries after a place, in the order of the revisions, up to the revision that the project has now. Entries of the vault
   * that is not shared are left out.
   */
  changesAfter(
    place: FeedPlace,
    limit: number,
  ): Promise<{ readonly revision: number; readonly changes: readonly Incoming[] }>
  /** By the journal. In the order they were asked. */
  versions(questions: readonly VersionQuestion[]): Promise<readonly boolean[]>
  /** What a push was answered; `given up`: whoever sent it asked, and it had not arrived. undefined: nobody knows of it. */
  answered(push: string): Promise<PushAnswer | 'given up' | undefined>
  /** Within `write` or `exclusively`: kept with what it answers, or not at all. */
  keepAnswer(push: string, answer: PushAnswer | 'given up'): Promise<void>
  revision(): Promise<number>
}

/** A project on a hub, as a repository speaks to it. Throws `hub_unreachable`, `token_refused`, `scope_missing`, `project_not_found`, `hub_refused`. */
export interface HubClient {
  hello(): Promise<Hello>
  pull(question: PullQuestion): Promise<FeedPage>
  /** In the order they were asked. */
  versions(questions: readonly VersionQuestion[]): Promise<readonly boolean[]>
  push(push: Push): Promise<PushAnswer>
  /** What a push was answered. undefined: it has not arrived, and from now on it never will. */
  giveUp(push: string): Promise<PushAnswer | undefined>
}

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
