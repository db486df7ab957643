import type { Messages } from '../language/language.tsx'

const en = {
  title: 'Let this page change things',
  refused: 'What you asked for changes something, and this page has no token that the server knows.',
  why: 'Anyone on this computer can look at the page. Whoever changes something must show the token of the person who runs Cairn.',
  step1: 'In a terminal, run',
  step2: 'Paste what it prints:',
  token: 'Token',
  enter: 'Use this token',
  stay: 'Only look',
  wrong: 'The server does not know this token.',
  notAToken: 'This does not look like a token: it is a row of 32 or more letters a–f and digits.',
  welcome: 'This page can change things now.',
}

export const tokenWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Permitir alterações nesta página',
    refused: 'O que você pediu altera algo, e esta página não tem um token que o servidor conheça.',
    why: 'Qualquer pessoa neste computador pode ver a página. Para alterar algo, é preciso mostrar o token de quem executa o Cairn.',
    step1: 'Em um terminal, execute',
    step2: 'Cole o que ele mostrar:',
    token: 'Token',
    enter: 'Usar este token',
    stay: 'Só olhar',
    wrong: 'O servidor não conhece este token.',
    notAToken: 'Isto não parece um token: ele tem 32 ou mais letras de a–f e dígitos.',
    welcome: 'Agora esta página pode fazer alterações.',
  },
}
