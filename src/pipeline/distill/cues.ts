import { anyOf, opening } from './cue-pattern.ts'

/**
 * The words by which a statement shows what it is, English and Portuguese, over folded text (lower case, no accents).
 * Each pattern is one group of the table in ADR 12: what it gives is measured there.
 */

/** What stands before the statement and adds nothing to it. */
export const OPENERS =
  /^(?:(?:ok(?:ay)?|wow|oh|ah|ugh|hm+|huh|yeah|yep|yup|btw|by the way|and|but|also|so|then|hey|please|entao|mas|e|tambem|ta|wait|hm)(?:[,.!:;]+\s*|\s+(?=\S))|(?:right|yes|no|nope|well|good|great|nice(?: one)?|cool|fine|sure|perfect|excellent|thanks|thank you|understood|got it|interesting|noted|agreed|exactly|true|while here|in this case|entendi|beleza|certo|sim|nao|perfeito|otimo|legal|boa|ta bom|tudo bem|isso|concordo|combinado|anotado|show|valeu|obrigad[oa]|olha|bom|alias|interessante|pois e|faz sentido)[,.!:;]+\s*)+/

// What is no statement, or none that lasts.
export const QUESTION =
  /\?["')\]\s:;)(]*$|(?:[ ,]ne|, (?:right|ok|correct|certo))[.!]*$|^(?:can|could|would|will) (?:you|we|i)\b|^(?:sera que|voce pode|da pra|consegue)\b/
export const HYPOTHETICAL = anyOf({
  en: `
    maybe|perhaps|what if|if we ever|if (?:we|i|you) (?:were|did|had|could|wanted)|we could|could we|i could
    one could|we might|i might|might be (?:nice|worth|an option)|suppose|imagine|some ?day|one day|i wonder
    wondering|thinking (?:of|about)|i was about to|in theory|hypothetically
    would be (?:nice|cool|great|fun|possible)|wouldn't it|not sure (?:if|whether|we|that)|no idea|i guess
    possibly|(?:we|i|you|it|they)(?:'d| would) (?:have|need) to|if [^,]{3,60},? (?:we|i|you|it|that|they)(?:'d| would)`,
  pt: String.raw`
    talvez|quem sabe|e se|se um dia|algum dia|um dia|poderiamos|podiamos|daria (?:pra|para)
    seria (?:legal|bom|possivel|interessante)|imagina|no futuro|sera que|vai que|pensando em|nao sei se
    acho que daria|teriamos|precisariamos|se (?:a gente |eu |nos |voce )?\w+(?:sse|ssemos|ssem)`,
})
export const NEGATED = anyOf({
  en: String.raw`
    (?:not|\w+n't|never|nothing|no one|nobody)(?: \w+){0,3} (?:decided?|settled|agreed|chosen|concluded)
    undecided|no decision|never ?mind|(?<!(?:don't|not|never) )forget (?:it|that|about)|scrap (?:it|that)|ignore (?:that|this|it)
    (?:should|need to|have to|must|to) decide|decide (?:later|tomorrow|next|another)|just kidding|kidding|to be decided|tbd|not decided`,
  pt: String.raw`
    nao(?: \w+){0,2} (?:decidi\w*|definimos|escolhemos|fechamos|decidido|definido)|(?:precisa\w*|temos que|tem que|falta) decidir|decid\w+ depois|sem decisao
    deixa (?:pra la|quieto)|(?<!nao (?:te |se )?)esquece\w*|nada (?:foi )?decidido|brincadeira|a decidir|a definir`,
})
/** Said before, by their own word. */
export const REPEATED = anyOf({
  en: `
    (?:as|like) (?:i|we) (?:said|mentioned|told)|as (?:mentioned|said|agreed) (?:before|above|earlier)|again and again`,
  pt: `
    como (?:eu )?(?:falei|disse)|ja (?:falei|disse)|como combinado`,
})
export const LAUGHTER =
  /(?:^|\s)(?:l+o+l+|rofl|lmao|(?:ha){2,}h?|(?:he){2,}|k{3,}|rs(?:rs)*|:-?[)dp]|;-?\)|xd)(?=$|[\s.!,])|[\u{1f600}-\u{1f606}\u{1f923}]/u
