import type { Operation } from '../../operations/operation.ts'

/**
 *   read    answered to whoever is on this machine
 *   write   changes something: needs the token
 *   local   the same, and never for a request that was forwarded from elsewhere
 */
export type Access = 'read' | 'write' | 'local'

/** A verb behind a path: its schemas are the contract. */
export interface Route<Verb = Operation> {
  readonly access: Access
  load(): Promise<Verb>
}

export function route<Verb>(access: Access, load: () => Promise<Verb>): Route<Verb> {
  return { access, load }
}
