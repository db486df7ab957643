import type { Messages } from '../../language/language.tsx'
import type { SessionStatus } from './timeline-model.ts'

const en = {
  title: 'Timeline',
  about: 'The sessions of this project and their findings.',
  agent: 'Agent',
  everyone: 'All agents',
  state: 'Status',
  anyState: 'Any status',
  statuses: { open: 'open', left: 'not closed', closed: 'closed' } as Record<SessionStatus, string>,
  from: 'From',
  until: 'Until',
  counted: (shown: number, loaded: number, total: number) =>
    loaded < total
      ? `${shown} shown, ${loaded} of ${total} sessions loaded.`
      : `${shown} of ${total} ${total === 1 ? 'session' : 'sessions'}.`,
  unread: 'Some sessions could not be read:',
  emptyTitle: 'No sessions yet',
  empty:
    'Sessions appear here when agents work in this project. `cairn init` connects your agents. You can import older sessions.',
  toImport: 'Go to Import',
  nothingFits: 'No matching sessions',
  widen: 'Choose other dates, another status or all agents.',
  loading: 'Loading …',
  more: 'Show more',
  vaultThen: 'Entries on this day',
  notThere: (session: string) => `Session ${session} does not exist any more.`,
  untitled: 'Session without a prompt',
  messages: (count: number) => (count === 1 ? '1 message' : `${count} messages`),
  memoriesAdded: (count: number) => (count === 1 ? '1 memory added' : `${count} memories added`),
  moreAdded: (count: number) => `and ${count} more`,
  noneAdded: {
    open: 'Memories are added when the session closes.',
    left: 'Memories are added when the session closes.',
    closed: 'No memories added.',
  } as Record<SessionStatus, string>,
  findings: (count: number) => (count === 1 ? '1 finding to review' : `${count} findings to review`),
  handoff: 'Handoff',
  open: 'Open in Memories',
  showConversation: 'Show the conversation',
  hideConversation: 'Hide the conversation',
  conversationOf: 'Conversation of',
  foundHere: 'Findings',
  saved: 'saved',
  notSaved: 'not saved, see Review',
  internal: 'Show internal messages',
  internalOne: 'internal',
  hidden: (count: number) =>
    count === 1 ? '1 internal message is hidden.' : `${count} internal messages are hidden.`,
  trimmed: (count: number) =>
    count === 1 ? '1 older message is in the archive.' : `${count} older messages are in the archive.`,
  earlier: 'Show earlier messages',
  messagesShown: (shown: number, total: number) => `the last ${shown} of ${total}`,
  roles: { user: 'Person', agent: 'Agent', assistant: 'Agent', tool: 'Tool', system: 'Host' } as Record<
    string,
    string
  >,
  passed: 'passed',
  failed: 'failed',
  happened: 'Commands and changes',
  back: '← All sessions',
  asOf: 'Entries on',
  otherDay: 'Day',
  entriesThen: (count: number) => (count === 1 ? '1 entry on this day.' : `${count} entries on this day.`),
  entriesNow: (count: number) => (count === 1 ? '1 entry now.' : `${count} entries now.`),
  nothingThen: 'No entries on this day. Choose a later day.',
  current: 'Current version',
}

export const timelineWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Linha do tempo',
    about: 'As sessões deste projeto e seus achados.',
    agent: 'Agente',
    everyone: 'Todos os agentes',
    state: 'Situação',
    anyState: 'Qualquer situação',
    statuses: { open: 'aberta', left: 'não encerrada', closed: 'encerrada' },
    from: 'De',
    until: 'Até',
    counted: (shown: number, loaded: number, total: number) =>
      loaded < total
        ? `${shown} ${shown === 1 ? 'mostrada' : 'mostradas'}, ${loaded} de ${total} sessões carregadas.`
        : `${shown} de ${total} ${total === 1 ? 'sessão' : 'sessões'}.`,
    unread: 'Algumas sessões não puderam ser lidas:',
    emptyTitle: 'Nenhuma sessão ainda',
    empty:
      'As sessões aparecem aqui quando agentes trabalham neste projeto. `cairn init` conecta seus agentes. Você pode importar sessões mais antigas.',
    toImport: 'Ir para Importar',
    nothingFits: 'Nenhuma sessão correspondente',
    widen: 'Escolha outras datas, outra situação ou todos os agentes.',
    loading: 'Carregando …',
    more: 'Mostrar mais',
    vaultThen: 'Entradas neste dia',
    notThere: (session: string) => `A sessão ${session} não existe mais.`,
    untitled: 'Sessão sem prompt',
    messages: (count: number) => (count === 1 ? '1 mensagem' : `${count} mensagens`),
    memoriesAdded: (count: number) =>
      count === 1 ? '1 memória adicionada' : `${count} memórias adicionadas`,
    moreAdded: (count: number) => `e mais ${count}`,
    noneAdded: {
      open: 'As memórias são adicionadas quando a sessão é encerrada.',
      left: 'As memórias são adicionadas quando a sessão é encerrada.',
      closed: 'Nenhuma memória adicionada.',
    },
    findings: (count: number) => (count === 1 ? '1 achado para revisar' : `${count} achados para revisar`),
    handoff: 'Handoff',
    open: 'Abrir em Memórias',
    showConversation: 'Mostrar a conversa',
    hideConversation: 'Ocultar a conversa',
    conversationOf: 'Conversa de',
    foundHere: 'Achados',
    saved: 'salvo',
    notSaved: 'não salvo, veja Revisão',
    internal: 'Mostrar mensagens internas',
    internalOne: 'interna',
    hidden: (count: number) =>
      count === 1 ? '1 mensagem interna está oculta.' : `${count} mensagens internas estão ocultas.`,
    trimmed: (count: number) =>
      count === 1
        ? '1 mensagem mais antiga está arquivada.'
        : `${count} mensagens mais antigas estão arquivadas.`,
    earlier: 'Mostrar mensagens anteriores',
    messagesShown: (shown: number, total: number) => `as últimas ${shown} de ${total}`,
    roles: { user: 'Pessoa', agent: 'Agente', assistant: 'Agente', tool: 'Ferramenta', system: 'Host' },
    passed: 'passou',
    failed: 'falhou',
    happened: 'Comandos e alterações',
    back: '← Todas as sessões',
    asOf: 'Entradas em',
    otherDay: 'Dia',
    entriesThen: (count: number) => (count === 1 ? '1 entrada neste dia.' : `${count} entradas neste dia.`),
    entriesNow: (count: number) => (count === 1 ? '1 entrada agora.' : `${count} entradas agora.`),
    nothingThen: 'Nenhuma entrada neste dia. Escolha um dia posterior.',
    current: 'Versão atual',
  },
}
