import { anyOf, opening } from './cue-pattern.ts'

/** The words by which a sentence shows that it is not the speaker's own, or not meant. Folded text, as in cues.ts. */

/** Somebody without a name or an office has said so. */
export const HEARSAY = anyOf({
  en: String.raw`
    (?:my (?!boss|manager|lead|cto|ceo|client|customer)|(?:a|an|some|another) (?!client|customer|auditor|regulator|lawyer|user)|one of (?:my|our|the) )(?:[\w-]+ ){1,5}(?:says?|said|saying|thinks?|thought|claims?|claimed|believes?|swears|swore|mentioned|told (?:me|us)|reckons?|insists?|argues?|heard)
    (?:somebody|someone|some people|people|everybody|folks|they)(?: [\w-]+){0,4} (?:says?|said|saying|claims?|claimed|told (?:me|us)|thinks?)
    i(?:'ve| have)? (?:heard|read (?:somewhere|once|online|that|in a|on a))|the (?:tutorial|blog|article|book|post|video|forum|internet)(?: \w+){0,3} (?:says?|said|claims?|recommends?|suggests?)|rumou?rs?|gossip|supposedly|allegedly|word is|they say|i was told`,
  pt: String.raw`
    (?:um|uma|meu|minha|o meu|a minha|algum|alguma|certo|outro|outra) (?:[\w-]+ ){1,5}(?:diz|disse|diss\w+|fal\w+|acha|achava|jura|jurou|contou|comentou|garante|afirma|defende)
    (?:alguem|ha quem|tem gente que|o pessoal|a malta)(?: [\w-]+){0,4} (?:diz|disse|diga|dizia|falou|falava|comentou|acha)
    ouvi (?:dizer|falar)|li (?:algures|por ai|em algum lugar)|(?:ha|tem) quem diga|boatos?|parece que dizem|dizem(?: por ai)? que|consta que|supostamente|alegadamente|disseram(?:-me)? que|me disseram|contaram-me`,
})

/** The speaker does not vouch for it, nor for what was said just before. */
export const DOUBT = anyOf({
  en: String.raw`
    (?:not|isn't|n't)(?: \w+)? (?:sure|certain|convinced)(?: (?:if|whether|that|it|about)(?:'s| is)?(?: \w+){0,4})?
    no idea|(?:don't|do not|can't|cannot) (?:know|tell|say) (?:if|whether)|i doubt|who knows
    (?:could|might|may) (?:also |well |just )?be (?:wrong|gossip|false|nonsense|a rumou?r|made up|outdated)
    if (?:that's|that is)(?: even)? (?:true|right|correct)|made (?:it|that|this) up|take (?:it|that) with a grain
    whatever that means|don't quote me|sounds (?:wrong|fishy)`,
  pt: String.raw`
    nao (?:tenho|estou|sei|faco)(?: \w+)? (?:certeza|cert[oa]|segur[oa]|ideia)|nao sei se|nao sei bem
    duvido|quem sabe|sei la|(?:deve|acho que|pode) (?:\w+ )?(?:inventou|inventad[oa]|ser mentira|ser boato|estar errad[oa])
    (?:ele|ela) (?:inventou|deve ter inventado)|se (?:e|for) (?:verdade|mesmo verdade)|nao confirmei|nao confio`,
})

/** Decided, but not by us. */
export const ELSEWHERE = anyOf({
  en: String.raw`
    (?:at|in|from|with) (?:my|his|her|their|our) (?:old|last|previous|former|ex|other) (?:\w+ )?(?:company|companies|job|jobs|team|employer|project|workplace|startup|shop|place|gig|client)
    my (?:old|former|ex|previous|last)[ -](?:boss|lead|manager|colleague|team|company|professor|teacher)\w*|(?:at|in) the other (?:office|team|company|project|department)
    where i (?:used to work|worked before)|(?:they|he|she|those guys|(?:the|some|an)?other (?:team|company|people|department|studio|project)s?) (?:have |had |has )?(?:decided|chose|agreed|opted|went with|settled|switched|picked|adopted|moved to)`,
  pt: String.raw`
    (?:n?[oa]|d[oa]|em) (?:meu|minha|nosso|nossa)? ?(?:antig[oa]|ultim[oa]|anterior|outr[oa]) (?:\w+ )?(?:empresa|emprego|equipa|equipe|time|trabalho|projeto|projecto|cliente)
    (?:n?[oa]|d[oa]) (?:meu |minha )?(?:empresa|emprego|equipa|equipe|time|trabalho|projeto|projecto) (?:antig[oa]|anterior|passad[oa]|onde trabalhei)
    (?:meu|minha) (?:antig[oa] |ex-?)\w+|(?:meu|minha) \w+ (?:antig[oa]|anterior)
    decidiram|escolheram|optaram|resolveram (?:usar|ir|fazer|mudar|adotar|trocar)|adotaram`,
})

