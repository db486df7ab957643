import type { Messages } from '../language/language.tsx'

const en = {
  title: 'Keys',
  everywhere: 'Everywhere',
  palette: 'commands: go anywhere, find an entry, do something',
  help: 'this list',
  search: 'search the memories',
  go: 'go to',
  escape: 'leave a dialog, a menu or an edit',
  memories: 'Memories',
  down: 'next entry',
  up: 'previous entry',
  edit: 'edit',
  pin: 'pin, or take the pin out',
  remove: 'delete (with undo)',
  save: 'save an edit',
  line: 'new line in an edit or a message',
  chat: 'Chat',
  send: 'send the message',
}

export const keysWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Teclas',
    everywhere: 'Em toda parte',
    palette: 'comandos: ir a qualquer lugar, achar uma entrada, fazer algo',
    help: 'esta lista',
    search: 'buscar nas memórias',
    go: 'ir para',
    escape: 'sair de um diálogo, menu ou edição',
    memories: 'Memórias',
    down: 'próxima entrada',
    up: 'entrada anterior',
    edit: 'editar',
    pin: 'fixar ou soltar',
    remove: 'apagar (com desfazer)',
    save: 'salvar uma edição',
    line: 'nova linha em uma edição ou mensagem',
    chat: 'Conversa',
    send: 'enviar a mensagem',
  },
}
