import type { Language } from './language.ts'

/**
 * Words without a topic, folded. `don`, `isn` and the like are the rest of `don't` and `isn't`. One string per language: splitting it
 * costs a few microseconds, on first use of the language.
 */
const STOP_WORDS: Record<Language, string> = {
  en:
    'a about above after again against all am an and any are aren arent as at be because been before being below between ' +
    'both but by can could couldn couldnt cant did didn didnt do does doesn doesnt doing don dont down during each either else etc ever every few for from ' +
    'further get gets getting give go goes going got had hadn has hasn have haven havent having he her here hers herself him himself ' +
    'his how however i if in into is isn isnt it its itself just let like make makes many may me might mine more most much must ' +
    'mustn my myself need no nor not now of off on once only or other our ours ourselves out over own per please same shall ' +
    'she should shouldn so some somebody someone something still such than that the their theirs them themselves then there ' +
    'these they thing things this those though through to too under until up upon us very want was wasn wasnt way we were weren ' +
    'what when where whether which while who whom whose why will with within without won wont would wouldn yet you your yours ' +
    'yourself yourselves',
  pt:
    'a agora ainda alem algo alguem algum alguma algumas alguns ali ante antes ao aos apenas apos aquela aquelas aquele ' +
    'aqueles aquilo as assim ate cada com como contra cuja cujo da dai dar das de dela delas dele deles depois desde dessa ' +
    'desse desta deste devo do dos e ela elas ele eles em enquanto entao entre era eram essa essas esse esses esta estamos ' +
    'estao estar estas estava estavam este estes estou eu faz fazer fez fica foi for foram fosse gente ha isso isto ja la lhe ' +
    'lhes mais mas me mesma mesmo meu meus minha minhas muita muito muitos na nada nao nas nem nenhum nenhuma nessa nesse ' +
    'nesta neste no nos nossa nossas nosso nossos num numa o onde oq os ou outra outras outro outros para pela pelas pelo pelos pq ' +
    'per perante pode podem podemos pois por porem porque posso pra pro qnd qual quais qualquer quando quanta quanto quantos que ' +
    'quem quer se seja sem sempre sendo ser sera seria seu seus so sob sobre somos sou sua suas tal talvez tambem tb tem temos ' +
    'tenho ter teve tinha to toda todas todo todos tu tua tudo um uma umas uns vai vamos vao vc voce voces vou',
}

const sets: Partial<Record<Language, ReadonlySet<string>>> = {}

export function stopWords(language: Language): ReadonlySet<string> {
  let words = sets[language]
  if (words === undefined) {
    words = new Set(STOP_WORDS[language].split(' '))
    sets[language] = words
  }
  return words
}
