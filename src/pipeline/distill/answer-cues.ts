import { anyOf, opening } from './cue-pattern.ts'

/** The words by which an answer shows what it does to what was said before. Folded text, as in cues.ts. */

/** Takes the place of something that was said. */
export const CORRECTION = anyOf({
  en: String.raw`
    (?:we|i)(?:'ve| have)? changed (?:our|my) minds?|change of (?:plan|plans|mind)|changed the plan|on second thoughts?|scratch that|correction
    (?:we|i)(?:'ve| have)? (?:reversed|reverted|reconsidered|revised)(?: course| that| it| our)?|we(?:'re| are) reversing|actually,? (?:\w+ )?(?:make|use|set|go|let's|take|keep|do|we|it's|it is|the)
    make (?:that|it) (?:rather )?~?\d\S*|i (?:meant|was wrong)|not \S+ any ?more|(?:no longer|not) [\w-]+, but|strike that`,
  pt: String.raw`
    mud(?:amos|ei|ámos) de (?:ideias?|opiniao|plano)s?|mudanca de planos?|pensando (?:bem|melhor)|voltamos atras|voltei atras|corrigindo|correcao|correccao|retifico|retificando|rectifico
    na verdade,? (?:\w+ )?(?:usa|use|usem|poe|mete|deixa|fica|ficam|sao|e|vamos|queremos|quero|faz|coloca)|afinal|melhor dizendo|quero dizer|queria dizer|em vez disso|risca isso|ja nao`,
})

/** No to a proposal; what follows says what instead. */
export const REFUSED =
  /^(?:no|nope|nah|nao)(?:[,.!:;]+\s|\s+(?=please|thanks|don't|do not|use|keep|make|nao))/

/** Spoken straight to the reader, about what holds. */
export const REMINDS = opening({
  en: `
    (?:please )?(?:remember|bear in mind|keep in mind|be aware|note|mind|don't forget|do not forget)(?: that|:|,)`,
  pt: `
    lembra-te|lembre-se|lembrem-se|lembr(?:a|e|ar|em)(?: que|:)|nao (?:te |se )?esque(?:cas|ca|ce)(?: que)?|tem em conta|tenha em (?:conta|mente)|not[ae](?: que|:)|repara(?: que|:)|fica sabendo`,
})

/** Says by its first word that it warns. */
export const WARNS = opening({
  en: `
    (?:big |fair |a )?(?:warning|caution|attention|careful|be careful|beware|heads[- ]?up|watch out|gotcha|danger|caveat|fyi)`,
  pt: `
    cuidado|atencao|aviso|alerta|perigo|fica(?:r)? (?:atento|atenta)|pegadinha|armadilha`,
})

/** What the user says caused it, in so many words. */
export const EXPLAINS = anyOf({
  en: `
    root cause|the (?:real |actual )?(?:cause|reason|culprit)(?: (?:of|for|why|that|behind)|:| is| was)|turns out|turned out|it was caused by|that is what (?:broke|caused)|that's what (?:broke|caused)`,
  pt: `
    causa raiz|a (?:verdadeira )?causa (?:d[oae]s?|e|foi|era|disto|disso)|o motivo (?:d[oae]s?|e|foi|era|porque)|a razao (?:d[oae]s?|e|foi|era|porque|pela)|foi (?:isso|isto|ele|ela) que|descobri(?:mos)?|a culpa (?:e|foi|era)`,
})

/** Where something is to be found: a port, an address, a path. */
export const PLACED = anyOf({
  en: String.raw`
    (?:listens?|runs?|lives?|sits?|starts?|stands?|stays?|is|are|answers?|reachable|hosted|exposed|mapped|bound|served|deployed|found) (?:\w+ )?(?:on|at|under|behind|from) (?:the |its |our )?(?:\w+ )?(?:ports?|address|code|host|0x[0-9a-f]+|\/\S+|https?:\S+|\S+\.\S+|:?\d{4,5}(?![\d%.,]))`,
  pt: String.raw`
    (?:escuta|ouve|corre|roda|fica|ficam|esta|estao|vive|mora|comeca|responde|atende|e servid[oa]|alojad[oa]|hospedad[oa]|expost[oa]) (?:\w+ )?(?:na|no|em|sob|atras d[eoa]) (?:\w+ )?(?:portas?|endereco|code|host|0x[0-9a-f]+|\/\S+|https?:\S+|\S+\.\S+|:?\d{4,5}(?![\d%.,]))`,
})

/** Asks for something now, politely. */
export const ASKS =
  /(?<![\w'-])(?:please|pls|por favor|se faz favor|can you|could you|podes|pode me)(?![\w-])/
