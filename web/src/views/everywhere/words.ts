import type { Messages } from '../../language/language.tsx'

const en = {
  title: 'Everywhere',
  intro:
    'Searches the memories of all projects that you can read. Each result shows its project. Results are not injected into agents.',
  ways: 'Search type',
  search: 'Search',
  met: 'Similar problems',
  entity: 'Entity',
  query: 'Words or a question',
  text: 'An error message, or a decision in one sentence',
  name: 'A package, service, command, file or person',
  ask: 'Search all projects',
  asking: 'Searching …',
  project: 'Project',
  everyProject: 'All projects',
  here: 'this project',
  results: 'Results',
  nothing: 'No results in any project.',
  nothingNext: 'Try fewer or different words. Each project is searched in its state when it was last used.',
  searched: (count: number) => (count === 1 ? '1 project was searched.' : `${count} projects were searched.`),
  skipped: (count: number) =>
    count === 1
      ? '1 project was skipped: it is not trusted, or it does not allow searches from other projects.'
      : `${count} projects were skipped: they are not trusted, or they do not allow searches from other projects.`,
  searchedFor: 'Searched for',
  helped: 'What helped',
  places: 'Found in',
  session: 'session',
  replaced: 'superseded by',
  entries: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  inProjects: (count: number) => (count === 1 ? 'in 1 project' : `in ${count} projects`),
  states: 'Statements',
  relatedEntities: 'Related entities',
}

export const everywhereWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Em toda parte',
    intro:
      'Pesquisa as memórias de todos os projetos que você pode ler. Cada resultado mostra o seu projeto. Os resultados não são injetados nos agentes.',
    ways: 'Tipo de busca',
    search: 'Pesquisar',
    met: 'Problemas parecidos',
    entity: 'Entidade',
    query: 'Palavras ou uma pergunta',
    text: 'Uma mensagem de erro, ou uma decisão em uma frase',
    name: 'Um pacote, serviço, comando, arquivo ou pessoa',
    ask: 'Pesquisar em todos os projetos',
    asking: 'Pesquisando …',
    project: 'Projeto',
    everyProject: 'Todos os projetos',
    here: 'este projeto',
    results: 'Resultados',
    nothing: 'Nenhum resultado em nenhum projeto.',
    nothingNext:
      'Tente menos palavras, ou outras. Cada projeto é pesquisado no estado em que foi usado pela última vez.',
    searched: count => (count === 1 ? '1 projeto foi pesquisado.' : `${count} projetos foram pesquisados.`),
    skipped: count =>
      count === 1
        ? '1 projeto foi ignorado: não é confiável, ou não permite buscas de outros projetos.'
        : `${count} projetos foram ignorados: não são confiáveis, ou não permitem buscas de outros projetos.`,
    searchedFor: 'Pesquisado',
    helped: 'O que ajudou',
    places: 'Encontrado em',
    session: 'sessão',
    replaced: 'substituída por',
    entries: count => (count === 1 ? '1 entrada' : `${count} entradas`),
    inProjects: count => (count === 1 ? 'em 1 projeto' : `em ${count} projetos`),
    states: 'Afirmações',
    relatedEntities: 'Entidades relacionadas',
  },
}
