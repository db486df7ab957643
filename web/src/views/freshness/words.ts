import type { Answered } from '../../api/client.ts'
import type { Messages } from '../../language/language.tsx'

type DriftReason = NonNullable<Answered<'drift'>['files'][number]['because']>['code']
type Because = Readonly<Record<DriftReason, (count: number) => string>>

const en = {
  title: 'Freshness',
  intro:
    'An entry that names files is anchored to their content. When a file changes a lot, moves or is deleted, the entry ranks lower and is injected with a warning until you confirm that it is still true.',
  summary: (checked: number, stale: number) =>
    `${checked} ${checked === 1 ? 'entry is' : 'entries are'} anchored to files; ${stale} drifted or orphaned.`,
  unanchored: (count: number) =>
    count === 1
      ? '1 entry names files but is not anchored. “Still true” in Memories anchors it.'
      : `${count} entries name files but are not anchored. “Still true” in Memories anchors an entry.`,
  nothing: 'All anchored entries match their files.',
  nothingAnchored: 'No anchored entries yet.',
  nothingAnchoredNext:
    'An entry is anchored when its text names a file of the project, for example `src/auth.ts`.',
  refresh: 'Refresh',
  list: 'Entries',
  states: { fresh: 'fresh', drifted: 'drifted', orphaned: 'orphaned' } as Readonly<Record<string, string>>,
  whats: {
    changed: 'changed a lot',
    moved: 'moved',
    gone: 'was deleted',
    unreadable: 'cannot be read',
    same: 'is mostly unchanged',
    unanchored: 'is not anchored',
  } as Readonly<Record<string, string>>,
  movedTo: (to: string) => `moved to ${to}`,
  movedAndChanged: (to: string) => `moved to ${to} and changed a lot`,
  stillTrue: 'Still true',
  edit: 'Edit',
  forget: 'Delete',
  open: 'Open in Memories',
  confirmed: 'Confirmed. The entry is anchored to the current content of its files.',
  edited: 'Saved. The entry is anchored to the current content of its files.',
  deleted: 'Deleted.',
  diff: 'Changes in the files',
  since: (commit: string) => `since commit ${commit}`,
  copyPath: 'Copy path',
  copied: 'Copied.',
  copyFailed: 'The browser blocked copying.',
  layout: 'Layout of the differences',
  unified: 'Unified',
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
  noDiff: 'No differences to show:',
  partly: 'Incomplete:',
  because: {
    not_anchored: () => 'the entry is not anchored to this file.',
    unreadable: () => 'the file cannot be read.',
    no_commit_kept: () => 'the entry has no commit, because the project was not in git when it was anchored.',
    no_repository: () => 'the project is not in a git repository.',
    no_commit: () => 'this clone does not contain the commit.',
    no_file: () => 'the commit does not contain the file.',
    git_failed: () => 'git failed.',
    too_large: () => 'the file is too long to compare.',
    binary: () => 'the file is not a text file.',
    more_lines: count => (count === 1 ? '1 more line is not shown.' : `${count} more lines are not shown.`),
    same_text: () => 'the text has not changed.',
  } as Because,
  noFiles: 'The entry no longer names a file.',
  fix: (count: number) =>
    count === 1 ? 'Update the path of 1 moved file …' : `Update the paths of ${count} moved files …`,
  fixTitle: 'New paths',
  fixIntro:
    'These files moved. Cairn writes their new paths into the entries. The rest of the text does not change.',
  fixDo: (count: number) => (count === 1 ? 'Update 1 entry' : `Update ${count} entries`),
  fixNothing: 'All paths are up to date.',
  fixed: (count: number) => (count === 1 ? '1 entry updated.' : `${count} entries updated.`),
  cancel: 'Cancel',
}

