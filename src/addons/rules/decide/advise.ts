import type { EntityType } from '../../../kernel/model/graph.ts'
import { analyseEntry, analyseQuery } from '../../../kernel/text/analyse.ts'
import { findMentions } from '../../../kernel/text/entities/find-entities.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import type { Language } from '../../../kernel/text/language.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import type { HotFile, HotLimits, HotTotals } from './lint.ts'
import { type Rule, readRuleFile } from './rule-file.ts'

/** A rule of the common files and its position. */
interface RuleInFile {
  readonly file: string
  readonly rule: Rule
}

/** How many sessions an entry was injected into, according to their briefs. */
export interface InjectedEntry {
  readonly id: string
  readonly content: string
  readonly kind: string
  readonly told: number
  readonly sessions: number
}

interface DemotionProposal {
  /** `user-profile.md#4f9a1c` */
  readonly rule: string
  readonly file: string
  readonly line: number
  readonly text: string
  readonly touched: number
  readonly sessions: number
  /** The file to move it to. */
  readonly to: string
}

interface PromotionProposal {
  readonly entry: string
  readonly text: string
  readonly told: number
  readonly sessions: number
  readonly file: string
  /** The rule that must be demoted first; absent if there is room. */
  readonly demote?: string
}

export interface HotAdvice {
  /** The number of closed sessions that were measured; below `MIN_SESSIONS` there is no advice. */
  readonly sessions: number
  readonly needed: number
  readonly demote: readonly DemotionProposal[]
  readonly promote: readonly PromotionProposal[]
  /** Rules that sessions cannot measure. */
  readonly unmeasured: number
}

interface AdviceInput {
  readonly rules: readonly RuleInFile[]
  readonly sessions: readonly SessionSubject[]
  readonly told: readonly InjectedEntry[]
  readonly files: readonly HotFile[]
  readonly totals: HotTotals
  readonly limits: HotLimits
  /** Names of workspaces, to find the owner of a rule. */
  readonly workspaces: readonly string[]
  readonly learnings: string
  /** Fingerprints of the rules that `hot init` writes: they are about Cairn, so no session is about them. */
  readonly ownRules: ReadonlySet<string>
}

const MAX_PROPOSALS = 10
/** The file for each kind of entry (seed B, section 4.1); another file if it does not exist. */
const HOME_OF_PREFERENCES = 'user-profile.md'
const HOME = 'global-conventions.md'

export function ruleName(file: string, rule: Rule): string {
  return `${file.slice(file.lastIndexOf('/') + 1)}#${rule.key}`
}

/** Proposes moves, judged by the subjects of sessions and by what was injected into them. With too few sessions it proposes nothing. */
export function adviseHot(input: AdviceInput): HotAdvice {
  const { rules, sessions, told, ownRules } = input
  const quiet = { sessions: sessions.length, needed: MIN_SESSIONS, unmeasured: 0 }
  const enough = sessions.length >= MIN_SESSIONS
  const demotions: (DemotionProposal & { readonly share: number })[] = []
  let unmeasured = 0
  for (const { file, rule } of enough ? rules : []) {
    if (ownRules.has(fingerprint(rule.text))) continue
    const use = measureRule(rule.text, sessions)
    if (use.kind === 'no subject') unmeasured += 1
    else if (use.share < NEEDED_SHARE) {
      const { touched, share } = use
      const name = ruleName(file, rule)
      const to = warmHome(rule.text, input)
      const { line, text } = rule
      demotions.push({ rule: name, file, line, text, touched, sessions: sessions.length, to, share })
    }
  }
  demotions.sort((a, b) => a.share - b.share || (a.rule < b.rule ? -1 : 1))
  const hot = new Set(rules.map(({ rule }) => fingerprint(rule.text)))
  const promote = told
    .filter(entry => entry.sessions >= MIN_SESSIONS && entry.told / entry.sessions > NEEDED_SHARE)
    .filter(({ content }) => !hot.has(fingerprint(content)))
    .sort((a, b) => b.told / b.sessions - a.told / a.sessions || (a.id < b.id ? -1 : 1))
    .flatMap(entry => promotionOf(entry, input, demotions[0]?.rule))
  return {
    ...quiet,
    unmeasured,
    demote: demotions.slice(0, MAX_PROPOSALS).map(({ share: _share, ...proposal }) => proposal),
    promote: promote.slice(0, MAX_PROPOSALS),
  }
}

function promotionOf(
  entry: InjectedEntry,
  input: AdviceInput,
  least: string | undefined,
): PromotionProposal[] {
  const file = hotHome(entry.kind, input.files)
  if (file === undefined) return []
  const { id, content, told, sessions } = entry
  const fits = hasRoom(content, file, input)
  // The files are full and no rule is known to be unnecessary, so there is nothing to propose.
  if (!fits && least === undefined) return []
  return [
    {
      entry: id,
      text: content,
      told,
      sessions,
      file: file.path,
      ...(!fits && least !== undefined && { demote: least }),
    },
  ]
}

/** The file for a new rule: by its kind, otherwise the one with the most room. */
export function hotHome(kind: string, files: readonly HotFile[]): HotFile | undefined {
  const common = files.filter(({ source }) => source === 'common')
  const wanted = kind === 'preference' ? HOME_OF_PREFERENCES : HOME
  return common.find(({ path }) => path.endsWith(`/${wanted}`)) ?? common.toSorted(byRoom)[0]
}

function byRoom(a: HotFile, b: HotFile): number {
  return roomOf(b) - roomOf(a)
}

function roomOf({ budget, lines }: HotFile): number {
  return budget.kind === 'lines' ? budget.lines - lines : 0
}

/** Whether a rule with this text fits the file's own budget and both totals. */
export function hasRoom(
  text: string,
  file: HotFile,
  { totals, limits }: Pick<AdviceInput, 'totals' | 'limits'>,
): boolean {
  const lines = text.trim().split('\n').length
  const own = file.budget.kind === 'lines' ? file.budget.lines : Infinity
  return (
    file.lines + lines <= own &&
    totals.lines + lines <= limits.maxLines &&
    totals.tokens + estimateTokens(`- ${text}\n`) <= limits.maxTokens
  )
}

const CHOICE = /\b(?:decided|decision|chose|choose|instead of|we use|use|prefer|because)\b/i

/** A rule that names a workspace goes to that workspace; any other goes to the shared vault. */
export function warmHome(
  text: string,
  {
    workspaces,
    learnings,
    workspace: named,
  }: Pick<AdviceInput, 'workspaces' | 'learnings'> & { readonly workspace?: string },
): string {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [])
  const workspace = named ?? workspaces.find(name => words.has(name.toLowerCase()))
  const kind = CHOICE.test(text) ? 'decisions' : 'lessons'
  return workspace === undefined ? `.memory/shared/${kind}.md` : `${learnings}/${workspace}/${kind}.md`
}

/** Fingerprints of the rules in a text that `hot init` writes. */
export function printsOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap(text => readRuleFile(text).rules.map(rule => fingerprint(rule.text))))
}

/** Seed B, section 4.1: hot memory is for rules that more than 80 % of conversations need. */
const NEEDED_SHARE = 0.8
/** With fewer sessions a share means little: with 15, one session is 7 %. */
const MIN_SESSIONS = 15

/** The subject of one session, for lookups. */
export interface SessionSubject {
  readonly tokens: ReadonlySet<string>
  readonly entities: ReadonlySet<string>
}

/** How often sessions were about the subject of a rule. */
type RuleUse =
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
