import type { Messages } from '../../language/language.tsx'

const en = {
  title: 'Shared project text',
  what: 'This text is injected into every session of every agent. It is stored in .memory/_project.md.',
  empty: 'No text yet. Add what every agent must know: stack, conventions, goals, constraints.',
  edit: 'Edit project text',
  save: 'Save',
  cancel: 'Cancel',
  text: 'Project text, in Markdown',
  hint: 'Ctrl+Enter saves.',
  words: (count: string) => (count === '1' ? '1 word' : `${count} words`),
  cost: (tokens: string) => `about ${tokens} tokens per brief`,
  tooLong: (words: string, tokens: string) =>
    `The text has ${words} words, and the recommended maximum is 500. It uses about ${tokens} tokens, leaves no room for decisions and handoffs, and is cut in every brief. Put the most important first, and move the rest into entries.`,
  saved: 'Project text saved.',
  redacted: (count: number) =>
    count === 1 ? 'A secret was removed before saving.' : `${count} secrets were removed before saving.`,
  same: 'No changes to save.',
  changed: 'This text changed while you were editing it.',
  compare: 'Compare',
}

export const projectWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Texto compartilhado do projeto',
    what: 'Este texto é injetado em toda sessão de todo agente. Ele fica em .memory/_project.md.',
    empty:
      'Nenhum texto ainda. Adicione o que todo agente precisa saber: stack, convenções, metas, restrições.',
    edit: 'Editar texto do projeto',
    save: 'Salvar',
    cancel: 'Cancelar',
    text: 'Texto do projeto, em Markdown',
    hint: 'Ctrl+Enter salva.',
    words: count => (count === '1' ? '1 palavra' : `${count} palavras`),
    cost: tokens => `cerca de ${tokens} tokens por resumo`,
    tooLong: (words, tokens) =>
      `O texto tem ${words} palavras, e o máximo recomendado é 500. Ele usa cerca de ${tokens} tokens, não deixa espaço para decisões e handoffs e é cortado em todo resumo. Ponha o mais importante primeiro e leve o resto para entradas.`,
    saved: 'Texto do projeto salvo.',
    redacted: count =>
      count === 1
        ? 'Um segredo foi removido antes de salvar.'
        : `${count} segredos foram removidos antes de salvar.`,
    same: 'Nenhuma alteração para salvar.',
    changed: 'Este texto foi alterado enquanto você o editava.',
    compare: 'Comparar',
  },
}
