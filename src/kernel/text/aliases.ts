import { foldWord } from './fold.ts'
import type { Language } from './language.ts'
import type { QueryTerm, Variant } from './query-terms.ts'
import { stemWord } from './stem.ts'
import { singularPortuguese } from './stem-portuguese.ts'
import { stopWords } from './stop-words.ts'

/**
 * Words that mean the same to the people of a project. A group works in every direction: `auth` finds `authentication` and `login`,
 * `login` finds `auth`. The user's map replaces or adds groups by key. The first block is developers' shorthand, the second pairs the
 * words of our two languages.
 */
export const DEFAULT_ALIASES: Readonly<Record<string, readonly string[]>> = {
  api: ['endpoint'],
  args: ['arguments'],
  async: ['asynchronous'],
  auth: ['authentication', 'authorization', 'login', 'autenticação'],
  bug: ['defect', 'defeito'],
  ci: ['pipeline', 'continuous integration'],
  cli: ['command line', 'linha de comando'],
  config: ['configuration', 'settings', 'configuração'],
  cors: ['cross origin'],
  creds: ['credentials', 'credenciais'],
  db: ['database', 'banco de dados'],
  deps: ['dependencies', 'dependências'],
  dev: ['development', 'desenvolvimento'],
  dir: ['directory', 'folder', 'diretório', 'pasta'],
  docs: ['documentation', 'documentação'],
  env: ['environment', 'ambiente'],
  err: ['error', 'erro'],
  fn: ['function', 'função'],
  gh: ['github'],
  golang: ['go'],
  i18n: ['internationalization', 'translation', 'tradução'],
  infra: ['infrastructure', 'infraestrutura'],
  js: ['javascript'],
  jwt: ['token'],
  k8s: ['kubernetes'],
  l10n: ['localization'],
  lib: ['library', 'biblioteca'],
  msg: ['message', 'mensagem'],
  mutex: ['lock', 'trava'],
  oom: ['out of memory'],
  orm: ['object relational'],
  param: ['parameter', 'parâmetro'],
  perf: ['performance', 'desempenho'],
  pg: ['postgres', 'postgresql'],
  pkg: ['package', 'pacote'],
  pr: ['pull request', 'merge request'],
  prod: ['production', 'produção'],
  py: ['python'],
  rb: ['ruby'],
  regex: ['regular expression', 'regexp'],
  repo: ['repository', 'repositório'],
  req: ['request', 'requisição'],
  res: ['response', 'resposta'],
  rs: ['rust'],
  sso: ['single sign on'],
  str: ['string'],
  sync: ['synchronize', 'sincronizar'],
  temp: ['temporary', 'tmp', 'temporário'],
  tz: ['timezone', 'fuso horário'],
  ts: ['typescript'],
  ui: ['interface', 'tela'],
  url: ['link', 'endereço'],
  vm: ['virtual machine', 'máquina virtual'],
  ws: ['websocket'],

  answer: ['resposta'],
  approve: ['aprovar'],
  backup: ['cópia de segurança'],
  branch: ['ramo'],
  build: ['compilar', 'compilação'],
  button: ['botão'],
  change: ['mudança', 'alteração', 'mudar', 'alterar'],
  code: ['código'],
  connection: ['conexão'],
  customer: ['cliente'],
  data: ['dados'],
  decision: ['decisão'],
  delete: ['remover', 'apagar', 'excluir'],
  deploy: ['implantação', 'implantar', 'publicar'],
  disk: ['disco'],
  encryption: ['criptografia', 'cifra'],
  fail: ['falhar', 'falha'],
  failure: ['falha'],
  field: ['campo'],
  file: ['arquivo'],
  invoice: ['fatura', 'nota fiscal'],
  key: ['chave'],
  language: ['idioma', 'linguagem'],
  limit: ['limite'],
  memory: ['memória'],
  name: ['nome'],
  network: ['rede'],
  password: ['senha'],
  payment: ['pagamento'],
  permission: ['permissão'],
  project: ['projeto'],
  queue: ['fila'],
  refund: ['estorno', 'reembolso'],
  review: ['revisão', 'revisar'],
  risk: ['risco'],
  rule: ['regra'],
  save: ['salvar', 'guardar'],
  screen: ['tela'],
  search: ['busca', 'buscar', 'pesquisa'],
  security: ['segurança'],
  server: ['servidor'],
  session: ['sessão'],
  size: ['tamanho'],
  slow: ['lento'],
  storage: ['armazenamento'],
  table: ['tabela'],
  task: ['tarefa'],
  team: ['equipe'],
  test: ['teste', 'testar'],
  user: ['usuário'],
  value: ['valor'],
  variable: ['variável'],
  version: ['versão'],
  warning: ['aviso'],
  write: ['escrever', 'gravar'],
}

