import type { Kind } from '../model/category.ts'
import { foldText } from './fold.ts'

/** In this order: the first match is the kind. Folded text: lower case, no accents. */
const CUES: readonly (readonly [Kind, RegExp])[] = [
  ['decision', /^(?:decision|decisao)\b\s*:/],
  ['preference', /^(?:preference|preferencia)\b\s*:/],
  [
    'warning',
    /^(?:(?:please|por favor)[, ]+)?(?:never|don'?t|do not|careful|beware|avoid|watch out|warning|caution|gotcha|nunca|jamais|cuidado|atencao|evite|evita|nao (?:use|usar|edite|editar|mexa|mexer|faca|fazer|rode|rodar|apague|apagar|altere|alterar|suba|toque)|no (?:uses|toques|edites|borres))\b|^(?:永远不要|绝对不要|绝不|不要|禁止|小心)/,
  ],
  [
    'warning',
    /\b(?:must|should|may|can) (?:never|not)\b|\bmustn'?t\b|\bshouldn'?t\b|\bbe careful\b|\b(?:is|are) dangerous\b|\b(?:nao|nunca) (?:deve|devem|pode|podem)\b|\b(?:no|nunca) (?:debe|deben)\b|\btome cuidado\b|绝不能|永远不要|绝对不要/,
  ],
  [
    'preference',
    /\b(?:i|we) (?:really |strongly )?(?:prefer|like|want|don'?t want|do not want|don'?t like|do not like)\b|\b(?:i|we)(?:'d| would) (?:rather|prefer|like)\b|^(?:please )?(?:answer|reply|respond|write) (?:to me )?in \w+|\b(?:prefiro|preferimos|gosto de|quero que|nao quero|responda em|prefiero|preferimos)\b|我(?:更)?喜欢|我希望/,
  ],
  [
    'decision',
    /\b(?:we|i) (?:have |'ve )?(?:decided|chose|chosen|agreed|settled|picked|adopted|switched|moved to|migrated|replaced|dropped|went with|opted|standardi[sz]ed)\b|\bwe (?:will |'ll |now |only |always )?use\b|\bwe are using\b|\b(?:was|is) (?:decided|agreed)\b|\b(?:decidimos|decidi|escolhemos|optamos|adotamos|combinamos|vamos usar|usamos|migramos|trocamos|foi decidido|ficou decidido|elegimos|acordamos)\b|我们决定|决定使用/,
  ],
  [
    'error',
    /\b(?:fails?|failed|crash(?:es|ed)?|throws?|error|exception|bug)\b.{0,120}\b(?:because|when|unless|if|fixed by|caused by|after)\b|\b(?:root cause|caused by|fixed by)\b|\b(?:erro|falha|quebra)\b.{0,120}\b(?:porque|quando|se|por causa)\b/,
  ],
]

/**
 * The kind of a statement by its words: "Never …" is a warning, "We decided …" a decision. undefined: unknown; the caller has a default.
 */
export function kindOfText(text: string): Kind | undefined {
  const folded = foldText(text.trim().slice(0, 600)).replace(/[’‘]/g, "'")
  return CUES.find(([, cue]) => cue.test(folded))?.[0]
}
