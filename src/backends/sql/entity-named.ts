import { ENTITY_TYPES } from '../../model/graph.ts'
import { serviceNamed } from '../../text/entities/known-services.ts'
import { foldText } from '../../text/fold.ts'
import { entityKey } from './about-row.ts'

export interface NamedEntity {
  readonly keys: readonly string[]
  /** Where no key is there: the end of the path of a file. */
  readonly fileEnd: string | undefined
}

/** `service:redis`, `Postgres`, `@ana`, `auth.ts`: under which keys what a person calls so may be stored. */
export function entityNamed(name: string): NamedEntity {
  const [, type, rest] = /^(file|package|command|service|person):(.*)$/s.exec(name) ?? []
  const bare = (rest ?? name).trim().replace(/^@(?!.*\/)/, '')
  const folded = foldText(bare)
  const types = ENTITY_TYPES.filter(each => type === undefined || each === type)
  const keys = types.flatMap(each => {
    const usual = each === 'service' ? serviceNamed(folded) : undefined
    const names = [bare, folded, ...(usual === undefined ? [] : [usual])]
    return names.map(one => entityKey({ type: each, name: one }))
  })
  return {
    keys: [...new Set(keys)],
    fileEnd: types.includes('file') ? `/${bare.replace(/^\.?\//, '')}` : undefined,
  }
}
