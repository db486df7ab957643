import type { Messages } from '../../language/language.tsx'

const en = {
  title: 'Everywhere',
  intro:
    'Asks the memories of all projects that you may read, and says of each result which project it is from. Nothing of it is told to agents by itself.',
  ways: 'What to ask',
  search: 'Search',
  met: 'Who has met this?',
  entity: 'Entity',
  query: 'Words or a question',
  text: 'An error as it was printed, or a decision in a sentence',
  name: 'A package, service, command, file or person',
  ask: 'Look everywhere',
  asking: 'Looking …',
  project: 'Project',
  everyProject: 'All projects',
  here: 'this project',
  results: 'Results',
  nothing: 'Nothing was found in any of them.',
  nothingNext: 'Try fewer or other words. A project is searched as it was when it was last used.',
  searched: (count: number) => (count === 1 ? '1 project was searched.' : `${count} projects were searched.`),
  closed: (count: number) =>
    count === 1
      ? '1 project is not trusted, or not to be read from others.'
      : `${count} projects are not trusted, or not to be read from others.`,
  lookedFor: 'Looked for',
  helped: 'What helped',
  places: 'Where it stands',
  session: 'session',
  replaced: 'superseded by',
  entries: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  inProjects: (count: number) => (count === 1 ? 'in 1 project' : `in ${count} projects`),
  states: 'What is stated',
  beside: 'Beside it',
}

export const everywhereWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Em toda parte',
    intro:
      'Pergunta às memórias de todos os projetos que você pode ler e diz de cada resultado de qual projeto ele vem. Nada disso é contado a agentes por si só.',
    ways: 'O que perguntar',
    search: 'Pesquisar',
    met: 'Quem já passou por isto?',
    entity: 'Entidade',
    query: 'Palavras ou uma pergunta',
    text: 'Um erro como foi impresso, ou uma decisão em uma frase',
    name: 'Um pacote, serviço, comando, arquivo ou pessoa',
    ask: 'Procurar em toda parte',
    asking: 'Procurando …',
    project: 'Projeto',
    everyProject: 'Todos os projetos',
    here: 'este projeto',
    results: 'Resultados',
    nothing: 'Nada foi encontrado em nenhum deles.',
    nothingNext:
      'Tente menos palavras, ou outras. Um projeto é pesquisado como estava quando foi usado pela última vez.',
    searched: count => (count === 1 ? '1 projeto foi pesquisado.' : `${count} projetos foram pesquisados.`),
    closed: count =>
      count === 1
        ? '1 projeto não é de confiança, ou não deve ser lido por outros.'
        : `${count} projetos não são de confiança, ou não devem ser lidos por outros.`,
    lookedFor: 'Procurado',
    helped: 'O que ajudou',
    places: 'Onde está',
    session: 'sessão',
    replaced: 'substituída por',
    entries: count => (count === 1 ? '1 entrada' : `${count} entradas`),
    inProjects: count => (count === 1 ? 'em 1 projeto' : `em ${count} projetos`),
    states: 'O que é afirmado',
    beside: 'Ao lado dela',
  },
}