/** What somebody is about to do, or is doing. */
export const MOMENT = opening({
  en: String.raw`
    i'll|i will|i'm going to|i am going to|i'm (?:now )?\w+ing|i am (?:now )?\w+ing|let me
    let's (?:see|check|look|try|start|find out)|one (?:moment|second|sec)|hold on|give me|first,? i
    i(?:'d| would)(?! rather| prefer| like)|i can|i could`,
  pt: String.raw`
    vou|vamos (?:ver|olhar|conferir|tentar|comecar)|deixa eu|deixe-me|posso|eu faria|um (?:momento|segundo)
    ja volto|estou \w+ndo|to \w+ndo`,
})
const GERUND =
  /^(?!(?:during|string|nothing|something|everything|anything|thing|missing|spring|being|king|ring|bring|remaining|pending|waiting|aguardando|esperando|faltando|quando|segundo|mundo|fundo|comando)\b)[a-z-]{2,}(?:ing|[aei]ndo)\b/
const FINITE = anyOf({
  en: `
    is|are|was|were|would|will|has|have|does|doesn't|isn't|takes|makes|fixes|gives|needs|must|should|means`,
  pt: `
    e|sao|era|foi|resolve|precisa|deve|vai|fica|gasta`,
})
export function isOfTheMoment(bare: string): boolean {
  return MOMENT.test(bare) || (GERUND.test(bare) && !FINITE.test(bare))
}
/** A report of what was just done: worth something only with what was found on the way. */
export const DONE = opening({
  en: `
    done|fixed|created|added|changed|committed|updated|uploaded|merged|pushed|set|written|noted|removed|moved
    deployed|implemented|works|it works|all (?:green|good|set|done|tests|four|three|two)
    tests? (?:are|is|pass(?:es)?|passing|green)|pr (?:opened|#)|branch is|switched|bumped|renamed|reverted
    opened|sent|confirmed|started|restarted|applied
    i(?:'ve| have) (?:added|changed|updated|fixed|created|moved|removed|put)
    i (?:added|changed|updated|fixed|created|moved|removed|put|did|ran)`,
  pt: `
    feito|pronto|criei|criad[oa]|alterei|alterad[oa]|aumentei|mudei|corrigi|adicionei|removi|subi|rodei
    testes? (?:ok|verdes?|passa(?:m|ndo|ram))|mantid[oa]|enviad[oa]|atualizei|aplicad[oa]|aplicuei|funcionou
    coloquei|troquei|ajustei`,
})
/** How it goes now, against before: a figure of the day. */
export const FIGURES =
  /\bnow (?:takes?|runs?|passes|works|finishes|needs)\b|\b(?:instead of|down from|up from|before it was|it was|was|antes era|em vez de) ~?\d|\b(?:agora (?:leva|roda|demora)|caiu (?:de|para))\b/
/** Where something stands in the code, which the code says itself. */
export const LOCATES =
  /\b(?:is|are|lives?|sits?) (?:defined |located |implemented |handled |done )?in (?:code|[\w/]+\.\w+)|\b(?:esta|fica|mora) (?:definid[oa] )?em (?:code|[\w/]+\.\w+)/
/** Said to the agent, about now. */
export const NOW_ONLY = opening({
  en: `
    run|rerun|check|show|look|open|try|see|print|commit|push|merge|start|restart|send|mail|tell|explain
    go ahead|continue|carry on|proceed|wait|stop|help|find|read|give|post|revert|undo|use this|use that`,
  pt: `
    roda|rode|olha|mostra|abre|tenta|ve|verifica|confere|commita|sobe|manda|explica|continua|segue|espera
    acha|le|da uma olhada|testa`,
})

/** For a while: what holds afterwards is not said. */
export const TEMPORARY = anyOf({
  en: `
    for now|for the moment|for the time being|just (?:for )?(?:this|the) (?:once|run|time|test|session|branch)|this once|only today|just today|temporarily`,
  pt: `
    por agora|por enquanto|para ja|(?:so )?desta vez|so (?:por )?hoje|temporariamente|so para (?:este|esta|esse|essa) (?:teste|vez|corrida)`,
})
/** Says that it was decided, or that it holds: a wish for now says neither. */
export const DECLARED = anyOf({
  en: String.raw`
    decided|chose|chosen|settled on|opted for|agreed|went with|from now on|from here on|going forward|policy|convention|rule|always|never|no more|any ?more|no longer
    we(?:'re| are|'ve| have|'ll| will| won't| never| always| only| don't| do not) \w+|in favou?r of`,
  pt: String.raw`
    decid\w+|escolh(?:emos|i)|optamos|adotamos|fechamos|combinamos|ficou (?:decidido|combinado|assente|definido)|a partir de (?:agora|hoje)|de agora em diante|daqui (?:pra|para) frente
    regra|politica|convencao|sempre(?! que)|nunca|jamais|nada de|(?:mudamos|passamos|migramos|trocamos|deixamos) (?:de|do|da|o|a|para|pra|por)`,
})