export const freshnessWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Atualidade',
    intro:
      'Uma entrada que cita arquivos fica ancorada no conteúdo deles. Quando um arquivo muda muito, muda de lugar ou é excluído, a entrada perde prioridade e é injetada com um aviso, até você confirmar que ainda vale.',
    summary: (checked, stale) =>
      `${checked} ${checked === 1 ? 'entrada ancorada' : 'entradas ancoradas'} em arquivos; ${stale} ${stale === 1 ? 'desatualizada ou órfã' : 'desatualizadas ou órfãs'}.`,
    unanchored: count =>
      count === 1
        ? '1 entrada cita arquivos, mas não está ancorada. “Ainda vale” em Memórias a ancora.'
        : `${count} entradas citam arquivos, mas não estão ancoradas. “Ainda vale” em Memórias ancora uma entrada.`,
    nothing: 'Todas as entradas ancoradas correspondem aos seus arquivos.',
    nothingAnchored: 'Nenhuma entrada ancorada ainda.',
    nothingAnchoredNext:
      'Uma entrada é ancorada quando o texto cita um arquivo do projeto, por exemplo `src/auth.ts`.',
    refresh: 'Atualizar',
    list: 'Entradas',
    states: { fresh: 'em dia', drifted: 'desatualizada', orphaned: 'órfã' },
    whats: {
      changed: 'mudou muito',
      moved: 'mudou de lugar',
      gone: 'foi excluído',
      unreadable: 'não pode ser lido',
      same: 'quase não mudou',
      unanchored: 'não está ancorado',
    },
    movedTo: to => `mudou para ${to}`,
    movedAndChanged: to => `mudou para ${to} e mudou muito`,
    stillTrue: 'Ainda vale',
    edit: 'Editar',
    forget: 'Excluir',
    open: 'Abrir em Memórias',
    confirmed: 'Confirmada. A entrada está ancorada no conteúdo atual dos arquivos.',
    edited: 'Salva. A entrada está ancorada no conteúdo atual dos arquivos.',
    deleted: 'Excluída.',
    diff: 'Mudanças nos arquivos',
    since: commit => `desde o commit ${commit}`,
    copyPath: 'Copiar caminho',
    copied: 'Copiado.',
    copyFailed: 'O navegador bloqueou a cópia.',
    layout: 'Disposição das diferenças',
    unified: 'Unificada',
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
    noDiff: 'Sem diferenças para mostrar:',
    partly: 'Incompleto:',
    because: {
      not_anchored: () => 'a entrada não está ancorada neste arquivo.',
      unreadable: () => 'o arquivo não pode ser lido.',
      no_commit_kept: () =>
        'a entrada não tem um commit, porque o projeto não estava no git quando foi ancorada.',
      no_repository: () => 'o projeto não está em um repositório git.',
      no_commit: () => 'este clone não contém o commit.',
      no_file: () => 'o commit não contém o arquivo.',
      git_failed: () => 'o git falhou.',
      too_large: () => 'o arquivo é longo demais para comparar.',
      binary: () => 'o arquivo não é de texto.',
      more_lines: count =>
        count === 1 ? 'mais 1 linha não é mostrada.' : `mais ${count} linhas não são mostradas.`,
      same_text: () => 'o texto não mudou.',
    },
    noFiles: 'A entrada não cita mais nenhum arquivo.',
    fix: count =>
      count === 1 ? 'Atualizar o caminho de 1 arquivo …' : `Atualizar os caminhos de ${count} arquivos …`,
    fixTitle: 'Novos caminhos',
    fixIntro:
      'Estes arquivos mudaram de lugar. O Cairn escreve os novos caminhos nas entradas. O resto do texto não muda.',
    fixDo: count => (count === 1 ? 'Atualizar 1 entrada' : `Atualizar ${count} entradas`),
    fixNothing: 'Todos os caminhos estão atualizados.',
    fixed: count => (count === 1 ? '1 entrada atualizada.' : `${count} entradas atualizadas.`),
    cancel: 'Cancelar',
  },
}
