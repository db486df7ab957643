import type { Messages } from '../../language/language.tsx'

const en = {
  title: 'Shared project text',
  what: 'Every agent is told this in every session. It lies in .memory/_project.md.',
  empty:
    'Nothing is written here yet. Put in what any agent must know without asking: stack, conventions, goals, constraints.',
  edit: 'Edit project text',
  save: 'Save',
  cancel: 'Cancel',
  text: 'Project text, in Markdown',
  hint: 'Ctrl+Enter saves.',
  words: (count: string) => (count === '1' ? '1 word' : `${count} words`),
  cost: (tokens: string) => `about ${tokens} tokens of every brief`,
  tooLong: (words: string, tokens: string) =>
    `${words} words are more than 500: at about ${tokens} tokens it pushes decisions and handoffs out of every brief, and is cut itself. Say the most important first, and move the rest into entries.`,
  saved: 'Project text saved.',
  redacted: (count: number) =>
    count === 1 ? 'A secret was removed before saving.' : `${count} secrets were removed before saving.`,
  same: 'It says that already.',
  changed: 'This text was changed by somebody else while you edit it.',
  compare: 'Show both',
}

export const projectWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Texto compartilhado do projeto',
    what: 'Todo agente recebe isto em toda sessão. Fica em .memory/_project.md.',
    empty:
      'Nada foi escrito aqui ainda. Coloque o que qualquer agente precisa saber sem perguntar: stack, convenções, metas, restrições.',
    edit: 'Editar texto do projeto',
    save: 'Salvar',
    cancel: 'Cancelar',
    text: 'Texto do projeto, em Markdown',
    hint: 'Ctrl+Enter salva.',
    words: count => (count === '1' ? '1 palavra' : `${count} palavras`),
    cost: tokens => `cerca de ${tokens} tokens de cada resumo`,
    tooLong: (words, tokens) =>
      `${words} palavras passam de 500: com cerca de ${tokens} tokens, o texto expulsa decisões e passagens de cada resumo e ele mesmo é cortado. Diga primeiro o mais importante e leve o resto para entradas.`,
    saved: 'Texto do projeto salvo.',
    redacted: count =>
      count === 1
        ? 'Um segredo foi removido antes de salvar.'
        : `${count} segredos foram removidos antes de salvar.`,
    same: 'O texto já diz isso.',
    changed: 'Este texto foi alterado por outra pessoa enquanto você o edita.',
    compare: 'Mostrar as duas',
  },
}