// Decisions.
export const RULE = anyOf({
  en: String.raw`
    we (?:cannot|can't|may not|must)|cannot (?:go|be|exceed)
    (?:do not|don't|never) (?:touch|change|use|add|break|rename|remove|delete|raise|store|log|expose|mix|call|move|edit)
    from now on|from here on|going forward|rule|policy|convention|always|never|no exceptions?|no more
    any ?more|must(?: not|n't)?|has to|have to|not allowed|forbidden|under no circumstances|at all times
    every(?:where| time| \w+ (?:must|gets|needs|has))|nobody|(?:may|can) only
    only (?:for|with|in|on|by|via|through|after|when|if)|by default|as a rule
    only (?:[\w'-]+ ){1,6}(?:may|can|should|must|is allowed|are allowed|gets? to|approves?|decides?)`,
  pt: String.raw`
    nao (?:mexe|toca|toque|muda|mude|altera|altere|usa|use|apaga|apague|remove)
    nao (?:[oa]s? )?(?:uses?|usem|mexas?|mudes?|apagues?|toques?|alteres?|edites?|ponhas?|metas?|facas?|removas?|guardes?|cries?|escrevas?|chames?|instales?|corras?|publiques?|envies?|mandes?|deixes?|aceites?|facam|partilhes?)
    so (?:(?:o|a|os|as|quem) )?(?:\w+ ){1,6}(?:pode|podem|deve|devem|aprova|aprovam|mexe|mexem|decide|decidem|publica|publicam|autoriza)
    so (?:e|sao) \w+(?:ad|id)[oa]s? (?:depois|com|por|quando|se)
    a partir de agora|de agora em diante|daqui (?:pra|para) frente|regra|sempre(?! que)|nunca|jamais|sem excecao
    nada de|obrigatori[oa]|proibid[oa]|nao pode(?:m|mos)?|tem que|tem de|hipotese (?:nenhuma|alguma)
    em todo[s]?|em tudo|so (?:pode|com|para|pra|no|na|em|se|quando|depois|a partir)|por padrao|politica
    padrao (?:e|fica)|ninguem|nem pensar`,
})
export const CHOICE = anyOf({
  en: String.raw`
    decid(?:ed|ing|e) (?:to|on|for|that)|we decided|i decided|decision is|chose|chosen|went with|settled on
    settle on|go(?:ing)? (?:with|for)|stick(?:ing)? (?:with|to)|let's (?!see|check|look|try|start|find)\w+
    lets (?!see|check|look|try|start|find)\w+
    we(?:'ll| will) (?:use|keep|go|do|have|store|ship|support|move|drop|stay|only|not|never|always)|we won't
    we do not|we don't|will use|keep (?:it|that|the|this|them|using)|leave (?:it|the|them|this)|instead of
    rather than|in favou?r of|(?:do|take|use|pick) the \w+ one|opt(?:ed|ing) for
    no \w+ in (?:the |our )?\w+|drop (?:the|support)
    we(?:'ve| have)? (?:switched|moved|migrated|replaced|standardi[sz]ed|adopted|dropped|retired|abandoned)
    we(?:'re| are) (?:going|staying|sticking|dropping|not|moving|switching|replacing)|agreed (?:to|on|that|with)`,
  pt: `
    (?:mudamos|passamos|migramos|trocamos|substituimos|abandonamos|deixamos) (?:de|do|da|dos|das|o|a|os|as|para|pra|por)
    decidimos|decidi|decidiu-se|decidido|decisao (?:e|foi|final|tomada)|escolhemos|escolhi|optamos|adotamos
    vamos (?:de|com|usar|manter|ficar|adotar|deixar|seguir|fazer|por|guardar|gravar)|fechado|fechou|combinado
    fica (?:assim|como|no|na|em|com|decidido|sendo)|ficam? (?:no|na|em|com)|mantem|mantenha
    deixa (?:como|o|a|so|no|na)|em vez de|ao inves de|no lugar d[eo]|melhor (?:usar|manter|deixar)
    usa(?:r)? sempre|bora (?:de|com|usar)|pode (?:manter|usar|deixar|ser)|faz (?:com|pelo|pela|por|assim)
    nao vamos|nao usamos|nao quero`,
})
export const PREFERENCE = anyOf({
  en: `
    i prefer|we prefer|prefer(?:red)?|i(?:'d| would) rather|rather have|i like .{1,40} (?:better|more)|i don't like
    we want|i don't want|please always`,
  pt: `
    prefiro|preferimos|gosto (?:de|mais)|nao gosto|quero que|eu quero`,
})
/** A wish lasts when it is for everything; for one thing it is an order about now. */
export const WISH = anyOf({
  en: `
    i want(?! to (?:see|know|look|check|go|try|understand))|i(?:'d| would) like(?! to (?:see|know|look|check|go|try|understand))`,
  pt: `
    quero(?! (?:ver|saber|olhar|testar|entender|perceber|tentar))|queremos|gostava (?:de|que)|gostaria (?:de|que)`,
})
/** Somebody who is not in the room has said so. */
export const AUTHORITY = anyOf({
  en: `
    (?:finance|legal|marketing|security|compliance|product|sales|support|ops|the (?:client|customer|auditor|board|boss|team|cto|ceo|vendor|law|contract|spec|regulator))s? (?:says?|said|wants?|wanted|needs?|requires?|promised|insists?|asked|told|decided|agreed|signed|won't|will not|does not|doesn't|forbids?)
    required by|by law|contract(?:ually)?|agreed with|promised`,
  pt: String.raw`
    (?:o|a|os|as) (?:financeiro|juridico|cliente|diretoria|seguranca|compliance|produto|contrato|lei|auditoria|contabilidade|time|comercial|suporte|marketing) (?:diss\w+|quer|pediu|exig\w+|decidiu|manda|combinou|prometeu|precisa|nao (?:deixa|quer|aceita|permite)|proibe)
    exigencia|por lei|combinad[oa] com|prometid[oa]`,
})
/** How things are with us. */
export const OURS = anyOf({
  en: String.raw`
    (?:we|our \w+) (?:only |always |never |also |all |just |still )?(?:use|uses|support|ship|round|keep|store|treat|deploy|require|accept|target|release|freeze|publish|bill|charge|sign|serve|own|pay|log|host|run|allow|want|need|measure|count|call|send|test)s?`,
  pt: `
    (?!vamos|estamos|temos|somos|podemos|poderiamos|devemos|fomos|vimos|tinhamos)[a-z]{3,}(?:amos|emos|imos)
    a gente (?:so |sempre |nunca )?(?:usa|trata|guarda|manda|suporta|cobra|arredonda|aceita|mantem|publica)`,
})
export const SCOPE = anyOf({
  en: `
    only|every|everything|everybody|everyone|each|all|any|until|at least|at most|no longer|strict(?:ly)?|per
    nothing|none|max(?:imum)?|min(?:imum)?|limit`,
  pt: `
    so (?:pra|para|com|no|na|em|quem|o|a)|somente|apenas|cada|tod[oa]s?|tudo|nenhum[a]?|ate|no maximo
    no minimo|pelo menos|limite|sem`,
})
export const IMPERATIVE = opening({
  en: String.raw`
    use|keep|put|store|make|drop|leave|don't|do not|avoid|prefer|stay|normali[sz]e|treat|never|always|do the
    do it (?:with|like|as|in|by)|fail|set|no \w+|only|limit|cap|block|require|allow`,
  pt: String.raw`
    usa|use|mantem|poe|bota|coloca|deixa|guarda|grava|nao (?:usa|usem|quero|mexe|coloca|deixa|pode)|evita
    trata|limita|bloqueia|sem \w+|so `,
})
export const AFFIRMED =
  /^(?:yes|yep|yeah|yup|agreed|ok(?:ay)?|good|fine|sure|perfect|right|go (?:with|for|ahead)|do (?:it|that|the|so|this)|please do|sounds good|makes sense|let's do|exactly|sim|isso|concordo|pode|fechado|beleza|certo|combinado|perfeito|boa|faz(?: isso| assim)?|bora|manda ver|show|vamos)(?![\w'-])/
