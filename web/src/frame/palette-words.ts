import type { Messages } from '../language/language.tsx'

const en = {
  title: 'Commands',
  field: 'Type a command or words from an entry',
  list: 'Commands and entries',
  goTo: (view: string) => `Go to ${view}`,
  newEntry: 'New entry',
  undo: 'Undo my last change',
  upkeep: 'Run upkeep',
  showUpkeep: 'Show the upkeep log',
  theme: (name: string) => `Theme: ${name}`,
  language: (name: string) => `Language: ${name}`,
  keys: 'Show keyboard shortcuts',
  token: 'Enter a token',
  entries: 'Entries',
  searching: 'Searching …',
  nothing: 'No results.',
  count: (count: number) => (count === 1 ? '1 result' : `${count} results`),
}

export const paletteWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Comandos',
    field: 'Digite um comando ou palavras de uma entrada',
    list: 'Comandos e entradas',
    goTo: view => `Ir para ${view}`,
    newEntry: 'Nova entrada',
    undo: 'Desfazer minha última alteração',
    upkeep: 'Executar a manutenção',
    showUpkeep: 'Mostrar o registro de manutenção',
    theme: name => `Tema: ${name}`,
    language: name => `Idioma: ${name}`,
    keys: 'Mostrar atalhos de teclado',
    token: 'Informar um token',
    entries: 'Entradas',
    searching: 'Buscando …',
    nothing: 'Nenhum resultado.',
    count: count => (count === 1 ? '1 resultado' : `${count} resultados`),
  },
}
