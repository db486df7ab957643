import type { MemoryPart } from '../../../kernel/layout.ts'

/** Tells what changes in a memory, whoever changes it: this process, another, an editor, git. Costs nothing while nobody listens. */
export interface MemoryChanges {
  /** Tells soon after something changed. Stopped by what it gives. */
  listen(listener: ChangeListener): Promise<() => void>
}

export interface ChangeListener {
  onChange(parts: ReadonlySet<MemoryPart>): void
  /** It could not be looked at; it is tried again. */
  onFailure(error: unknown): void
}
