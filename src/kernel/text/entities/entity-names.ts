import { ENTITY_TYPES, type EntityRef } from '../../model/graph.ts'
import { foldText } from '../fold.ts'
import { hostOfUrl, serviceNamed, serviceOfHost } from './known-services.ts'

interface NamedEntity {
  /** The entities that it may be stored as. */
  readonly refs: readonly EntityRef[]
  /** If none of those exists: the end of a file's path. */
  readonly fileEnd: string | undefined
}

/** `service:redis`, `Postgres`, `@ana`, `auth.ts`, `https://api.acme.io/v2`: which entities a person may mean. */
export function entityNamed(name: string): NamedEntity {
  const [, type, rest] = /^(file|package|command|service|person):(.*)$/s.exec(name) ?? []
  const bare = (rest ?? name).trim().replace(/^@(?!.*\/)/, '')
  const folded = foldText(bare)
  const types = ENTITY_TYPES.filter(each => type === undefined || each === type)
  const refs = types.flatMap(each => {
    const usual = each === 'service' ? serviceMeant(bare, folded) : undefined
    const names = new Set([bare, folded, ...(usual === undefined ? [] : [usual])])
    return Array.from(names, (one): EntityRef => ({ type: each, name: one }))
  })
  return { refs, fileEnd: types.includes('file') ? `/${bare.replace(/^\.?\//, '')}` : undefined }
}

/** A host is stored without the rest of its address. */
function serviceMeant(bare: string, folded: string): string | undefined {
  const host = hostOfUrl(bare)
  return host === undefined ? serviceNamed(folded) : serviceOfHost(host)
}
