import type { HostId, InstallLevel } from '../model/host.ts'
import type {
  AppliedInstall,
  InstallPlan,
  InstallRequest,
  UninstallRequest,
} from '../pipeline/install/install-plan.ts'
import type { InstallParts } from './install-parts.ts'

/** Whether a host is on this machine, and by what that is seen. */
export interface DetectedHost {
  readonly host: HostId
  readonly found: boolean
  /** In words: "~/.claude is there", "claude is on the path (/usr/bin/claude)". Empty when not found. */
  readonly evidence: readonly string[]
  /** Levels at which something of ours stands there already. */
  readonly installed: readonly InstallLevel[]
  /** A memory of the host's own that is on, so that the user can be asked about it. */
  readonly ownMemory: { readonly name: string; readonly isOn: boolean; readonly where: string } | null
}

export interface InstalledPiece {
  /** In words: "hooks", "MCP server", "permission", "command remember". */
  readonly name: string
  readonly path: string
  /** `outdated`: ours, and not as this version writes it. `broken`: it cannot be read, or somebody else's stands in its place. */
  readonly state: 'none' | 'current' | 'outdated' | 'broken'
  readonly words: string
}

export interface InstallState {
  readonly host: HostId
  readonly level: InstallLevel
  /** `partly`: some pieces are there and some are not. */
  readonly state: 'none' | 'current' | 'outdated' | 'broken' | 'partly'
  readonly pieces: readonly InstalledPiece[]
}

export type DetectHosts = (parts: InstallParts) => readonly DetectedHost[]
/** Throws `host_config_damaged` when a file does not parse. Reads only. */
export type PlanInstall = (parts: InstallParts, request: InstallRequest) => InstallPlan
/** Throws `host_config_changed` when a file is not what it was when the plan was made. */
export type ApplyInstall = (parts: InstallParts, plan: InstallPlan) => Promise<AppliedInstall>
/** Throws `install_not_found` when nothing of ours is there. */
export type PlanUninstall = (parts: InstallParts, request: UninstallRequest) => InstallPlan
export type ApplyUninstall = (parts: InstallParts, plan: InstallPlan) => Promise<AppliedInstall>
export type InspectInstall = (parts: InstallParts, host: HostId, level: InstallLevel) => InstallState
