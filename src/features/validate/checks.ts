import type { FileCheck } from '../../kernel/layout.ts'
import { checkConfig, checkCuration, checkProject, checkProposals, checkSources } from './check-documents.ts'
import { checkLinks, checkSecrets, checkVault } from './check-entries.ts'
import { checkArchive, checkEvents, checkJournal, checkState } from './check-history.ts'
import { checkConversations, checkSessions } from './check-sessions.ts'
import {
  checkFiles,
  checkGit,
  checkIndex,
  checkProjections,
  checkRows,
  checkRules,
  checkWorkspaces,
} from './check-surroundings.ts'
import type { ValidationCheck } from './validation-run.ts'

/** Checks of more than one kind of file, or of files outside the memory. */
type WideCheck = 'files' | 'links' | 'projections' | 'rules' | 'secrets' | 'workspaces'
export type CheckName = FileCheck | WideCheck

/** In the order in which they run. A file with a new `check` in its row (`src/kernel/layout.ts`) has it here. */
export const CHECKS: Readonly<Record<CheckName, ValidationCheck>> = {
  files: checkFiles,
  vault: checkVault,
  links: checkLinks,
  project: checkProject,
  config: checkConfig,
  curation: checkCuration,
  proposals: checkProposals,
  sources: checkSources,
  state: checkState,
  events: checkEvents,
  journal: checkJournal,
  archive: checkArchive,
  sessions: checkSessions,
  conversations: checkConversations,
  workspaces: checkWorkspaces,
  projections: checkProjections,
  rules: checkRules,
  index: checkIndex,
  git: checkGit,
  secrets: checkSecrets,
}

/** On a hub there are rows in place of an index in a file; two more checks read the same there. */
export const HUB_CHECKS: Partial<Record<CheckName, ValidationCheck>> = {
  index: checkRows,
  state: checkState,
  conversations: checkConversations,
}

export const CHECK_NAMES = Object.keys(CHECKS) as readonly CheckName[]
