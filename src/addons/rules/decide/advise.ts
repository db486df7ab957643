import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import type { HotFile, HotLimits, HotTotals } from './lint.ts'
import { type Rule, readRuleFile } from './rule-file.ts'
import { MIN_SESSIONS, measureRule, NEEDED_SHARE, type SessionSubject } from './rule-use.ts'

/** A rule of the common files and its position. */
export interface RuleInFile {
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

export interface DemotionProposal {
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

export interface PromotionProposal {
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

export interface AdviceInput {
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
