import { CairnError } from '../../kernel/model/errors.ts'
import type { HubFeed } from './decide/hub-feed.ts'

/** A memory in a folder is no project on a hub: it is linked to one. */
export const noHub: HubFeed = {
  hello: refuse,
  changesAfter: refuse,
  versions: refuse,
  answered: refuse,
  keepAnswer: refuse,
  revision: refuse,
}

async function refuse(): Promise<never> {
  throw new CairnError({
    code: 'hub_refused',
    message: 'This server serves the memory of one folder, and is no hub.',
    hint: 'A hub is `cairn up --store postgres://…`; give its address to `cairn link`.',
  })
}
