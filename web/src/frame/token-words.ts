import type { Messages } from '../language/language.tsx'

const en = {
  title: 'Allow changes from this page',
  refused: 'This action changes the memory, and this page has no valid token.',
  why: 'Anyone on this computer can view the page. Changes need the token of the user who runs Cairn.',
  step1: 'In a terminal, run',
  step2: 'Paste the output:',
  token: 'Token',
  enter: 'Use this token',
  stay: 'Stay read-only',
  wrong: 'This token is not valid.',
  notAToken: 'This is not a token. A token has 32 or more characters: digits and the letters a–f.',
  welcome: 'This page can now make changes.',
}

export const tokenWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Permitir alterações nesta página',
    refused: 'Esta ação altera a memória, e esta página não tem um token válido.',
    why: 'Qualquer pessoa neste computador pode ver a página. Alterações exigem o token do usuário que executa o Cairn.',
    step1: 'Em um terminal, execute',
    step2: 'Cole a saída:',
    token: 'Token',
    enter: 'Usar este token',
    stay: 'Continuar só lendo',
    wrong: 'Este token não é válido.',
    notAToken: 'Isto não é um token. Um token tem 32 ou mais caracteres: dígitos e letras de a–f.',
    welcome: 'Agora esta página pode fazer alterações.',
  },
}
