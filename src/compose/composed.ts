import type { AcrossPorts } from '../addons/across/decide/rooms.ts'
import type { ImportPorts, SourcePorts } from '../addons/import/decide/ports.ts'
import type { FeedPorts, LinkPorts } from '../addons/link/decide/ports.ts'
import type { ObsidianPorts } from '../addons/obsidian/decide/ports.ts'
import type { RulePorts } from '../addons/rules/decide/ports.ts'
import type { WorkPorts } from '../addons/work/decide/work-board.ts'
import type { WorkspacePorts } from '../addons/workspaces/decide/ports.ts'
import type { AskPorts } from '../features/agent-saves/decide/ports.ts'
import type { BriefPorts } from '../features/brief/decide/ports.ts'
import type { ColdPorts } from '../features/cold/decide/ports.ts'
import type { ConflictPorts } from '../features/conflicts/decide/ports.ts'
import type { FreshnessPorts } from '../features/freshness/decide/ports.ts'
import type { LearningPorts, ModelPorts } from '../features/learning/decide/ports.ts'
import type { OverviewPorts } from '../features/overview/decide/ports.ts'
import type { ProjectPorts } from '../features/projects/decide/ports.ts'
import type { ReviewPorts } from '../features/review/decide/ports.ts'
import type { DocumentPorts, MeaningPorts, SearchPorts } from '../features/search/decide/ports.ts'
import type { SessionPorts } from '../features/sessions/decide/ports.ts'
import type { StatePorts } from '../features/state/decide/ports.ts'
import type { UpkeepPorts } from '../features/upkeep/decide/ports.ts'
import type { GitPorts, MendPorts, ValidatePorts } from '../features/validate/decide/ports.ts'
import type { HookPorts } from '../hosts/hooks/decide/ports.ts'
import type { AgentPorts } from '../hosts/run/decide/ports.ts'
import type { Memory } from '../kernel/memory.ts'
import { notOnHub } from '../kernel/memory-place.ts'
import type { HubProject } from '../kernel/model/hub.ts'
import type { MemoryPaths } from '../kernel/system/paths.ts'

/** What is composed for every memory. */
interface Everywhere
  extends Memory,
    SearchPorts,
    MeaningPorts,
    DocumentPorts,
    BriefPorts,
    SessionPorts,
    LearningPorts,
    ModelPorts,
    ConflictPorts,
    FreshnessPorts,
    UpkeepPorts,
    StatePorts,
    OverviewPorts,
    ReviewPorts,
    ValidatePorts,
    AskPorts,
    AcrossPorts,
    SourcePorts,
    WorkPorts,
    WorkspacePorts {
  close(): Promise<void>
}

/** What is composed only where there are files. */
interface CheckoutPorts
  extends GitPorts,
    MendPorts,
    ProjectPorts,
    ColdPorts,
    HookPorts,
    AgentPorts,
    ImportPorts,
    LinkPorts,
    ObsidianPorts,
    RulePorts {}

/** A memory in a checkout or on a hub: the ports of either may be absent. */
export interface Composed extends Everywhere, Partial<CheckoutPorts>, Partial<FeedPorts> {}

/** Over the files of a project. */
export interface ComposedCheckout extends Everywhere, CheckoutPorts {
  readonly place: { readonly kind: 'folder'; readonly paths: MemoryPaths }
  readonly paths: MemoryPaths
  readonly root: string
}

/** Over a project of a hub. */
export interface ComposedHub extends Everywhere, FeedPorts {
  readonly place: { readonly kind: 'hub'; readonly project: HubProject }
}

export function isCheckout(memory: Composed): memory is ComposedCheckout {
  return memory.place.kind === 'folder'
}

/** Throws `not_on_hub`; `what` begins the sentence. */
export function checkoutOf(memory: Composed, what: string): ComposedCheckout {
  if (!isCheckout(memory)) throw notOnHub(what)
  return memory
}
