import type { Degradation } from '../../kernel/model/search.ts'

interface Noting {
  note(degradation: Degradation): void
  takeDegraded(): readonly Degradation[]
}

/**
 * Many ask the engine of a project at the same time. What is to be said of one answer (that words alone decided) belongs to whoever asked for
 * it, and what holds for all of them (that the server has no pgvector) to whoever comes next.
 */
export function ownNotes<S extends Noting>(shared: S): S {
  const notes: Degradation[] = []
  return {
    ...shared,
    note(degradation: Degradation) {
      if (!notes.some(({ code }) => code === degradation.code)) notes.push(degradation)
    },
    takeDegraded: () => [...notes.splice(0), ...shared.takeDegraded()],
  }
}
