import type { Messages } from './language/language.tsx'

const en = {
  views: 'Views',
  loading: 'Loading …',
  vault: 'Memories',
  chat: 'Chat',
  brief: 'Brief',
  review: 'Review',
  conflicts: 'Conflicts',
  freshness: 'Freshness',
  timeline: 'Timeline',
  graph: 'Graph',
  state: 'State',
  health: 'Health',
  import: 'Import',
}

export const frameWords: Messages<typeof en> = {
  en,
  pt: {
    views: 'Vistas',
    loading: 'Carregando …',
    vault: 'Memórias',
    chat: 'Conversa',
    brief: 'Resumo',
    review: 'Revisão',
    conflicts: 'Conflitos',
    freshness: 'Frescor',
    timeline: 'Linha do tempo',
    graph: 'Grafo',
    state: 'Estado',
    health: 'Saúde',
    import: 'Importar',
  },
}
