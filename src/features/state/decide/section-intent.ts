import type { BundleSection } from '../../../kernel/model/bundle.ts'
import { foldText } from '../../../kernel/text/fold.ts'

/**
 * Which section a question asks for. "What is left to do?" shares no word with "Move sessions to Redis", and yet that is its answer: the
 * section is what it names. English and Portuguese, on folded text (no accents, no capitals).
 */
const CUES: readonly (readonly [BundleSection, RegExp])[] = [
  [
    'nextSteps',
    /\b(?:left to (?:do|be done)|to-?dos?|next steps?|(?:what(?:'?s| is| comes) )next|do next|still (?:open|missing|to do)|remaining|unfinished|outstanding|backlog|open (?:tasks?|items?|points?|work)|falta(?:m|ndo)?(?: fazer)?|proximos? passos?|pendentes?|pendencias?|por fazer)\b/,
  ],
  [
    'gotchas',
    /\b(?:gotchas?|pitfalls?|watch out|careful|caveats?|traps?|beware|known (?:issues?|problems?|bugs?)|should (?:i|we) (?:not|avoid)|to avoid|cuidados?|armadilhas?|pegadinhas?|problemas conhecidos|evitar)\b/,
  ],
  [
    'currentFocus',
    /\b(?:focus|working on|in progress|currently|right now|at the moment|where (?:do|did|are) we (?:stand|stop|leave off|at)|left off|going on|state of (?:the )?project|foco|trabalhando|em andamento|neste momento|onde (?:paramos|estamos))\b/,
  ],
  [
    'validationCommands',
    /\b(?:how (?:do|can|should|to) (?:i |we )?(?:test|build|lint|check|validate|verify|run)|(?:which|what) commands?|(?:test|build|lint|check|validation) commands?|run (?:the )?(?:tests?|checks?|build|linter)|como (?:testar|rodar|compilar|validar)|comandos?)\b/,
  ],
  [
    'projectMap',
    /\b(?:project map|(?:project|repo(?:sitory)?|code) (?:structure|layout)|how is (?:the|this) (?:project|repo(?:sitory)?|code) (?:structured|organi[sz]ed|laid out)|(?:which|what) (?:packages?|languages?|folders?|scripts?|entry ?points?)|entry ?points?|estrutura|pastas?|pacotes?|linguagens?)\b/,
  ],
  [
    'project',
    /\b(?:what is this (?:project|repo(?:sitory)?)|(?:this|the) project about|o que e (?:este|esse|o) projeto|sobre o projeto)\b/,
  ],
]

const READ_CHARACTERS = 1_000

export function askedSections(question: string): BundleSection[] {
  const text = foldText(question.slice(0, READ_CHARACTERS))
  return CUES.filter(([, cue]) => cue.test(text)).map(([section]) => section)
}
