import type { Entity } from '../../model/graph.ts'
import { foldText } from '../fold.ts'
import { isPackageName } from './known-packages.ts'
import { isServiceName } from './known-services.ts'

/* A name counts only next to something that people do, say, own or are: a wrong person is worse than a missing one. */
const UPPER = 'A-ZÀ-ÖØ-Þ'
const LOWER = 'a-zß-öø-ÿ'
const NAME_WORD = `[${UPPER}][${LOWER}]+(?:[-'’][${UPPER}][${LOWER}]+)?`
const NAME = `${NAME_WORD}(?: (?:(?:da|de|do|das|dos|van|von|der|bin|al) )?${NAME_WORD}){0,2}`
const BEFORE = `(?<![\\w${UPPER}${LOWER}@/.\`-])`

/** `Ana and Rui have` | decided */
const NAMES_BEFORE = new RegExp(
  `${BEFORE}(${NAME})(?:(?:,| and| e| &) (?:[ao] )?(${NAME}))? (?:have |has |had |já |also |então )?$`,
)
/** decided by | `o Rui Costa` */
const NAME_BEHIND = new RegExp(`^ (?:[oa] )?(${NAME})(?![\\w${LOWER}${UPPER}/@-])`)
/** `Ana from the payments` | team */
const OF_TEAM = new RegExp(`${BEFORE}(${NAME}) (?:from|of|do|da) (?:the |o |a )?(?:\\w+ )?$`)
const ARTICLE_BEFORE = /(?:^|[\s,.;(])(?:our|the|nossa|nosso)\s$/i
const REACH = 80
/** The part of a URL before its host. */
const MAX_USER_LENGTH = 200

/** What people do, say and own: phrases after a name. */
const DID = phrases(
  'decided|agreed|proposed|suggested|insisted|recommended|recommends|prefers|preferred|wants|wanted|asked|wrote|said|says|thinks|chose|picked|approved|owns|maintains|reviewed|reported|confirmed|noticed|requested|explained|warned|mentioned|objected|argued|volunteered|told|promised|joined|left the|will own|will take|will review|is responsible|is on call|pointed out|signed off|took over|decidiu|decidiram|aprovou|sugeriu|pediu|propôs|disse|escolheu|escreveu|confirmou|prefere|quer|revisou|corrigiu|avisou|recomendou|definiu|explicou|lembrou|cuida|é responsável|é dono|é dona|vai cuidar',
)
/** Phrases before a name. */
const BY = phrases(
  'according to|decided by|owned by|maintained by|written by|reviewed by|approved by|suggested by|chosen by|proposed by|requested by|reported by|found by|introduced by|fixed by|assigned to|ask|ping|talk to|check with|spoke with|credit to|segundo|conforme|acordo com|decidido por|decidido pelo|decidido pela|aprovado por|aprovado pelo|aprovado pela|escrito por|escrito pelo|escrito pela|fale com|falar com|pergunte ao|pergunte a|pergunte à|pergunte para|perguntar ao|perguntar a|perguntar à|perguntar para|quem aprova é|quem decide é|quem cuida é|quem mantém é',
)
const ROLE = phrases(
  'tech lead|team lead|lead|cto|ceo|cfo|pm|po|product owner|product manager|engineering manager|manager|designer|architect|sre|dba|devops|backend|frontend|qa|security|intern|on call|data engineer|data scientist|staff engineer|líder|gerente|arquiteto|arquiteta|estagiário|estagiária',
)
const TEAM = new Set('team squad time equipe platform ops design security'.split(' '))

/** `will own|will take` → will: [' own', ' take'] */
function phrases(list: string): ReadonlyMap<string, readonly string[]> {
  const restsByFirst = new Map<string, string[]>()
  for (const phrase of list.split('|')) {
    const [first = ''] = phrase.split(' ', 1)
    restsByFirst.set(first, [...(restsByFirst.get(first) ?? []), phrase.slice(first.length)])
  }
  return restsByFirst
}

/** Lower case: `@Serializable` is an annotation. Neither a scope (`@a/b`) nor a call (`@a()`, `@a.b`). */
const HANDLE = /(?<![\w/.@`-])@([a-z][\w-]{1,38})(?![\w-]|[/(@]|\.\w)/g

const NO_HANDLE = new Set(
  `param params returns return throws type typedef deprecated see since example author override test before after beforeeach aftereach
   media import charset font-face keyframes supports layer property page include mixin extend use apply tailwind
   here channel everyone all team types latest next beta canary injectable component module controller entity column
   transactional autowired bean service repository data getter setter nullable notnull suppresswarnings preauthorize
   app main dataclass staticmethod classmethod pytest mock patch cached_property decorator todo fixme ts-ignore
   ts-expect-error internal public private readonly input output state prop watch published objc escaping`
    .split(/\s+/)
    .filter(word => word !== ''),
)
/** Words that begin a sentence, or name a group, a time or a thing. */
const NO_NAME = new Set(
  `we they he she it you i who nobody everyone someone anybody everybody this that these those the a an there here what which when where why how if
   but and or so then also not never always please note decision lesson warning error handoff pinned todo fixme review
   team legal support management marketing ops operations security product sales finance engineering design customer customers
   users user client clients reviewer reviewers maintainer maintainers developers admin admins staff board company
   monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
   october november december segunda terça quarta quinta sexta sábado domingo janeiro fevereiro março abril maio junho julho
   agosto setembro outubro novembro dezembro nós eles elas ele ela você vocês quem ninguém todos isso este esta esse essa
   equipe time cliente clientes usuário usuários o os as um uma não nunca sempre se mas também
   google amazon microsoft apple meta facebook node python java rust go typescript javascript ruby swift kotlin windows linux macos
   english british portuguese american european german french arabic persian chinese japanese korean spanish italian russian
   hebrew hindi turkish dutch greek polish unicode latin api cli ci prod staging production upstream root rails spring react
   each every some any all both one two three only just even yes no after before while since until because now today yesterday
   claude codex gemini copilot cursor cairn bot dependabot renovate chrome firefox safari android`
    .split(/\s+/)
    .filter(word => word !== ''),
)
/** A text without any of these words names no person. */
export const PEOPLE_CUES: ReadonlySet<string> = new Set([
  ...DID.keys(),
  ...BY.keys(),
  ...ROLE.keys(),
  ...TEAM,
  'per',
])

export interface NameCue {
  /** Lower case. */
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Looks for a name only next to a cue: one pattern for the whole text would cost a cold process milliseconds to compile. */
export function findPeople(
  text: string,
  cues: readonly NameCue[],
  inCode: (at: number) => boolean,
): Entity[] {
  const found: Entity[] = []
  const take = (name: string | undefined, at: number) => {
    if (name === undefined || inCode(at)) return
    const words = name.split(' ')
    let start = at
    // "Then Ana decided": the first word of the sentence is not part of the name.
    while (words.length > 0 && isNoName(words[0] ?? '')) start += (words.shift() ?? '').length + 1
    const rest = words.join(' ')
    if (rest === '' || words.some(isNoName)) return
    found.push({ type: 'person', name: personKey(rest), text: rest, at: start })
  }
  const takeBefore = (pattern: RegExp, end: number) => {
    const from = Math.max(0, end - REACH)
    const match = pattern.exec(text.slice(from, end))
    if (match === null) return
    take(match[1], from + match.index)
    if (match[2] !== undefined)
      take(match[2], from + match.index + match[0].indexOf(match[2], match[1]?.length ?? 0))
  }
  const takeBehind = (start: number, mustEnd?: RegExp) => {
    const match = NAME_BEHIND.exec(text.slice(start, start + REACH))
    if (match === null || mustEnd?.test(text[start + match[0].length] ?? '') === false) return
    take(match[1], start + match[0].length - (match[1]?.length ?? 0))
  }
  for (const cue of cues) {
    const { word, start, end } = cue
    if (phraseEnd(text, DID, cue) !== undefined) takeBefore(NAMES_BEFORE, start)
    const by = phraseEnd(text, BY, cue)
    if (by !== undefined) takeBehind(by)
    if (word === 'per' && isSentenceStart(text, start)) takeBehind(end, /[:,)]/)
    const role = phraseEnd(text, ROLE, cue)
    if (role !== undefined && text[start - 1] === '(') takeBefore(NAMES_BEFORE, start - 1)
    else if (role !== undefined && ARTICLE_BEFORE.test(text.slice(Math.max(0, start - 8), start)))
      takeBehind(role)
    if (TEAM.has(word)) takeBefore(OF_TEAM, start)
  }
  if (text.includes('@')) {
    for (const match of text.matchAll(HANDLE)) {
      const handle = match[1] ?? ''
      if (!NO_HANDLE.has(handle.toLowerCase()) && !inCode(match.index) && !isInUrl(text, match.index))
        found.push({ type: 'person', name: personKey(handle), text: `@${handle}`, at: match.index })
    }
  }
  return found
}

/** `redis://[redacted:connection_string]@cache:6379` names a host. */
function isInUrl(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_USER_LENGTH), at)
  return before.slice(before.search(/\S+$/)).includes('://')
}

/** The end of a phrase that begins with the cue. */
function phraseEnd(
  text: string,
  known: ReadonlyMap<string, readonly string[]>,
  { word, end }: NameCue,
): number | undefined {
  const rest = known
    .get(word)
    ?.find(each => each === '' || text.slice(end, end + each.length).toLowerCase() === each)
  return rest === undefined ? undefined : end + rest.length
}

function isSentenceStart(text: string, at: number): boolean {
  return (
    at === 0 ||
    text[at - 1] === '\n' ||
    text[at - 1] === '(' ||
    /[.!?] $/.test(text.slice(Math.max(0, at - 2), at))
  )
}

/** `@Ana`, `Ana` and `ana` count as one person. */
function personKey(name: string): string {
  return foldText(name).replace(/[’']s$/, '')
}

function isNoName(word: string): boolean {
  const lower = word.toLowerCase()
  return NO_NAME.has(lower) || isServiceName(lower) || isPackageName(lower)
}
