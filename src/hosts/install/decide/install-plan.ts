import type { HostId, InstallLevel } from '../../../kernel/model/host.ts'

/** How hosts call this program: by its name if `cairn` on the PATH is this installation, otherwise by its path. */
export type CairnCommand =
  | { readonly kind: 'on-path' }
  | { readonly kind: 'script'; readonly node: string; readonly script: string }

/** What the user asked for. */
export interface InstallRequest {
  readonly hosts: readonly HostId[]
  readonly level: InstallLevel
  /** Claude Code's own memory is switched off too. Never without a yes to exactly this. */
  readonly switchOffAutoMemory?: boolean
  /** false: no slash commands, skills and rules. */
  readonly commands?: boolean
}

export interface HostUninstallRequest {
  /** Absent: every host of which there is a record. */
  readonly hosts?: readonly HostId[]
  /** Absent: both. Of project level only this project's files. */
  readonly level?: InstallLevel
}

/** One file of a host before and after the change. */
export interface HostFileChange {
  readonly host: HostId
  readonly level: InstallLevel
  /** Absolute. A link remains, and its target is written. */
  readonly path: string
  /** The pieces to add or remove, in words for the user: "hook SessionStart", "MCP server cairn", … */
  readonly what: readonly string[]
  readonly change: 'create' | 'edit' | 'remove' | 'none'
  /** The whole text, null where there is no file. Hosts store keys in these files: they are never printed or written elsewhere. */
  readonly before: string | null
  readonly after: string | null
}

/**
 * What the user must know or do in addition.
 *
 *   to-do     what the host still requires of its user
 *   left      something that is not ours has the place, and remains
 *   limit     what the host does not do, or was not seen to do
 *   refused   a file of this host cannot be edited, and nothing of this host is changed
 */
export interface Remark {
  readonly host: HostId
  readonly kind: 'to-do' | 'left' | 'limit' | 'refused'
  readonly message: string
  readonly hint: string
}

export type InstallPlan = PlannedChanges &
  (
    | { readonly kind: 'install'; readonly request: InstallRequest }
    | { readonly kind: 'uninstall'; readonly request: HostUninstallRequest }
  )

interface PlannedChanges {
  readonly changes: readonly HostFileChange[]
  readonly remarks: readonly Remark[]
}

export interface AppliedInstall {
  /** Those that were made, in order. */
  readonly changed: readonly HostFileChange[]
  readonly remarks: readonly Remark[]
}
