// Generated from the definitions of verbs by `npm run generate`. Lines may be moved, and nothing else changed.
import { ACROSS_PRESENTERS } from '../../addons/across/present-across.ts'
import { BACKUP_PRESENTERS } from '../../addons/backup/present-backup.ts'
import { HUB_PRESENTERS } from '../../addons/hub/present-hub.ts'
import { IMPORT_PRESENTERS } from '../../addons/import/present-import.ts'
import { SOURCE_PRESENTERS } from '../../addons/import/present-source.ts'
import { LINK_PRESENTERS } from '../../addons/link/present-link.ts'
import { OBSIDIAN_PRESENTERS } from '../../addons/obsidian/present-obsidian.ts'
import { HOT_PRESENTERS } from '../../addons/rules/present-hot.ts'
import { WORK_PRESENTERS } from '../../addons/work/present-work.ts'
import { RETRIEVED_PRESENTERS } from '../../addons/workspaces/present-retrieved.ts'
import { WORKSPACE_PRESENTERS } from '../../addons/workspaces/present-workspaces.ts'
import { BRIEF_PRESENTERS } from '../../features/brief/present-brief.ts'
import { COLD_PRESENTERS } from '../../features/cold/present-cold.ts'
import { CONFLICT_PRESENTERS } from '../../features/conflicts/present-conflicts.ts'
import { DOCTOR_PRESENTERS } from '../../features/doctor/present-doctor.ts'
import { ENTRY_PRESENTERS } from '../../features/entries/present-entries.ts'
import { FRESHNESS_PRESENTERS } from '../../features/freshness/present-freshness.ts'
import { MERGE_DRIVER_PRESENTERS } from '../../features/git-merge/present-merge-driver.ts'
import { MODEL_PRESENTERS } from '../../features/learning/present-model.ts'
import { REVIEW_PRESENTERS } from '../../features/review/present-review.ts'
import { EMBEDDER_PRESENTERS } from '../../features/search/present-embedder.ts'
import { GRAPH_PRESENTERS } from '../../features/search/present-graph.ts'
import { SEARCH_PRESENTERS } from '../../features/search/present-search.ts'
import { SESSION_PRESENTERS } from '../../features/sessions/present-sessions.ts'
import { SETTING_PRESENTERS } from '../../features/settings/present-settings.ts'
import { SETUP_PRESENTERS } from '../../features/setup/present-setup.ts'
import { RECALL_PRESENTERS } from '../../features/state/present-state.ts'
import { PROJECT_PRESENTERS } from '../../features/state/present-state.ts'
import { STATUS_PRESENTERS } from '../../features/status/present-status.ts'
import { UPKEEP_PRESENTERS } from '../../features/upkeep/present-upkeep.ts'
import { VALIDATE_PRESENTERS } from '../../features/validate/present-validate.ts'
import { AGENT_PRESENTERS } from '../../hosts/run/present-agent.ts'
import type { Presenters } from '../../verbs/presenter.ts'

/** How every verb shows its answer. */
export const PRESENTERS: Presenters = {
  ...ACROSS_PRESENTERS,
  ...BACKUP_PRESENTERS,
  ...HUB_PRESENTERS,
  ...IMPORT_PRESENTERS,
  ...SOURCE_PRESENTERS,
  ...LINK_PRESENTERS,
  ...OBSIDIAN_PRESENTERS,
  ...HOT_PRESENTERS,
  ...WORK_PRESENTERS,
  ...RETRIEVED_PRESENTERS,
  ...WORKSPACE_PRESENTERS,
  ...BRIEF_PRESENTERS,
  ...COLD_PRESENTERS,
  ...CONFLICT_PRESENTERS,
  ...DOCTOR_PRESENTERS,
  ...ENTRY_PRESENTERS,
  ...FRESHNESS_PRESENTERS,
  ...MERGE_DRIVER_PRESENTERS,
  ...MODEL_PRESENTERS,
  ...REVIEW_PRESENTERS,
  ...EMBEDDER_PRESENTERS,
  ...GRAPH_PRESENTERS,
  ...SEARCH_PRESENTERS,
  ...SESSION_PRESENTERS,
  ...SETTING_PRESENTERS,
  ...SETUP_PRESENTERS,
  ...RECALL_PRESENTERS,
  ...PROJECT_PRESENTERS,
  ...STATUS_PRESENTERS,
  ...UPKEEP_PRESENTERS,
  ...VALIDATE_PRESENTERS,
  ...AGENT_PRESENTERS,
}
