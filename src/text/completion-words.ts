/**
 * The words by which a sentence says that something is finished, or that it is not, over folded text (lower case, no accents).
 * English and Portuguese.
 */
import type { Language } from './language.ts'

type ByLanguage = Readonly<Record<Language, RegExp>>

function anyOf(list: string): RegExp {
  return new RegExp(`(?<![\\w'-])(?:${list.trim().replace(/\s*\n\s*/g, '|')})(?![\\w'-])`)
}

/** Said of a thing, it is finished. The past of the step's own verb counts too (`completion.ts`). */
export const FINISHED: ByLanguage = {
  en: anyOf(`
    done|finished|complete|completed|shipped|merged|deployed|released|landed|delivered|closed|resolved|solved|fixed
    implemented|in place|live|wrapped up|sorted(?: out)?|taken care of|checked off|ticked off
    works now|now works|green now|passes now|now passes|(?:is|are) green|(?:is|are) in(?: now)?$`),
  pt: anyOf(`
    feit[oa]s?|pront[oa]s?|concluid[oa]s?|conclui|concluimos|concluiu|terminad[oa]s?|terminei|terminamos|terminou|acabad[oa]s?|acabei|acabamos
    finalizad[oa]s?|finalizei|finalizamos|finalizou|entregues?|publicad[oa]s?|resolvid[oa]s?|resolvi|resolvemos|resolveu
    corrigid[oa]s?|corrigi|corrigimos|corrigiu|consertad[oa]s?|implementad[oa]s?|fechad[oa]s?|no ar|em producao
    (?:esta|estao) ok|funciona agora|agora funciona|(?:esta|ficou|ficaram|estao) verdes?`),
}

/** Said of trouble, it is over. */
export const OVERCOME: ByLanguage = {
  en: anyOf(`
    fixed|resolved|solved|gone|mended|repaired|went away|works now|now works`),
  pt: anyOf(`
    corrigid[oa]s?|corrigi|corrigimos|corrigiu|resolvid[oa]s?|resolvi|resolvemos|resolveu|consertad[oa]s?|consertei|consertamos|sumiu|sumiram|agora funciona|funciona agora`),
}

/** In the clause that would say so, these take it back, or say that it is so only in part. */
export const UNFINISHED: ByLanguage = {
  en: anyOf(String.raw`
    not|no|never|none|nothing|nobody|neither|nor|without|cannot|\w+n't|isnt|arent|wasnt|werent|doesnt|didnt|hasnt|havent|wont|cant|couldnt|dont|undone|unfinished|unresolved|unfixed|untested|incomplete
    nowhere|near|nearly|almost|barely|hardly|scarcely|half|halfway|partly|partially|partial|part|parts|mostly|largely|some|several|most|few|one of|two of|three of|\d+ of|\d+ out of|\d+/\d+
    except|apart from|besides|aside|only|just the|other than|instead|far from|close to|short of|as good as|all but|pretty much|more or less|practically|basically|virtually|essentially|roughly|kind of|sort of
    still|yet|remaining|remains?|left|pending|open|missing|outstanding|waiting|blocked|stuck|parked|postponed|todo|to do|to-do|tbd|wip
    in progress|underway|under way|ongoing|started|starting|begun|began|beginning|working on|work on|continue|continuing
    being|supposed to|meant to|expected to|unsuccessfully|in vain|by mistake
    reverted|rolled back|reopened|broke|broken|breaks|failing|fails|failed|wrong|badly|first (?:part|half|step|draft|version|pass|cut)|draft|prototype|dry run
    every|each|always|usually|normally|automatically|daily|weekly|monthly|yearly|nightly|twice|often
    \d{1,2} ?percent`),
  pt: anyOf(String.raw`
    nao|nem|nunca|jamais|nada|ninguem|nenhum[a]?|sem|quase|metade|meio|meia|parte|partes|parcial|parcialmente|alguns|algumas|poucos|poucas|maioria|um d[oa]s|uma d[oa]s
    exceto|menos|fora|apenas|somente|so|salvo|longe|perto|praticamente|basicamente|mais ou menos|tipo
    ainda|falta|faltam|faltando|faltou|faltava|resta|restam|pendentes?|pendencias?|abert[oa]s?|por (?:fazer|terminar|acabar|resolver|concluir)|a fazer|bloquead[oa]s?|parad[oa]s?|adiad[oa]s?|incomplet[oa]s?|inacabad[oa]s?
    em andamento|em curso|em progresso|comec\w+|inici\w+|trabalhando|continu\w+|andamento
    sendo|em vao|sem sucesso|por engano
    revertid[oa]s?|reverti|reabert[oa]s?|quebrad[oa]s?|quebrou|falhando|falham?|falhou|errad[oa]s?|rascunho|prototipo|por cento
    todo dia|toda semana|todo mes|sempre|normalmente|automaticamente|diariamente|cada`),
}

/** A number of hundredths below all of them. */
export const SHARE = /(?<![\d.,])\d{1,2}(?:[.,]\d+)? ?%/

