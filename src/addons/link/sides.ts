import type { Entry } from '../../kernel/model/entry.ts'
import type { HubClient } from './decide/hub-client.ts'
import type { LinkState } from './decide/link-state.ts'
import type { Print } from './decide/shared-entry.ts'
import type { LocalVault } from './local-vault.ts'

/** What a sync is between. */
export interface Sides {
  readonly local: LocalVault
  readonly state: LinkState
  readonly hub: HubClient
  readonly print: Print
  /** The last look before anything leaves: what is kept is free of secrets already, but a file may be typed by hand. */
  readonly holdsSecret: (text: string) => Promise<boolean>
  /** Of a push: never used before. */
  readonly newPushId: () => string
}

/** Everything of an entry that somebody wrote. */
export function textOf({ content, kind, tags, files, session, extra }: Entry): string {
  // A name tells what its value is: `password: …`.
  const named = Object.entries(extra ?? {}).map(([name, value]) => `${name}: ${value}`)
  return [content, kind, ...tags, ...files, session ?? '', ...named].join('\n')
}
