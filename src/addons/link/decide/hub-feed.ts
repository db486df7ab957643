import type { Incoming } from './plan-incoming.ts'
import type { FeedPlace, Hello, PushAnswer, VersionQuestion } from './protocol.ts'

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
