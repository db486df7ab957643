import type { Entry } from './entry.ts'

/** Every agent reads these in addition to its own vault. */
const COMMON_VAULTS: ReadonlySet<string> = new Set(['shared', 'private'])

/** Whether this agent reads the entry; without one, every vault is read. */
export function isReadBy({ agent }: Pick<Entry, 'agent'>, reader: string | undefined): boolean {
  return reader === undefined || agent === reader || COMMON_VAULTS.has(agent)
}

export function isCommonVault(agent: string): boolean {
  return COMMON_VAULTS.has(agent)
}

/** Whether any agent reads both. */
export function haveOneReader(a: Pick<Entry, 'agent'>, b: Pick<Entry, 'agent'>): boolean {
  return isReadBy(a, b.agent) || isReadBy(b, a.agent)
}
