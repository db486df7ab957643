import type { Answered } from '../../api/client.ts'
import type { Messages } from '../../language/language.tsx'

type DriftReason = NonNullable<Answered<'drift'>['files'][number]['because']>['code']
type Because = Readonly<Record<DriftReason, (count: number) => string>>

const en = {
  title: 'Freshness',
  intro:
    'An entry that names files is anchored to what they said. When one of them changed a lot, moved or is gone, the entry comes after others and agents are told it with a warning, until somebody says that it still holds.',
  summary: (checked: number, stale: number) =>
    `${checked} ${checked === 1 ? 'entry is' : 'entries are'} anchored to files; ${stale} drifted or orphaned.`,
  unanchored: (count: number) =>
    count === 1
      ? '1 names files and is not anchored: “Still holds” in Memories anchors it.'
      : `${count} name files and are not anchored: “Still holds” in Memories anchors one.`,
  nothing: 'Every anchored entry still fits its files.',
  nothingAnchored: 'No entry is anchored to a file yet.',
  nothingAnchoredNext:
    'An entry is anchored when it names files that are there: `src/auth.ts` in its text is enough.',
  lookAgain: 'Look again',
  list: 'Entries',
  states: { fresh: 'fresh', drifted: 'drifted', orphaned: 'orphaned' } as Readonly<Record<string, string>>,
  whats: {
    changed: 'changed a lot',
    moved: 'moved',
    gone: 'is gone',
    unreadable: 'cannot be read',
    same: 'says much of what it said',
    unanchored: 'is not anchored',
  } as Readonly<Record<string, string>>,
  movedTo: (to: string) => `moved to ${to}`,
  movedAndChanged: (to: string) => `moved to ${to} and changed a lot`,
  stillTrue: 'Still true',
  edit: 'Edit',
  forget: 'Forget',
  open: 'Open in Memories',
  confirmed: 'Confirmed: its files are taken as they are now.',
  edited: 'Saved: its files are taken as they are now.',
  forgotten: 'Forgotten.',
  diff: 'What changed in the files',
  since: (commit: string) => `since commit ${commit}`,
  copyPath: 'Copy path',
  copied: 'Copied.',
  copyFailed: 'The browser did not let it be copied.',
  look: 'How differences are shown',
  unified: 'One below the other',
  split: 'Side by side',
  before: 'Before',
  now: 'Now',
  added: 'added',
  removed: 'removed',
  line: 'Line',
  lineBefore: 'Line before',
  lineNow: 'Line now',
  text: 'Text',
  hunk: (line: number) => `From line ${line}`,
  noDiff: 'Nothing to compare:',
  partly: 'Not all:',
  because: {
    not_anchored: () => 'the entry is not anchored to this file.',
    unreadable: () => 'the file cannot be read.',
    no_commit_kept: () => 'the entry keeps no commit: the project was not in git when it was anchored.',
    no_repository: () => 'the project is in no git repository.',
    no_commit: () => 'this clone does not have the commit of then.',
    no_file: () => 'git had no such file then.',
    git_failed: () => 'git could not be asked.',
    too_large: () => 'the file is too long to be compared.',
    binary: () => 'it is no text, so there are no lines to compare.',
    more_lines: count => (count === 1 ? '1 more line is not shown.' : `${count} more lines are not shown.`),
    same_text: () => 'it says what it said then.',
  } as Because,
  noFiles: 'The entry names no file any more.',
  fix: (count: number) =>
    count === 1 ? 'Write the new path of 1 moved file …' : `Write new paths (${count}) …`,
  fixTitle: 'New paths',
  fixIntro: 'These files were moved. The entries would name them where they are now; their text stays.',
  fixDo: (count: number) => (count === 1 ? 'Write it into 1 entry' : `Write them into ${count} entries`),
  fixNothing: 'There is nothing to write any more.',
  fixed: (count: number) =>
    count === 1 ? 'New path written into 1 entry.' : `New paths written into ${count} entries.`,
  cancel: 'Cancel',
}

