import type { Entity } from '../../model/graph.ts'
import { foldText } from '../fold.ts'
import { isPackageName } from './known-packages.ts'
import { isServiceName } from './known-services.ts'

/*
 * A name is believed only beside something that people do, say, own or are: a wrong person is worse than a missing one.
 */
const UPPER = 'A-ZÀ-ÖØ-Þ'
const LOWER = 'a-zß-öø-ÿ'
const NAME_WORD = `[${UPPER}][${LOWER}]+(?:[-'’][${UPPER}][${LOWER}]+)?`
const NAME = `${NAME_WORD}(?: (?:(?:da|de|do|das|dos|van|von|der|bin|al) )?${NAME_WORD}){0,2}`
const BEFORE = `(?<![\\w${UPPER}${LOWER}@/.\`-])`
const AFTER = `(?![\\w${LOWER}${UPPER}/@-])`

const DID =
  'decided|agreed|proposed|suggested|insisted|recommended|recommends|prefers|preferred|wants|wanted|asked|wrote|said|says|thinks|chose|picked|approved|owns|maintains|reviewed|reported|confirmed|noticed|requested|explained|warned|mentioned|objected|argued|volunteered|told|promised|joined|left the|will own|will take|will review|is responsible|is on call|pointed out|signed off|took over|decidiu|decidiram|aprovou|sugeriu|pediu|propôs|disse|escolheu|escreveu|confirmou|prefere|quer|revisou|corrigiu|avisou|recomendou|definiu|explicou|lembrou|cuida|é responsável|é dono|é dona|vai cuidar'
const ROLE =
  'tech lead|team lead|lead|CTO|CEO|CFO|PM|PO|product owner|product manager|engineering manager|manager|designer|architect|SRE|DBA|DevOps|backend|frontend|QA|security|intern|on call|data engineer|data scientist|staff engineer|líder|gerente|arquiteto|arquiteta|estagiário|estagiária'

const DOES = new RegExp(
  `${BEFORE}(${NAME})(?:(?:,| and| e| &) (?:[ao] )?(${NAME}))? (?:have |has |had |já |also |então )?(?:${DID})${AFTER}`,
  'g',
)
const BY = new RegExp(
  `${BEFORE}(?:[Aa]ccording to|[Dd]ecided by|[Oo]wned by|[Mm]aintained by|[Ww]ritten by|[Rr]eviewed by|[Aa]pproved by|[Ss]uggested by|[Cc]hosen by|[Pp]roposed by|[Rr]equested by|[Rr]eported by|[Ff]ound by|[Ii]ntroduced by|[Ff]ixed by|[Aa]ssigned to|[Aa]sk|[Pp]ing|[Tt]alk to|[Cc]heck with|[Ss]poke with|[Cc]redit to|[Ss]egundo|[Cc]onforme|[Dd]e acordo com|[Dd]ecidido p(?:or|elo|ela)|[Aa]provado p(?:or|elo|ela)|[Ee]scrito p(?:or|elo|ela)|[Ff]al(?:e|ar) com|[Pp]ergunt(?:e|ar) (?:ao?|à|para)|[Qq]uem \\S+ é) (?:[oa] )?(${NAME})${AFTER}`,
  'g',
)
const PER = new RegExp(`(?:^|[.!?] |\\n|\\()[Pp]er (${NAME})[:,)]`, 'g')
const WITH_ROLE = new RegExp(`${BEFORE}(${NAME}) \\((?:the |our |o |a )?(?:${ROLE})\\b`, 'g')
const ROLE_FIRST = new RegExp(`${BEFORE}(?:our|the|nossa|nosso) (?:${ROLE}),? (${NAME})${AFTER}`, 'g')
const FROM_TEAM = new RegExp(
  `${BEFORE}(${NAME}) (?:from|of|do|da) (?:the |o |a )?(?:\\w+ )?(?:team|squad|time|equipe|platform|ops|design|security)\\b`,
  'g',
)
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
/** A word of every pattern here, lower case: a text without any of them speaks of nobody. */
export const PEOPLE_CUES: ReadonlySet<string> = new Set([
  ...`${DID}|${ROLE}`
    .toLowerCase()
    .split(/[| ]/)
    .filter(word => !'the to on is é left will out off owner data take own'.split(' ').includes(word)),
  ...'according owned maintained written chosen found introduced fixed assigned ask ping talk check spoke credit per'.split(
    ' ',
  ),
  ...'segundo conforme acordo decidido aprovado escrito fale falar pergunte perguntar quem'.split(' '),
  ...'responsible responsável dono dona own take team squad equipe platform ops design security'.split(' '),
])
const MAY_NAME = /[A-ZÀ-Þ][a-zß-ÿ]/

export function findPeople(text: string, inCode: (at: number) => boolean): Entity[] {
  const found: Entity[] = []
  const take = (name: string | undefined, at: number) => {
    if (name === undefined || inCode(at)) return
    const words = name.split(' ')
    let start = at
    // "Then Ana decided": what begins the sentence is no part of the name.
    while (words.length > 0 && isNoName(words[0] ?? '')) start += (words.shift() ?? '').length + 1
    const rest = words.join(' ')
    if (rest === '' || words.some(isNoName)) return
    found.push({ type: 'person', name: personKey(rest), text: rest, at: start })
  }
  if (MAY_NAME.test(text)) {
    for (const match of text.matchAll(DOES)) {
      take(match[1], match.index)
      if (match[2] !== undefined)
        take(match[2], match.index + match[0].indexOf(match[2], match[1]?.length ?? 0))
    }
    for (const pattern of [BY, PER, WITH_ROLE, ROLE_FIRST, FROM_TEAM]) {
      for (const match of text.matchAll(pattern))
        take(match[1], match.index + match[0].lastIndexOf(match[1] ?? ''))
    }
  }
  if (text.includes('@')) {
    for (const match of text.matchAll(HANDLE)) {
      const handle = match[1] ?? ''
      if (!NO_HANDLE.has(handle.toLowerCase()) && !inCode(match.index))
        found.push({ type: 'person', name: personKey(handle), text: `@${handle}`, at: match.index })
    }
  }
  return found
}

/** `@Ana`, `Ana` and `ana` are one person, as far as anybody can tell. */
function personKey(name: string): string {
  return foldText(name).replace(/[’']s$/, '')
}

function isNoName(word: string): boolean {
  const lower = word.toLowerCase()
  return NO_NAME.has(lower) || isServiceName(lower) || isPackageName(lower)
}
