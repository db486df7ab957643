import type { TierName } from '../../../src/kernel/model/selection.ts'

type Names = Readonly<Record<string, string>>

/** What the parts of a brief are called. A part without a name does not compile. */
export const tierNames: Readonly<Record<'en' | 'pt', Names>> = {
  en: {
    'always-inject': 'Pinned',
    preferences: 'Your preferences',
    'context-bridge': 'From other agents',
    retrieval: 'Fits the prompt',
    'session-summary': 'Left from the last session',
    rules: 'Standing rules',
    handoff: 'Handoff',
    tasks: 'Open tasks',
    decisions: 'Decisions',
    lessons: 'Lessons',
    recovery: 'Unfinished session',
    project: 'About the project',
  } satisfies Record<TierName, string>,
  pt: {
    'always-inject': 'Fixadas',
    preferences: 'Suas preferências',
    'context-bridge': 'De outros agentes',
    retrieval: 'Combina com o pedido',
    'session-summary': 'Restou da última sessão',
    rules: 'Regras permanentes',
    handoff: 'Passagem',
    tasks: 'Tarefas abertas',
    decisions: 'Decisões',
    lessons: 'Lições',
    recovery: 'Sessão inacabada',
    project: 'Sobre o projeto',
  } satisfies Record<TierName, string>,
}
