import type { Messages } from '../../language/language.tsx'

const en = {
  title: 'Work',
  intro:
    'Tasks that an orchestrator and its workers share. One agent works on a task at a time, under a lease. A task that depends on others is ready when they are done.',
  empty: 'No tasks yet.',
  emptyNext:
    'Agents add tasks with the tool work_add. You can add one with `cairn work add "…"`. Tasks appear here automatically.',
  graph: 'Graph',
  tasks: 'Tasks',
  states: {
    running: 'Running',
    ready: 'Ready',
    waiting: 'Waiting',
    failed: 'Failed',
    done: 'Done',
    cancelled: 'Cancelled',
  } as Readonly<Record<string, string>>,
  more: (left: number) => `Show more (${left} left)`,
  waitsFor: (names: string) => `waiting for ${names}`,
  blockedBy: (names: string) => `blocked by ${names}`,
  by: (worker: string) => `by ${worker}`,
  leaseUntil: 'lease until',
  readyFrom: 'next attempt from',
  forAgent: (agent: string) => `for ${agent}`,
  attempt: (tries: number, most: number) => `attempt ${tries} of ${most}`,
  priority: (value: number) => `priority ${value}`,
  progress: 'Progress',
  percent: (share: number) => `${Math.round(share * 100)} %`,
  close: 'Close',
  brief: 'Description',
  noBrief: 'No description.',
  entries: 'Attached entries',
  files: 'Files',
  dependencies: 'Depends on',
  dependents: 'Needed by',
  result: 'Result',
  found: 'New memories',
  history: 'Attempts',
  outcomes: { done: 'done', failed: 'failed', expired: 'lease expired', cancelled: 'cancelled' } as Readonly<
    Record<string, string>
  >,
  why: (reason: string) => `Cancelled: ${reason}`,
  cancel: 'Cancel task',
  cancelAsk: (title: string) => `Cancel “${title}”?`,
  cancelEffect: (more: number): string =>
    more === 0
      ? 'The worker is notified at its next heartbeat. You can reopen the task.'
      : 'The tasks that depend on it are cancelled too. The worker is notified at its next heartbeat. You can reopen all of them.',
  cancelled: (count: number) => (count === 1 ? '1 task cancelled.' : `${count} tasks cancelled.`),
  retry: 'Try again',
  reopen: 'Reopen',
  retryAsk: (title: string) => `Try “${title}” again?`,
  retryEffect:
    'The task is reopened with all its attempts. Tasks that were cancelled with it are reopened too.',
  retried: (count: number) => (count === 1 ? '1 task reopened.' : `${count} tasks reopened.`),
}

export const workWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Trabalho',
    intro:
      'Tarefas que um orquestrador divide com seus workers. Um agente por vez trabalha em cada tarefa, com um prazo de reserva. Uma tarefa que depende de outras fica pronta quando elas terminam.',
    empty: 'Nenhuma tarefa ainda.',
    emptyNext:
      'Agentes adicionam tarefas com a ferramenta work_add. Você pode adicionar uma com `cairn work add "…"`. As tarefas aparecem aqui automaticamente.',
    graph: 'Grafo',
    tasks: 'Tarefas',
    states: {
      running: 'Em andamento',
      ready: 'Prontas',
      waiting: 'Aguardando',
      failed: 'Falharam',
      done: 'Concluídas',
      cancelled: 'Canceladas',
    },
    more: left => `Mostrar mais (faltam ${left})`,
    waitsFor: names => `aguardando ${names}`,
    blockedBy: names => `bloqueada por ${names}`,
    by: worker => `por ${worker}`,
    leaseUntil: 'reservada até',
    readyFrom: 'próxima tentativa a partir de',
    forAgent: agent => `para ${agent}`,
    attempt: (tries, most) => `tentativa ${tries} de ${most}`,
    priority: value => `prioridade ${value}`,
    progress: 'Andamento',
    percent: share => `${Math.round(share * 100)} %`,
    close: 'Fechar',
    brief: 'Descrição',
    noBrief: 'Sem descrição.',
    entries: 'Entradas anexadas',
    files: 'Arquivos',
    dependencies: 'Depende de',
    dependents: 'Necessária para',
    result: 'Resultado',
    found: 'Novas memórias',
    history: 'Tentativas',
    outcomes: { done: 'concluída', failed: 'falhou', expired: 'a reserva venceu', cancelled: 'cancelada' },
    why: reason => `Cancelada: ${reason}`,
    cancel: 'Cancelar tarefa',
    cancelAsk: title => `Cancelar “${title}”?`,
    cancelEffect: more =>
      more === 0
        ? 'O worker é avisado no próximo heartbeat. Você pode reabrir a tarefa.'
        : 'As tarefas que dependem dela também são canceladas. O worker é avisado no próximo heartbeat. Você pode reabrir todas.',
    cancelled: count => (count === 1 ? '1 tarefa cancelada.' : `${count} tarefas canceladas.`),
    retry: 'Tentar de novo',
    reopen: 'Reabrir',
    retryAsk: title => `Tentar “${title}” de novo?`,
    retryEffect:
      'A tarefa é reaberta com todas as tentativas. Tarefas canceladas com ela também são reabertas.',
    retried: count => (count === 1 ? '1 tarefa reaberta.' : `${count} tarefas reabertas.`),
  },
}
