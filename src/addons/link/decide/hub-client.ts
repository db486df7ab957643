import type { FeedPage, Hello, PullQuestion, Push, PushAnswer, VersionQuestion } from './protocol.ts'

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
