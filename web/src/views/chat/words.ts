import type { Messages } from '../../language/language.tsx'
import { tierNames } from '../../ui/tier-names.ts'

const en = {
  title: 'Chat',
  side: 'Agent and sessions',
  output: 'Output',
  intro:
    'Talk to an agent through its own program on this computer. Cairn injects relevant memories and saves the conversation.',
  agent: 'Agent',
  agentHint: 'An agent with memories in this project, or a new name.',
  host: 'Host',
  model: 'Model',
  modelHint: 'Empty: the default model of the host.',
  hostOff: (name: string) => `${name} (disabled)`,
  hostAbsent: (name: string) => `${name} (not installed)`,
  hostChanged: 'The program changed since you enabled it. Enable it again.',
  noHost:
    'No host is enabled. An agent runs a program on this computer, so a person must allow it once, in a terminal:',
  enableOthers: 'Enable another host',
  enable: 'To enable one, run in a terminal:',
  enableFirst: 'Enable a host before you send a message. Run in a terminal:',
  needsToken: 'Without a token, this page cannot talk to agents.',
  sessions: 'Sessions',
  noSessions: 'No sessions yet. Your first message to an agent starts one.',
  newChat: 'New chat',
  messages: (count: number) => (count === 1 ? '1 message' : `${count} messages`),
  conversation: 'Conversation',
  empty: 'No messages yet.',
  you: 'You',
  trimmed: (count: number) =>
    count === 1 ? '1 older message is in the archive.' : `${count} older messages are in the archive.`,
  field: 'Message',
  placeholder: 'Ask a question or give a task',
  fieldHint: 'Enter sends, Shift+Enter adds a line.',
  send: 'Send',
  stop: 'Stop',
  retry: 'Try again',
  copy: 'Copy',
  copied: 'Copied.',
  close: 'Close this chat',
  working: 'is working …',
  failed: 'The agent failed',
  stopped: 'Stopped.',
  continuesLater:
    'The server stopped, and the agent with it. The messages are saved and appear here when the server is back.',
  tiers: tierNames.en,
  injected: (tokens: number, items: number) =>
    `${items} ${items === 1 ? 'item' : 'items'} injected from memory (${tokens} tokens)`,
  injectedNothing: 'No relevant memories.',
  persona: 'Role',
  tool: 'Ran',
  tokens: (input: number, output: number) => `${input} tokens in, ${output} out`,
  savedAt: 'Saved',
  recover: 'You have an unfinished chat with this agent, saved',
  continueChat: 'Continue chat',
  dismiss: 'Dismiss',
  closed: (added: number, findings: number) =>
    added === 0 && findings === 0
      ? 'Chat closed. A handoff for the next session is saved.'
      : `Chat closed. A handoff for the next session is saved: ${added} ${added === 1 ? 'memory' : 'memories'} added, ${findings} ${findings === 1 ? 'finding' : 'findings'}.`,
  nothingToClose: 'Chat closed. There was nothing to hand over.',
  toReview: 'Review',
}

export const chatWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Conversa',
    side: 'Agente e sessões',
    output: 'Saída',
    intro:
      'Fale com um agente pelo programa dele neste computador. O Cairn injeta memórias relevantes e salva a conversa.',
    agent: 'Agente',
    agentHint: 'Um agente com memórias neste projeto, ou um nome novo.',
    host: 'Host',
    model: 'Modelo',
    modelHint: 'Vazio: o modelo padrão do host.',
    hostOff: name => `${name} (desabilitado)`,
    hostAbsent: name => `${name} (não instalado)`,
    hostChanged: 'O programa mudou desde que você o habilitou. Habilite-o de novo.',
    noHost:
      'Nenhum host está habilitado. Um agente executa um programa neste computador, por isso uma pessoa precisa permitir uma vez, em um terminal:',
    enableOthers: 'Habilitar outro host',
    enable: 'Para habilitar um, execute em um terminal:',
    enableFirst: 'Habilite um host antes de enviar uma mensagem. Execute em um terminal:',
    needsToken: 'Sem um token, esta página não pode falar com agentes.',
    sessions: 'Sessões',
    noSessions: 'Nenhuma sessão ainda. Sua primeira mensagem a um agente inicia uma.',
    newChat: 'Nova conversa',
    messages: count => (count === 1 ? '1 mensagem' : `${count} mensagens`),
    conversation: 'Conversa',
    empty: 'Nenhuma mensagem ainda.',
    you: 'Você',
    trimmed: count =>
      count === 1
        ? '1 mensagem mais antiga está arquivada.'
        : `${count} mensagens mais antigas estão arquivadas.`,
    field: 'Mensagem',
    placeholder: 'Faça uma pergunta ou dê uma tarefa',
    fieldHint: 'Enter envia, Shift+Enter quebra a linha.',
    send: 'Enviar',
    stop: 'Parar',
    retry: 'Tentar de novo',
    copy: 'Copiar',
    copied: 'Copiado.',
    close: 'Fechar esta conversa',
    working: 'está trabalhando …',
    failed: 'O agente falhou',
    stopped: 'Parado.',
    continuesLater:
      'O servidor parou, e o agente com ele. As mensagens estão salvas e aparecem aqui quando o servidor voltar.',
    tiers: tierNames.pt,
    injected: (tokens, items) =>
      `${items} ${items === 1 ? 'item da memória injetado' : 'itens da memória injetados'} (${tokens} tokens)`,
    injectedNothing: 'Nenhuma memória relevante.',
    persona: 'Papel',
    tool: 'Executou',
    tokens: (input, output) => `${input} tokens de entrada, ${output} de saída`,
    savedAt: 'Salvo',
    recover: 'Você tem uma conversa inacabada com este agente, salva',
    continueChat: 'Continuar conversa',
    dismiss: 'Dispensar',
    closed: (added, findings) =>
      added === 0 && findings === 0
        ? 'Conversa fechada. Um handoff para a próxima sessão foi salvo.'
        : `Conversa fechada. Um handoff para a próxima sessão foi salvo: ${added} ${added === 1 ? 'memória adicionada' : 'memórias adicionadas'}, ${findings} ${findings === 1 ? 'achado' : 'achados'}.`,
    nothingToClose: 'Conversa fechada. Não havia nada para o handoff.',
    toReview: 'Revisar',
  },
}
