import type { MemoryPlace } from './memory-place.ts'
import type { Config } from './model/config.ts'
import type { Actor } from './model/entry.ts'
import type { RedactedPart } from './model/new-entry.ts'
import type { Clock } from './system/clock.ts'
import type { Store } from './vault/ports.ts'
import type { TextReader } from './vault/project-texts.ts'

/**
 * What every memory offers, whichever store is behind it. What else a function needs it names beside it: `Memory & SessionPorts`. The
 * groups of ports are declared by their features (`decide/ports.ts`), and composed in compose/composed.ts.
 */
export interface Memory {
  readonly place: MemoryPlace
  /** The memory of the person instead of a project's: its root is the user's own folder. */
  readonly isUserMemory: boolean
  readonly store: Store
  readonly clock: Clock
  readonly config: () => Promise<Config>
  readonly aliases: () => Promise<Readonly<Record<string, readonly string[]>>>
  /** The second check after our own redaction: a library that is loaded only when a text still looks suspicious. */
  readonly secondNet: (
    text: string,
  ) => Promise<{ text: string; redacted: readonly Omit<RedactedPart, 'field'>[] }>
  readonly actor: Actor
  /** False: a client of a hub that does not administer the project, and leaves its settings as they are. */
  readonly mayConfigure?: boolean
  /** The text of `_project.md`, which every agent gets. */
  readonly projectText: () => Promise<string | undefined>
  /** The project's own text files, which some verbs edit; `store.write` with a change of type `file` is how. */
  readonly projectTexts: TextReader
}
