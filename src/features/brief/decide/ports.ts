import type { InjectablePreferences } from '../../../kernel/model/preference.ts'
import type { Reranker } from '../../../kernel/model/search.ts'
import type { Marks } from '../../../kernel/model/selection.ts'
import type { ConflictPorts } from '../../conflicts/decide/ports.ts'
import type { MeaningPorts, SearchPorts, ShelfPorts } from '../../search/decide/ports.ts'
import type { Profiles } from '../../search/decide/profiles.ts'
import type { BriefLog } from './brief-log.ts'

export interface BriefPorts {
  readonly briefs: BriefLog
  /** What a brief is made of beside entries. */
  readonly sources: BriefSources
  /** What tasks need: those that come with Cairn, and the project's own. */
  readonly profiles: () => Promise<Profiles>
  /** In place of the one that `brief.reranker` names. */
  readonly reranker?: Reranker
  /** What people and agents said of entries, by id. */
  readonly feedback: () => Promise<Readonly<Record<string, Feedback>>>
}

export interface Feedback {
  readonly useful: number
  readonly wrong: number
}

/** What a brief is made of beside entries (compose-sources.ts). */
export interface BriefSources {
  /** The files that the agent edited in the last turns of this session, newest first. */
  editedFiles(session: string, agent: string): Promise<readonly string[]>
  /** What the user wants in every project, best first, as far as the reader sees it. Throws `store_io` when it cannot be read. */
  preferences(reader?: string): Promise<InjectablePreferences>
  /** The last messages of the agent's last session, when it was never closed and is not this one. */
  recovery(
    agent: string,
    session?: string,
  ): Promise<readonly { readonly role: string; readonly text: string }[]>
  /** Conflicts and drift of these entries, as far as the reader sees both sides; without one, every vault is read. */
  marks(ids: readonly string[], reader?: string): Promise<ReadonlyMap<string, Marks>>
}

/** What a brief for a prompt needs. */
export interface PromptPorts extends SearchPorts, MeaningPorts, ShelfPorts, ConflictPorts, BriefPorts {}
