import type { FreshnessPorts } from '../../../features/freshness/decide/ports.ts'
import type { ObsidianVault } from './obsidian-vault.ts'

export interface ObsidianPorts {
  /** The notes of an Obsidian vault that are kept in step with the entries, where this user linked one. */
  readonly obsidian: ObsidianVault
}

/** What a sync of notes and entries needs. */
export interface NotePorts extends ObsidianPorts, FreshnessPorts {}
