import type { Category } from '../model/category.ts'
import { editDistance } from '../text/edit-distance.ts'
import { foldText } from '../text/fold.ts'

/**
 * The vault file of a section of a flat memory file, by its heading (seed A, section 8: Portuguese and English). Folded: no accents,
 * lower case, singular. A longer name comes before its own beginning.
 */
const SECTION_MAP: readonly (readonly [name: string, category: Category])[] = [
  ['decisoe tecnica', 'decisions'],
  ['decisao tecnica', 'decisions'],
  ['decisao', 'decisions'],
  ['decisoe', 'decisions'],
  ['decision', 'decisions'],
  ['architecture decision', 'decisions'],
  ['adr', 'decisions'],
  ['convencao', 'decisions'],
  ['convention', 'decisions'],
  ['preferencia', 'decisions'],
  ['preference', 'decisions'],
  ['escolha', 'decisions'],
  ['choice', 'decisions'],
  ['aprendizado', 'lessons'],
  ['aprendizagen', 'lessons'],
  ['licao', 'lessons'],
  ['licoe', 'lessons'],
  ['nota de sessao', 'lessons'],
  ['nota', 'lessons'],
  ['lesson', 'lessons'],
  ['learning', 'lessons'],
  ['finding', 'lessons'],
  ['note', 'lessons'],
  ['gotcha', 'lessons'],
  ['bug', 'lessons'],
  ['erro', 'lessons'],
  ['error', 'lessons'],
  ['warning', 'lessons'],
  ['aviso', 'lessons'],
  ['tarefa', 'tasks'],
  ['task', 'tasks'],
  ['todo', 'tasks'],
  ['to do', 'tasks'],
  ['pendencia', 'tasks'],
  ['pendente', 'tasks'],
  ['proximo passo', 'tasks'],
  ['next step', 'tasks'],
  ['contexto de projeto', 'projects'],
  ['contexto do projeto', 'projects'],
  ['contexto', 'projects'],
  ['context', 'projects'],
  ['projeto', 'projects'],
  ['project', 'projects'],
  ['stack', 'projects'],
  ['visao geral', 'projects'],
  ['overview', 'projects'],
  ['handoff', 'handoffs'],
  ['hand off', 'handoffs'],
  ['passagem', 'handoffs'],
  ['ultima sessao', 'handoffs'],
  ['last session', 'handoffs'],
]
const FALLBACK: Category = 'lessons'
/** Shorter words are too similar to others. */
const FUZZY_FROM = 5

/**
 * `## Decisões Técnicas`, `## DECISIONS (2026)`, `## 3. Decison log` → decisions; an unknown heading is a lesson. The whole heading
 * first, then its beginning, then any word of it; a typo is accepted.
 */
export function categoryOfSection(heading: string): Category {
  const words = wordsOf(heading)
  const whole = words.join(' ')
  const [first = ''] = words
  const fits: readonly ((name: string) => boolean)[] = [
    name => name === whole,
    name => whole.startsWith(`${name} `),
    name => isNear(whole, name),
    name => isNear(first, name) || (first.length >= 4 && name.startsWith(first)),
    name => ` ${whole} `.includes(` ${name} `),
  ]
  for (const isIt of fits) {
    const found = SECTION_MAP.find(([name]) => isIt(name))
    if (found !== undefined) return found[1]
  }
  return FALLBACK
}

/** Whether a heading is only the name of its category: `## Decisões Técnicas`, and not `## Decisions (2026)`. */
export function isCategoryName(heading: string): boolean {
  const whole = wordsOf(heading).join(' ')
  return !/\d/.test(heading) && SECTION_MAP.some(([name]) => name === whole)
}

/** Letters alone, each word in the singular: `3. Decisões (2026-03)` → decisoe */
function wordsOf(heading: string): string[] {
  return foldText(heading)
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .split(' ')
    .filter(word => word !== '')
    .map(word => (word.length > 3 ? word.replace(/s$/, '') : word))
}

function isNear(word: string, name: string): boolean {
  if (word.length < FUZZY_FROM || name.length < FUZZY_FROM || word[0] !== name[0]) return false
  const limit = name.length >= 8 ? 2 : 1
  return editDistance(word, name, limit) <= limit
}
