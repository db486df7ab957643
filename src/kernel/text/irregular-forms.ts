/** English forms that no suffix rule covers, as ` form:base `. */
const IRREGULAR_FORMS =
  ' analyses:analysis ate:eat became:become began:begin begun:begin bitten:bite blew:blow blown:blow' +
  ' bought:buy bound:bind broke:break broken:break brought:bring built:build came:come caught:catch' +
  ' children:child chose:choose chosen:choose dealt:deal drawn:draw drew:draw driven:drive drove:drive' +
  ' eaten:eat fallen:fall fed:feed fell:fall felt:feel flew:fly flown:fly forgot:forget forgotten:forget' +
  ' fought:fight found:find froze:freeze frozen:freeze gave:give given:give gone:go grew:grow grown:grow' +
  ' heard:hear held:hold hid:hide hidden:hide hung:hang indices:index kept:keep knew:know known:know' +
  ' led:lead left:leave lent:lend lives:life lost:lose made:make matrices:matrix meant:mean met:meet' +
  ' mice:mouse paid:pay people:person ran:run rang:ring ridden:ride risen:rise rode:ride rose:rise rung:ring' +
  ' said:say sang:sing sank:sink sat:sit saw:see seen:see sent:send shaken:shake shook:shake shot:shoot' +
  ' shown:show shrank:shrink shrunk:shrink slept:sleep sold:sell sought:seek spent:spend spoke:speak' +
  ' spoken:speak stole:steal stolen:steal stood:stand struck:strike stuck:stick sung:sing sunk:sink' +
  ' swam:swim swum:swim taken:take taught:teach thought:think threw:throw thrown:throw told:tell took:take' +
  ' understood:understand vertices:vertex went:go wives:wife woke:wake woken:wake won:win wore:wear' +
  ' worn:wear written:write wrote:write'

/** The irregular forms of words that begin with one of these: `wrote` for `wri`. */
export function irregularFormsOf(beginnings: ReadonlySet<string>, length: number): ReadonlySet<string> {
  const forms = new Set<string>()
  for (const pair of IRREGULAR_FORMS.trimStart().split(' ')) {
    const border = pair.indexOf(':')
    if (beginnings.has(pair.slice(border + 1, border + 1 + length))) forms.add(pair.slice(0, border))
  }
  return forms
}

/** The irregular forms with this beginning: `brought` for `brou`. */
export function irregularFormsFrom(beginning: string): string[] {
  const forms: string[] = []
  for (let at = IRREGULAR_FORMS.indexOf(` ${beginning}`); at >= 0; ) {
    forms.push(IRREGULAR_FORMS.slice(at + 1, IRREGULAR_FORMS.indexOf(':', at)))
    at = IRREGULAR_FORMS.indexOf(` ${beginning}`, at + 1)
  }
  return forms
}

/**
 * `wrote` → `write`; undefined if the word is regular. Searched as text: building a map would cost a cold command more than all its
 * lookups, and stems are cached.
 */
export function irregularBase(word: string): string | undefined {
  const at = IRREGULAR_FORMS.indexOf(` ${word}:`)
  if (at < 0) return undefined
  const start = at + word.length + 2
  const end = IRREGULAR_FORMS.indexOf(' ', start)
  return IRREGULAR_FORMS.slice(start, end < 0 ? undefined : end)
}