export const PROPOSAL = anyOf({
  en: `
    shall (?:i|we)|should (?:i|we)|do you want|want me to
    i(?:'d| would) (?:suggest|recommend|propose|go|use|keep|prefer)|i (?:suggest|recommend|propose)|better
    safer|simple(?:r|st)|cleaner|cheaper|would (?:do|work|bring|make|fix|be|help|need|remove|save|cut)
    alternative(?:ly)?|option|works, but|we (?:can|could|should)|could|either|or`,
  pt: `
    quer que|posso|devo|troco|mudo|sugiro|recomendo|proponho|melhor|mais (?:simples|seguro|facil|barato)
    o certo e|ideal|da para|da pra|resolveria|ou`,
})

/** An agent that weighs what could be done tells no fact yet. */
export const WEIGHS = anyOf({
  en: `
    shall|suggest|recommend|propose|would|option|alternative(?:ly)?|works, but|safer|cleaner`,
  pt: `
    sugiro|recomendo|mais simples|mais seguro|daria`,
})

// Lessons.
export const CAUSE = anyOf({
  en: `
    turns? out|turned out|root cause|the cause|that's why|that is why|that's the (?:cause|reason|problem|bug)
    the (?:reason|problem|culprit|issue|bug|trick|catch) (?:is|was|here)|caused by|comes from|stems from
    it was the|lesson(?:s)?(?: learned)?|learned that|discovered|found (?:it|out|that|the)|explains
    was hidden|was masked|hidden by|masked by`,
  pt: String.raw`
    o problema (?:e|era|esta|estava)|a causa|o motivo|a razao|causad[oa] por|culpa d[oae]|por isso
    descobri\w*|aprendi\w*|licao|na verdade|acontece que|era (?:o|a)|vem d[oae]|explica
    achei (?:o|a)?`,
})
export const REASON = anyOf({
  en: `
    because|since|due to|so that|as (?:it|they|the|we)|therefore|thus|hence|which is why|thanks to|otherwise
    or else`,
  pt: `
    porque|pois|ja que|por causa|devido|senao|por conta|para que|assim que|entao|dai`,
})
/** Also where the comma would hide it from a word border. */
export const COMMA_SO = /[,;] (?:so|because|since|otherwise|then|senao|entao|porque|pois|que e)\b/
export const CONDITION = anyOf({
  en: String.raw`
    only|unless|without|whenever|when|if|after|before|until|once|while|even (?:if|though|when)|except
    as soon as|instead of|rather than|at the same time|together with|in the middle of|with (?:the|a|no)|twice
    every (?:time|\d+|request|insert|minute|hour|second|night|day)`,
  pt: String.raw`
    quando|se|sem|depois|antes|enquanto|ate
    so (?:quando|se|no|na|com|em|para|pra|depois|\w+ (?:se|quando|com))|somente|a menos|exceto|mesmo|toda vez
    a cada|duas vezes|ao mesmo tempo|com [ao]`,
})
export const BEHAVIOUR = anyOf({
  en: `
    (?:set|return|throw|fail|crash|drop|lose|time|fall|ignore|leak|block|hang|retry|retrie|reconnect|cache|overwrite|truncate|resolve|attempt|expire|take|spend|need|require|expect|send|keep|hold|read|rename|plan|refresh|refreshe|use|remove|guarantee|limit|default|open|start|stop|deliver|count|skip|close|reject|accept|convert|replace|override|match|matche|break|load|run|write|call|point|allocate|wait|sleep|wake|poll|buffer|copie|copy|double|duplicate|round|strip|escape|encode|decode|parse|add|create|make|mean|depend|belong|assume|treat|allow|prevent|cause|trigger|fire|reset|clear|flush|queue|lock|share|serialise|serialize|compare|sort|order|store|mount|remount|restart|miss|misse|get|give|go|goe|come|stay|change|lack|cost|grow|shrink|exceed|report|emit|swallow|hide|mask|leave|show|pull|push|pushe|fetch|fetche|pin|cap|compute|compile|link|import|inherit|evict|accumulate|subscribe|retain|survive|process|processe)s
    (?:does|do|did|is|are|was|were|has|had|can|will) ?(?:not|n't)
    (?:doesn|don|didn|isn|aren|wasn|won|can|hasn)'?t|cannot|never|always|timed out
    is (?:missing|null|empty|wrong|called|set|sent|cached|ignored|lost|dropped|shared|keyed|limited|capped|off|only)
    are (?:missing|lost|dropped|ignored|sent|called|shared)|had expired|kept|made it`,
  pt: `
    (?:usa|retorna|devolve|lanca|falha|trava|perde|ignora|bloqueia|reconecta|expira|demora|gasta|precisa|exige|espera|manda|envia|entrega|guarda|mantem|grava|chama|garante|duplica|estoura|repete|abre|fecha|aparece|muda|conta|dispara|vaza|cria|remove|recebe|aceita|rejeita|converte|sobrescreve|trunca|soma|multiplica|arredonda|carrega|acorda|consome|pede|puxa|busca|atualiza|limita|libera|segura|volta|passa|faz|gera|divide|corta|pula|junta|agrupa|liga|desliga|ativa|roda|executa|considera|trata|tem|vem|le|cai|some|vira)m?
    se perde(?:m)?|perdem-se|da (?:erro|timeout|conflito|problema)
    nao (?:tem|existe|funciona|vem|chega|volta|fecha|bate|reconecta|e|sao|esta)
    ja (?:garante|vem|virou|faz|trata|tem)
    esta(?:va)?(?:m)? (?:sem|com|errad[oa]|ligad[oa]|desligad[oa]|fix[oa])`,
})
export const WARNING = anyOf({
  en: String.raw`
    careful|beware|watch out|gotcha|caveat|pitfall|danger(?:ous)?|risk(?:y)?|silently|burned us|bit us
    don't (?:ever|forget)|do not forget|breaks|data loss|vulnerab\w+|unsafe|insecure|security hole|hole
    trap|note that|important(?:ly)?|keep in mind|remember (?:that|to)`,
  pt: String.raw`
    cuidado|atencao|pegadinha|armadilha|perigo(?:so)?|arriscad[oa]|risco|silenciosamente|em silencio
    nao (?:esquec\w+|mexer)|quebra|importante|lembrar? que|lembre`,
})
export const FIX = anyOf({
  en: String.raw`
    fixe[sd]|the fix|fix is|solve[sd]|workaround|work around|helps|went away
    no longer (?:crashes|fails|happens)|resolved by|brings? it (?:to|down)
    (?:from|was) \d\S* (?:\w+ )?to \d\S*|remedy|goes away`,
  pt: String.raw`
    resolve(?:u)?|a solucao|correcao e|contorn\w+|conserta|sumiu|parou de`,
})
/** What was tried and did not help is worth as much as what did. */
export const TRIED = anyOf({
  en: `
    tried|slower|worse|bottleneck|no gain|not worth|made no difference|(?:did|does)(?: not|n't) help|dead end`,
  pt: String.raw`
    tentei|testei|piorou|mais lent[oa]|gargalo|nao (?:ajud\w+|adiant\w+|compensa)|nao vale a pena`,
})
export const HEDGE = anyOf({
  en: `
    probably|i think|seems?|looks like|likely|apparently|might|i believe`,
  pt: `
    acho que|parece|provavelmente|deve ser|aparentemente|pelo visto`,
})