export const freshnessWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Atualidade',
    intro:
      'Uma entrada que nomeia arquivos fica ancorada no que eles diziam. Quando um deles mudou muito, mudou de lugar ou sumiu, a entrada passa para depois das outras e vai aos agentes com um aviso, até alguém dizer que ainda vale.',
    summary: (checked, stale) =>
      `${checked} ${checked === 1 ? 'entrada ancorada' : 'entradas ancoradas'} em arquivos; ${stale} ${stale === 1 ? 'desatualizada ou órfã' : 'desatualizadas ou órfãs'}.`,
    unanchored: count =>
      count === 1
        ? '1 nomeia arquivos e não está ancorada: “Continua valendo” em Memórias a ancora.'
        : `${count} nomeiam arquivos e não estão ancoradas: “Continua valendo” em Memórias ancora uma.`,
    nothing: 'Toda entrada ancorada ainda combina com seus arquivos.',
    nothingAnchored: 'Nenhuma entrada está ancorada em um arquivo ainda.',
    nothingAnchoredNext:
      'Uma entrada é ancorada quando nomeia arquivos que existem: basta `src/auth.ts` no texto.',
    lookAgain: 'Olhar de novo',
    list: 'Entradas',
    states: { fresh: 'em dia', drifted: 'desatualizada', orphaned: 'órfã' },
    whats: {
      changed: 'mudou muito',
      moved: 'mudou de lugar',
      gone: 'sumiu',
      unreadable: 'não pode ser lido',
      same: 'diz quase o que dizia',
      unanchored: 'não está ancorado',
    },
    movedTo: to => `mudou para ${to}`,
    movedAndChanged: to => `mudou para ${to} e mudou muito`,
    stillTrue: 'Ainda vale',
    edit: 'Editar',
    forget: 'Esquecer',
    open: 'Abrir em Memórias',
    confirmed: 'Confirmada: os arquivos valem como estão agora.',
    edited: 'Salva: os arquivos valem como estão agora.',
    forgotten: 'Esquecida.',
    diff: 'O que mudou nos arquivos',
    since: commit => `desde o commit ${commit}`,
    copyPath: 'Copiar caminho',
    copied: 'Copiado.',
    copyFailed: 'O navegador não deixou copiar.',
    look: 'Como as diferenças são mostradas',
    unified: 'Uma abaixo da outra',
    split: 'Lado a lado',
    before: 'Antes',
    now: 'Agora',
    added: 'acrescentada',
    removed: 'removida',
    line: 'Linha',
    lineBefore: 'Linha antes',
    lineNow: 'Linha agora',
    text: 'Texto',
    hunk: line => `A partir da linha ${line}`,
    noDiff: 'Nada a comparar:',
    partly: 'Não tudo:',
    because: {
      not_anchored: () => 'a entrada não está ancorada neste arquivo.',
      unreadable: () => 'o arquivo não pode ser lido.',
      no_commit_kept: () =>
        'a entrada não guarda um commit: o projeto não estava no git quando foi ancorada.',
      no_repository: () => 'o projeto não está num repositório git.',
      no_commit: () => 'este clone não tem o commit de então.',
      no_file: () => 'o git não tinha este arquivo então.',
      git_failed: () => 'o git não respondeu.',
      too_large: () => 'o arquivo é longo demais para comparar.',
      binary: () => 'não é texto, então não há linhas para comparar.',
      more_lines: count =>
        count === 1 ? 'mais 1 linha não é mostrada.' : `mais ${count} linhas não são mostradas.`,
      same_text: () => 'diz o que dizia então.',
    },
    noFiles: 'A entrada não nomeia mais nenhum arquivo.',
    fix: count =>
      count === 1 ? 'Escrever o novo caminho de 1 arquivo …' : `Escrever novos caminhos (${count}) …`,
    fixTitle: 'Novos caminhos',
    fixIntro:
      'Estes arquivos mudaram de lugar. As entradas passariam a nomeá-los onde estão agora; o texto fica.',
    fixDo: count => (count === 1 ? 'Escrever em 1 entrada' : `Escrever em ${count} entradas`),
    fixNothing: 'Não há mais nada a escrever.',
    fixed: count =>
      count === 1 ? 'Novo caminho escrito em 1 entrada.' : `Novos caminhos escritos em ${count} entradas.`,
    cancel: 'Cancelar',
  },
}
