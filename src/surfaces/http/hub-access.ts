import { CairnError } from '../../kernel/model/errors.ts'
import type { Access, HubAccess } from '../../verbs/operation.ts'
import { CONTRACT } from './contract.ts'
import type { RouteName } from './paths.generated.ts'
import type { Route } from './route.ts'

const OF_ACCESS: Readonly<Record<Access, HubAccess>> = {
  // It says of which project it is.
  open: 'read',
  read: 'read',
  write: 'write',
  local: 'not_on_hub',
}

export function hubAccessOf(name: RouteName): HubAccess {
  const { access, onHub }: Pick<Route, 'access' | 'onHub'> = CONTRACT[name]
  return onHub ?? OF_ACCESS[access]
}

export function notOnHub(name: string): CairnError {
  return new CairnError({
    code: 'not_on_hub',
    message: `\`${name.slice(0, 40)}\` is about files or programs of one machine, which a hub has none of.`,
    hint: 'Do it in a clone of the repository, where its memory lies beside the files.',
  })
}
