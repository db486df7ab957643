import type { EntityType } from '../../../kernel/model/graph.ts'
import { analyseEntry, analyseQuery } from '../../../kernel/text/analyse.ts'
import { findMentions } from '../../../kernel/text/entities/find-entities.ts'
import type { Language } from '../../../kernel/text/language.ts'

/** Seed B, section 4.1: hot memory is for rules that more than 80 % of conversations need. */
export const NEEDED_SHARE = 0.8
/** With fewer sessions a share means little: with 15, one session is 7 %. */
export const MIN_SESSIONS = 15

/** The subject of one session, for lookups. */
export interface SessionSubject {
  readonly tokens: ReadonlySet<string>
  readonly entities: ReadonlySet<string>
}

/** How often sessions were about the subject of a rule. */
export type RuleUse =
  | { readonly kind: 'measured'; readonly touched: number; readonly sessions: number; readonly share: number }
  /** The rule says how to work, so sessions cannot show whether it was needed. */
  | { readonly kind: 'no subject' }

const LANGUAGES: ReadonlySet<Language> = new Set(['en', 'pt'])
/** Entities that can be the subject of a rule; people are named for many reasons. */
const SUBJECTS: ReadonlySet<EntityType> = new Set(['file', 'package', 'command', 'service'])
/** The share of a rule's word weight that a session must contain to be about the rule. */
const TOUCHED_WEIGHT = 0.5

export function sessionSubject(texts: readonly string[]): SessionSubject {
  const tokens = new Set<string>()
  const entities = new Set<string>()
  for (const content of texts) {
    const { body } = analyseEntry({ content, tags: [], files: [], kind: '', date: '' })
    for (const token of body.split(' ')) tokens.add(token)
    for (const entity of entitiesOf(content)) entities.add(entity)
  }
  return { tokens, entities }
}

function entitiesOf(text: string): Set<string> {
  return new Set(
    findMentions(text).flatMap(({ type, name }) => (SUBJECTS.has(type) ? [`${type}:${name}`] : [])),
  )
}

/**
 * The share of sessions that were about what the rule is about: they name one of its files, packages, commands or services, or at
 * least half of its words by weight. A word weighs less the more sessions have it, and one that no session has weighs nothing:
 *
 *   weight = ln(1 + sessions / (1 + sessions with the word))
 */
export function measureRule(text: string, sessions: readonly SessionSubject[]): RuleUse {
  const entities = [...entitiesOf(text)]
  const words = analyseQuery(text, { languages: LANGUAGES })
    .filter(({ source }) => source === 'word' || source === 'identifier')
    .map(({ variants }) => variants.filter(({ weight }) => weight === 1).map(({ token }) => token))
  const weighed = words.flatMap(tokens => {
    const having = sessions.filter(session => tokens.some(token => session.tokens.has(token))).length
    return having === 0 ? [] : [{ tokens, weight: Math.log(1 + sessions.length / (1 + having)) }]
  })
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  const touched = sessions.filter(session => {
    if (entities.some(entity => session.entities.has(entity))) return true
    const shared = weighed.filter(({ tokens }) => tokens.some(token => session.tokens.has(token)))
    // One word of many is not enough.
    if (shared.length < Math.min(2, words.length)) return false
    return shared.reduce((sum, { weight }) => sum + weight, 0) >= total * TOUCHED_WEIGHT
  }).length
  if (touched === 0 && entities.length === 0) return { kind: 'no subject' }
  return { kind: 'measured', touched, sessions: sessions.length, share: touched / sessions.length }
}
