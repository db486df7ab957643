import type { TierName } from '../../../src/kernel/model/selection.ts'

type Names = Readonly<Record<string, string>>

/** The names of the parts of a brief. A missing name is a compile error. */
export const tierNames: Readonly<Record<'en' | 'pt', Names>> = {
  en: {
    'always-inject': 'Pinned',
    preferences: 'Your preferences',
    'context-bridge': 'From other agents',
    retrieval: 'Matches the prompt',
    'session-summary': 'From the last session',
    rules: 'Rules',
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
    retrieval: 'Relevantes para o prompt',
    'session-summary': 'Da última sessão',
    rules: 'Regras',
    handoff: 'Handoff',
    tasks: 'Tarefas abertas',
    decisions: 'Decisões',
    lessons: 'Lições',
    recovery: 'Sessão inacabada',
    project: 'Sobre o projeto',
  } satisfies Record<TierName, string>,
}
