import type { FreshnessPorts } from '../../../features/freshness/decide/ports.ts'
import type { ObsidianVault } from './obsidian-vault.ts'

export interface ObsidianPorts {
  /** The notes of the Obsidian vault that the user linked. */
  readonly obsidian: ObsidianVault
}

/** What a sync of notes and entries needs. */
export interface NotePorts extends ObsidianPorts, FreshnessPorts {}
