/**
 * Whether a prompt asks for general knowledge, or for work that is unrelated to what a project remembers: "explain the difference between
 * …", "write a haiku", "converte esse cURL". A guess by its form alone: such a prompt may still be about the project, so it only needs a
 * better match before a memory is injected.
 */
export function isGeneralRequest(prompt: string): boolean {
  const opening = prompt.trimStart().slice(0, OPENING_CHARACTERS).toLowerCase()
  return starts.test(opening) || anywhere.test(opening)
}

const OPENING_CHARACTERS = 300
/** Of the two languages: a Unicode class takes a cold process two milliseconds to compile. */
const LETTER = '[a-z0-9\u00e0-\u00ff]'

/** At the start of the prompt or of a sentence, after "please", "can you" and the like. */
const starts = new RegExp(
  `(?:^|[.!?\\n]\\s*)(?:(?:please|pls|hey|hi|ok|so|can you|could you|would you|help me(?: to)?|i want you to|me|por favor|você pode|pode|consegue|me ajuda a)[, ]+)*(?:${[
    // a text or program of its own
    '(?:write|draft|compose|create|generate|design|make|build|sketch|draw|suggest|give me|show me|recommend) (?:me )?(?:a|an|some|any|\\d+)',
    '(?:translate|summari[sz]e|paraphrase|proofread|convert|compare|estimate|rank|brainstorm|explain|define|describe)',
    '(?:escreve|escreva|redige|redija|cria|crie|gera|gere|faz|faça|desenha|desenhe|sugere|sugira|recomenda|recomende|monta|monte) (?:um|uma|uns|umas|alguns|algumas)',
    '(?:traduz|traduza|resume|resuma|converte|converta|compara|compare|estima|estime|explica|explique|descreve|descreva|define|defina)',
  ].join('|')})(?!${LETTER})`,
)

const anywhere = new RegExp(
  `(?<!${LETTER})(?:${[
    "difference between|what(?:'s| is| are) (?:a|an|the best|a good|some good)|how does (?:a|an|the)? ?[^ ]+(?: [^ ]+){0,2} work|any tips|is there a way to|pros and cons|best practices for|what does .{1,40} mean|who (?:is|was|invented)",
    'diferença entre|o que (?:é|são|significa)|quanto custa|alguma dica|existe (?:um jeito|uma forma)|prós e contras|melhores práticas|quem (?:é|foi|inventou)',
  ].join('|')})(?!${LETTER})`,
)
