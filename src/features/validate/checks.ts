import type { FileCheck } from '../../kernel/layout.ts'
import {
  checkConfig,
  checkCuration,
  checkLinks,
  checkProject,
  checkProposals,
  checkSecrets,
  checkSources,
  checkVault,
} from './check-content.ts'
import {
  checkArchive,
  checkConversations,
  checkEvents,
  checkJournal,
  checkSessions,
  checkState,
} from './check-history.ts'
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

/** A hub has rows instead of an index file; two more checks work there too. */
export const HUB_CHECKS: Partial<Record<CheckName, ValidationCheck>> = {
  index: checkRows,
  state: checkState,
  conversations: checkConversations,
}

export const CHECK_NAMES = Object.keys(CHECKS) as readonly CheckName[]
