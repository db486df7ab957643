import { configCheck, curationCheck, projectCheck, proposalsCheck, sourcesCheck } from './check-documents.ts'
import { archiveCheck, eventsCheck, journalCheck } from './check-history.ts'
import { projectionsCheck } from './check-projections.ts'
import { rulesCheck } from './check-rules.ts'
import { secretsCheck } from './check-secrets.ts'
import { conversationsCheck, sessionsCheck } from './check-sessions.ts'
import { stateCheck } from './check-state.ts'
import { filesCheck, gitCheck, indexCheck } from './check-surroundings.ts'
import { linksCheck, vaultCheck } from './check-vault.ts'
import { workspacesCheck } from './check-workspaces.ts'
import type { ValidationCheck } from './look.ts'

/** Every check, in the order in which they run. A new part of the memory adds its own here. */
export const CHECKS: readonly ValidationCheck[] = [
  filesCheck,
  vaultCheck,
  linksCheck,
  projectCheck,
  configCheck,
  curationCheck,
  proposalsCheck,
  sourcesCheck,
  stateCheck,
  eventsCheck,
  journalCheck,
  archiveCheck,
  sessionsCheck,
  conversationsCheck,
  workspacesCheck,
  projectionsCheck,
  rulesCheck,
  indexCheck,
  gitCheck,
  secretsCheck,
]