/** Tries to command whoever reads it: nothing of such a message is kept. */
export const OVERRIDES = anyOf({
  en: String.raw`
    (?:ignore|disregard|forget|override|bypass)(?: \w+){0,3} (?:previous|prior|above|earlier|preceding|system|your)(?: \w+){0,2} (?:instructions?|rules?|prompts?|guidelines|directives|training)
    (?:ignore|disregard|forget|override|bypass) (?:your|all|any|these|those) (?:\w+ )?(?:instructions?|prompts?|guidelines|directives)
    (?:ignore|disregard|forget) (?:everything|all|anything)(?: that)? (?:above|before|prior|so far|you (?:know|were|have been|learned))
    you are (?:now|no longer) (?:a|an|my|dan|free|bound|root|unrestricted)|you are now in \w+ mode|from (?:now|here) on,? you are|new (?:system )?(?:prompt|instructions):|do anything now|jailbreak`,
  pt: String.raw`
    (?:ignor\w+|esque[cç]\w+|desconsider\w+|desobedec\w+)(?: \w+){0,3} (?:instruc\w+|prompts?|diretrizes|directrizes|(?:tuas|suas) (?:regras|ordens)|(?:regras|ordens) anteriores)
    (?:ignor\w+|esque[cç]\w+|desconsider\w+) tudo (?:o que|acima|ate agora|antes)
    (?:a partir de agora|agora|de agora em diante),? (?:tu es|es|voce e|sois) (?:um|uma|o|a)|novas instrucoes:`,
})
/** An order to the reader in such words is none of a project's rules. */
export const COMMANDS_READER = anyOf({
  en: `
    you must (?:now|obey)|you will now|you have to obey|you shall (?:now|obey)`,
  pt: `
    (?:deves|deve|tens de|tens que|voce tem que|voce deve) agora|(?:deves|tens de|voce deve) obedecer`,
})

/** Words that are to stand somewhere, which nobody holds. */
export const WORDING = opening({
  en: String.raw`
    (?:please |can you |now )?(?:write|add|put|insert|print|render|show|display|create|make|set|log|use|change)(?: [\w'-]+){0,12} (?:(?:that|which) (?:says?|reads?|goes|states)|saying|reading|with the (?:text|words|message|title|label|caption))
    (?:please |can you |now )?(?:write|add|put|insert|print|render|display|create|type|translate)(?: [\w'-]+){0,12} quoted`,
  pt: String.raw`
    (?:escreve|escreva|poe|mete|coloca|coloque|cria|crie|adiciona|adicione|acrescenta|mostra|mostre|imprime|faz|faca|muda|mude)(?: [\w'-]+){0,12} (?:que (?:diga|diz|fale|leia)|a dizer|dizendo|com (?:o texto|a frase|a mensagem|o titulo|as palavras))
    (?:escreve|escreva|poe|mete|coloca|coloque|adiciona|adicione|acrescenta|imprime|traduz|traduza)(?: [\w'-]+){0,12} quoted`,
})

/** A laugh before the statement takes it back; after a yes it does not. */
export const LAUGHS_FIRST =
  /^(?:l+o+l+|rofl|lmao|(?:ha){2,}h?|(?:he){2,}|k{3,}|rs(?:rs)+|xd)[\s,.!]+(?!ok|okay|yes|yeah|right|sure|no|true|fair|good|sim|nao|ta|certo|boa|pois|but|mas)/