// Tasks.
export const TASK = anyOf({
  en: String.raw`
    (?:somebody|someone|one of us|anyone) (?:still )?(?:has|have|needs?|should|must) to|(?:somebody|someone) (?:should|must)
    todo(?=:)|(?:a|the|in) todo|to-do|left to do
    (?:only|last|one) (?:thing|part|step|bit) (?:that is |still )?(?:left|missing|open)|(?:is|are) left
    waiting (?:for|on)|blocked (?:on|by)|left for (?:tomorrow|later|next|monday|another)
    still (?!is|was|has|as|this|does)[a-z]{3,}s|still (?:missing|to do|open|needs?|has to|have to|pending|left|in the|uses?|fails?|broken|shows?|to be)
    remains? (?:to|open|undone)|what remains|remaining|pending|follow-?up|backlog
    next (?:sprint|week|step|steps|release|iteration|month|session|up)
    (?:on|to) (?:the|my|our) (?:list|board|backlog)
    not yet (?:done|fixed|migrated|covered|implemented|tested|started)
    (?:have not|haven't|has not|hasn't|did not|didn't) (?:yet )?(?:touch|touched|change|changed|migrate|migrated|cover|covered|finish|finished|start|started|test|tested|fix|fixed|do|done|update|updated)
    is (?:still )?open$|half (?:done|way|\w+(?:ed|en))|unfinished
    work in progress|wip|to be done|open (?:point|item|task|issue)s?|needs? (?:to be|a follow)|later this
    (?:do|finish|continue|pick up|tackle)(?: \w+){0,3} (?:tomorrow|monday|next|later)|tomorrow|parked
    postponed?`,
  pt: String.raw`
    alguem (?:ainda )?(?:tem|precisa|deve|vai ter)(?: que| de)? \w+|deixa anotado|fica(?:r)? por fazer|por (?:fazer|tratar|resolver)
    falta(?:m|ndo|ou)?|pendente(?:s)?|pendencia|por fazer|a fazer
    proxim[oa] (?:sprint|semana|passo|passos|release|versao|mes)|proximos passos|amanha
    (?:deixa|fica|ficou|ficaram|deixamos) (?:pra|para|pela metade|pendente)|pela metade|segunda-feira
    na lista|no backlog
    ainda (?:falta|preciso|precisa|tem que|esta|estao|usa|continua|nao (?:fiz|migrei|mexi|testei|foi|foram|esta|tem|cobre))
    depois (?:a gente|eu|vemos|fazemos)|semana que vem|mes que vem|resta(?:m)?
    anota(?:r)? (?:ai|isso|pra|para)|lembrete|em aberto|continua (?:aberto|pendente)|aguardando|no aguardo
    esperando (?:o|a|os|as)`,
})
/** Said by an agent it is left to do; by a person it would be a rule. */
export const HAS_TO_BE =
  /\b(?:has|have|needs?|will have|still) to be \w{3,}(?:ed|en|ne|lt|pt|un)\b|\b(?:precisa|tem que|deve) ser \w+(?:ad|id)[oa]s?\b/
