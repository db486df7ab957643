/**
 * Every failure Cairn reports: a code for programs, a message that names the subject, a hint with the next step. The class decides the
 * exit code (CLI) and the HTTP status; surfaces decide how it looks.
 */
export const ERROR_CLASSES = {
  usage: { exitCode: 2 },
  not_found: { exitCode: 3 },
  conflict: { exitCode: 4 },
  refused: { exitCode: 5 },
  storage: { exitCode: 6 },
  /** The command did not fail: it checked something and found problems (`cairn validate`). */
  invalid: { exitCode: 7 },
  /** A bug in Cairn: no code matches, and the message is shown unchanged. */
  internal: { exitCode: 1 },
} as const

export type ErrorClass = keyof typeof ERROR_CLASSES

/** The table of all codes. A code that is added here is also documented (docs/reference/errors.md). */
export const ERROR_CODES = {
  invalid_input: 'usage',
  unknown_verb: 'usage',
  agent_id_invalid: 'usage',
  content_empty: 'usage',
  content_too_long: 'usage',
  query_empty: 'usage',
  session_id_invalid: 'usage',
  source_unreadable: 'usage',
  config_key_unknown: 'usage',
  config_value_invalid: 'usage',
  scope_invalid: 'usage',
  front_matter_invalid: 'usage',
  host_unknown: 'usage',
  body_too_large: 'usage',
  method_unknown: 'usage',
  route_not_found: 'not_found',
  entry_not_found: 'not_found',
  entity_not_found: 'not_found',
  record_not_found: 'not_found',
  alias_not_found: 'not_found',
  file_not_found: 'not_found',
  brief_not_found: 'not_found',
  nothing_to_undo: 'not_found',
  session_not_found: 'not_found',
  finding_not_found: 'not_found',
  conflict_not_found: 'not_found',
  batch_not_found: 'not_found',
  workspace_not_found: 'not_found',
  plan_not_found: 'not_found',
  source_not_found: 'not_found',
  checkpoint_not_found: 'not_found',
  skill_not_found: 'not_found',
  template_not_found: 'not_found',
  state_not_found: 'not_found',
  transcript_not_found: 'not_found',
  project_not_found: 'not_found',
  install_not_found: 'not_found',
  task_not_found: 'not_found',
  principal_not_found: 'not_found',
  token_not_found: 'not_found',
  ambiguous_match: 'conflict',
  undo_conflict: 'conflict',
  entry_changed: 'conflict',
  session_exists: 'conflict',
  restore_conflict: 'conflict',
  file_changed: 'conflict',
  file_exists: 'conflict',
  entry_block_damaged: 'conflict',
  merge_conflict: 'conflict',
  host_config_damaged: 'conflict',
  host_config_changed: 'conflict',
  text_changed: 'conflict',
  agent_busy: 'conflict',
  task_state_conflict: 'conflict',
  lease_lost: 'conflict',
  project_exists: 'conflict',
  not_confirmed: 'refused',
  not_trusted: 'refused',
  not_initialised: 'refused',
  token_missing: 'refused',
  token_refused: 'refused',
  scope_missing: 'refused',
  not_on_hub: 'refused',
  not_linked: 'refused',
  hub_refused: 'refused',
  request_refused: 'refused',
  agent_host_off: 'refused',
  obsidian_not_linked: 'refused',
  obsidian_vault_missing: 'refused',
  obsidian_deletions_held: 'refused',
  model_off: 'refused',
  model_cap_reached: 'refused',
  vault_read_only: 'refused',
  vault_newer: 'refused',
  memory_outside_project: 'refused',
  memory_not_a_folder: 'refused',
  not_a_project_folder: 'refused',
  disk_full: 'storage',
  store_locked: 'storage',
  store_io: 'storage',
  store_unreachable: 'storage',
  hub_unreachable: 'storage',
  backup_damaged: 'storage',
  vault_file_damaged: 'storage',
  document_damaged: 'storage',
  index_unavailable: 'storage',
  write_interrupted: 'storage',
  embedder_unavailable: 'storage',
  embedder_busy: 'storage',
  embedder_failed: 'storage',
  model_unavailable: 'storage',
  model_failed: 'storage',
  agent_host_failed: 'storage',
  port_taken: 'storage',
  too_many_requests: 'storage',
} as const satisfies Record<string, ErrorClass>

export type ErrorCode = keyof typeof ERROR_CODES

/** For a failure that is part of an answer. */
export function exitCodeOf(code: string): number {
  return ERROR_CLASSES[ERROR_CODES[code as ErrorCode] ?? 'internal'].exitCode
}

export interface CairnErrorFields {
  readonly code: ErrorCode
  readonly message: string
  readonly hint: string
  /** Further facts for programs (candidates of an ambiguous match, line numbers). Never a secret. */
  readonly details?: Record<string, unknown>
  readonly cause?: unknown
}

export class CairnError extends Error {
  readonly code: ErrorCode
  readonly hint: string
  readonly details: Record<string, unknown> | undefined

  constructor(fields: CairnErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = 'CairnError'
    this.code = fields.code
    this.hint = fields.hint
    this.details = fields.details
  }

  get class(): ErrorClass {
    return ERROR_CODES[this.code]
  }

  get exitCode(): number {
    return ERROR_CLASSES[this.class].exitCode
  }
}
