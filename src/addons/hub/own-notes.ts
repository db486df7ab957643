import type { Degradation } from '../../kernel/model/search.ts'

interface Noting {
  note(degradation: Degradation): void
  takeDegraded(): readonly Degradation[]
}

/**
 * Many clients use the memory of a project in parallel. A note about one answer (only words decided) goes to the caller of that answer,
 * and a note about the project (no pgvector on the server) to the next caller.
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