/** Before the word that says so, these make it a plan, a wish or a condition. */
export const CONDITION: ByLanguage = {
  en: anyOf(String.raw`
    if|whether|once|when|whenever|until|till|unless|before|after|as soon as|by the time|while|in case|provided|so that
    will|would|shall|should|could|can|may|might|must|\w+'ll|going to|gonna|needs?|needed|have to|has to|had to|ought|supposed|to be|want|wants|wanted|wish|hope|hopes|hoping|plan|plans|planned|planning|intend|try|tries|tried|trying|about to|let's|lets|please|remember to|make sure|ensure|getting|get`),
  pt: anyOf(`
    se|quando|assim que|logo que|depois (?:que|de|d[oa]s?)|apos|ate|antes|enquanto|caso (?:[oa]s?|nao|haja|seja)|a menos que|para que
    vai|vao|vou|vamos|iremos|sera|serao|seria|seriam|estara|estarao|ficara|deve|devem|deveria|deveriam|devia|deviam|pode|podem|poderia|poderiam|precisa|precisam|preciso|precisamos|tem que|tem de|temos (?:que|de)|tenho (?:que|de)|quero|queremos|quer|espero|esperamos|pretendo|tentar|tento|tentei|tentando|gostaria|deixar|deixa`),
}

/** Anywhere in the sentence, these make it a guess, the word of somebody else, or a thing of another day. */
export const GUESS: ByLanguage = {
  en: anyOf(`
    maybe|perhaps|probably|possibly|presumably|apparently|supposedly|allegedly|seems?|seemed|looks? like|looked like|guess|think|thinks|thought|believe|assume|assuming|unsure|doubt|whether|who knows|theoretically|in theory|imagine|suppose|pretend
    said|says|claims?|claimed|told|heard|reportedly|according to|marked as
    tomorrow|next (?:week|month|sprint|release|session)|later|soon|eventually|someday|unless|until`),
  pt: anyOf(`
    talvez|acho|achamos|parece|aparentemente|provavelmente|supostamente|suponho|imagino|quem sabe|duvido|em teoria|sei la|creio
    disse|diz|dizem|disseram|falou|segundo|consta|contou|garante|jura
    amanha|semana que vem|proxim[oa] (?:semana|mes|sprint|versao|sessao)|em breve|um dia|a menos que`),
}

/** Said of the trouble itself, and not of a plan: "the proxy no longer drops sockets". */
export const NO_LONGER =
  /\bno longer\b|\b(?:not|n't) [\w ]{1,30}any ?more\b|\bstopped \w+ing\b|\bnao [\w ]{1,30} mais\b|\bparou de\b|\bdeixou de\b/

/** At the head of the next sentence, these take back the one before. */
export const TAKES_BACK =
  /^\W*(?:no\b|nope|not\b|wait|actually|well,|hm+\b|except|scratch that|never ?mind|just kidding|kidding|almost|only not|or (?:is|was|are|so)|nao\b|nope|espera|na verdade|quer dizer|so que|quase|menos\b|brincadeira|mentira|ou melhor|but\b|mas\b|porem\b|however|unfortunately|infelizmente|sadly|then it broke|and then)/

/** Later in the sentence, or in the next one, these say that it was undone, or is to be done again. */
export const UNDONE =
  /\b(?:but|then|though|mas|porem|depois)\b.{0,120}\b(?:reverted|rolled back|undid|backed out|desfiz\w*|desfeit[oa]s?|reverti\w*|voltei atras)\b|\b(?:reverted|undid|rolled|backed) (?:it|that|this|them|everything|all)\b|\b(?:desfiz|desfizemos|reverti|revertemos) (?:isso|tudo)\b|\b(?:must|needs?|has to|have to|had to|precisa\w*|tem que|tive que)\b.{0,120}\b(?:again|revert|undo|roll back|de novo|novamente|outra vez|desfazer|reverter)\b/

/** The past forms that no ending gives away. */
export const IRREGULAR_PAST: Readonly<Record<string, string>> = {
  wrote: 'write',
  written: 'write',
  rewrote: 'rewrite',
  rewritten: 'rewrite',
  built: 'build',
  rebuilt: 'rebuild',
  made: 'make',
  sent: 'send',
  found: 'find',
  ran: 'run',
  got: 'get',
  took: 'take',
  taken: 'take',
  brought: 'bring',
  gave: 'give',
  given: 'give',
  did: 'do',
  drew: 'draw',
  drawn: 'draw',
  chose: 'choose',
  chosen: 'choose',
  threw: 'throw',
  thrown: 'throw',
  taught: 'teach',
  bought: 'buy',
  left: 'leave',
  kept: 'keep',
  held: 'hold',
  told: 'tell',
  broke: 'break',
  feito: 'fazer',
  feita: 'fazer',
  fiz: 'fazer',
  fizemos: 'fazer',
  posto: 'por',
  escrito: 'escrever',
  escrita: 'escrever',
  escritos: 'escrever',
  escritas: 'escrever',
  coberto: 'cobrir',
  coberta: 'cobrir',
  cobertos: 'cobrir',
  cobertas: 'cobrir',
  aberto: 'abrir',
  aberta: 'abrir',
}