/** An alias is a guess: it weighs less than the word itself, but is enough to find an entry without a better match. */
const ALIAS_WEIGHT = 0.4

interface AliasOptions {
  /** Every word folded (`foldAlias`). */
  readonly aliases: Readonly<Record<string, readonly string[]>>
  readonly languages: ReadonlySet<Language>
}

/**
 * Adds the other members of its groups to each term, as low-weight variants. A member of several words (`pull request`) matches if the
 * question has all of them, and is added word by word at a part of the weight.
 */
export function expandAliases(terms: readonly QueryTerm[], options: AliasOptions): QueryTerm[] {
  const formsByText = new Map(terms.map(term => [term.text, numberForms(term.text)]))
  const asked = new Set([...formsByText.values()].flat())
  const groups = findGroups(options.aliases, asked)
  if (groups.length === 0) return [...terms]
  return terms.map(term => {
    if (term.source === 'date' || term.source === 'stop-word') return term
    const forms = formsByText.get(term.text) ?? []
    const variants = new Map<string, Variant>(term.variants.map(variant => [variant.token, variant]))
    for (const group of groups) {
      const own = group.filter(member => member.some(word => forms.includes(word)))
      if (!own.some(member => member.every(word => asked.has(word)))) continue
      for (const member of group) {
        if (own.includes(member)) continue
        for (const token of tokensOfMember(member, options.languages)) {
          if (!variants.has(token)) variants.set(token, { token, weight: ALIAS_WEIGHT / member.length })
        }
      }
    }
    return { ...term, variants: [...variants.values()] }
  })
}

/**
 * The word in the singular and the plural of both languages: the question has `senhas`, the map has `senha`. Stems would find more, but
 * stemming the whole map costs a cold command milliseconds.
 */
function numberForms(word: string): string[] {
  const forms = [word, `${word}s`, singularPortuguese(word)]
  if (word.endsWith('s')) forms.push(word.slice(0, -1))
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`)
  return forms
}

function tokensOfMember(member: readonly string[], languages: ReadonlySet<Language>): string[] {
  const tokens: string[] = []
  for (const word of member) {
    for (const language of languages) {
      if (!stopWords(language).has(word)) tokens.push(stemWord(word, language))
    }
  }
  return tokens
}

/** The members of a group, each as its words. */
type Group = readonly (readonly string[])[]

/** The few groups that are relevant to the question; the others are not even split into words. */
function findGroups(aliases: AliasOptions['aliases'], asked: ReadonlySet<string>): Group[] {
  const isAsked = (member: string) =>
    asked.has(member) || (member.includes(' ') && member.split(' ').some(word => asked.has(word)))
  const groups: Group[] = []
  for (const key of Object.keys(aliases)) {
    const meanings = aliases[key] ?? []
    if (isAsked(key) || meanings.some(isAsked)) {
      groups.push([key, ...meanings].map(member => member.split(' ')))
    }
  }
  return groups
}

/** An alias as a person wrote it, in the form that is compared: folded words with one blank between them. */
export function foldAlias(text: string): string {
  return text
    .split(/\s+/)
    .map(foldWord)
    .filter(word => word !== '')
    .join(' ')
}
