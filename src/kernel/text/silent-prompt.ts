import { foldWord } from './fold.ts'
import { stopWords } from './stop-words.ts'
import { scanChunks } from './words.ts'

/** A longer prompt says more than "go on". */
const MAX_WORDS = 12
const READ_CHARACTERS = 400

/** Acknowledgements, greetings, choices and orders to continue, folded. English, Portuguese, Spanish. */
const ANSWERS = [
  'yes yeah yep yup y ok okay k sure no nope n thanks thank thx ty great good perfect nice cool awesome excellent fine right correct exactly agreed',
  'hi hello hey please plz pls sorry done ready wait stop continue proceed ahead keep next again try retry redo resume start begin lets option first second',
  'third both last previous latest choose pick run rerun implement apply execute looks look sounds works worked work lgtm approve approved accept accepted',
  'sim nao beleza blz certo claro otimo perfeito legal valeu obrigado obrigada tudo bem bom isso ai pode podes prossiga prosseguir continua continue segue',
  'seguir siga manda bala proximo proxima tenta tente novamente opcao primeira segunda terceira aplica aplique implemente executa execute pronto concordo',
  'si vale dale listo bueno bien gracias adelante continua continuar sigue seguimos siguiente intenta intentalo otra vez opcion primero segundo perfecto',
  'genial correcto acuerdo hazlo hagalo aplicalo ola hola',
].join(' ')

/** Orders about version control that need no memory; their subject is in the working tree. */
const VERSION_CONTROL = [
  'commit commits committed committing push pushed pushing pull merge changes change branch main master git github origin message pr request open create',
  'stage staged all files everything it them work one line short changelog',
  'commita commite comita comite commitar comitar fazer faca faz sobe suba subir empurra mudancas alteracoes alteracao mensagem ramo',
  'commitea comitea commitear haz hacer sube subir cambios cambio mensaje rama',
].join(' ')

let answers: ReadonlySet<string> | undefined
let versionControl: ReadonlySet<string> | undefined

/**
 * Whether a prompt gets no brief at all: an acknowledgement ("yes", "ok go on", "sim, pode"), a choice ("option 2"), an order to commit,
 * push or continue, or a prompt without a content word.
 */
export function isSilentPrompt(
  prompt: string,
  { hasOpenFiles = false }: { readonly hasOpenFiles?: boolean } = {},
): boolean {
  const text = prompt.trim()
  if (text.length > READ_CHARACTERS) return false
  const words = scanChunks(text).map(({ text: chunk }) => foldWord(chunk))
  if (words.length > MAX_WORDS) return false
  answers ??= new Set(ANSWERS.split(' '))
  versionControl ??= new Set(VERSION_CONTROL.split(' '))
  const content = words.filter(word => !isFiller(word))
  // "What is this for?" is a question about the open file.
  if (content.length === 0) return !hasOpenFiles
  if (content.every(word => answers?.has(word) === true)) return true
  const isAboutGit = content.some(word => ORDER.test(word))
  return (
    isAboutGit && content.every(word => answers?.has(word) === true || versionControl?.has(word) === true)
  )
}

const ORDER = /^(?:commit|comit|push|pull|merge|sobe|suba|subir|sube)/

function isFiller(word: string): boolean {
  return (
    /^(?:\d{1,2}|[a-e])$/.test(word) ||
    stopWords('en').has(word) ||
    stopWords('pt').has(word) ||
    SPANISH.has(word)
  )
}

/** Spanish words without a topic that are not also Portuguese stop words. */
const SPANISH: ReadonlySet<string> = new Set(
  'el la los las lo un una unos unas y del al con por para que es esta este esto eso esa ese ya mas muy hay se te le les mi tu su nos en sin de'.split(
    ' ',
  ),
)