/** A day is named: something is to happen then. */
export const DAY = anyOf({
  en: `
    (?:on|by|until|before|after|for) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)
    (?:over|after|before) the weekend|end of (?:the )?(?:week|month|day)|tonight`,
  pt: `
    (?:na|ate|pra|para) (?:segunda|terca|quarta|quinta|sexta)|no (?:sabado|domingo|fim de semana)
    hoje a noite|fim d[oe] (?:mes|dia|semana)`,
})
/** A list under one of these is what is left, or what was found. */
export const TASK_LEAD = anyOf({
  en: `
    not (?:yet )?(?:done|fixed|covered|included)|known issues|limitations|todo|left|open|next|remaining|pending|follow-?ups?|still|missing`,
  pt: String.raw`
    falta\w*|pendente\w*|proximos?|pendencias?|a fazer`,
})
/** A list of what could be done. */
export const OPTIONS_LEAD = anyOf({
  en: String.raw`
    options?|alternatives?|either|choices|approaches|ways|could|can|would|ideas?|suggest\w*|proposals?`,
  pt: `
    opcoes|opcao|alternativas?|caminhos|poderiamos|podemos|ideias?|sugestoes`,
})
/** A list of what was done. */
export const REPORT_LEAD = anyOf({
  en: `
    changed?|changes|did|done|summary|fixed|added|updated|implemented|files|tests?|created|verified|result|results`,
  pt: `
    mudei|mudancas|alterei|alteracoes|feito|fiz|resumo|arquivos|testes?|criei|resultados?`,
})
export const LESSON_LEAD = anyOf({
  en: `
    lessons?|learned|findings?|gotchas?|notes?|caveats?|causes?|root cause`,
  pt: `
    licoes|aprendizados?|achados?|causas?|cuidados?`,
})
export const DECISION_LEAD = anyOf({
  en: `
    decisions?|decided|agreed|rules?|conventions?`,
  pt: `
    decisoes|decidido|combinado|regras?`,
})

/** A sentence that starts so speaks of what was said before it. */
export const POINTS_BACK =
  /^(?:it|this|that|they|these|those|them|he|she|its|both|which|the same|do that|do it|isso|isto|esse|essa|ele|ela|eles|elas|aquilo|o mesmo|ambos)(?:'s|'ll|'re)?(?![\w-])/
export const REFERS = anyOf({
  en: `
    (?:do|put|keep|leave|make|use|fix|move|drop|store|have|add|remove|finish|faz|deixa|usa|guarda|mantem|poe|bota) (?:it|that|this|them|that one|isso)`,
})
