import type { MemoryPlace } from './memory-place.ts'
import type { Config } from './model/config.ts'
import type { Actor } from './model/entry.ts'
import type { RedactedPart } from './model/new-entry.ts'
import type { Clock } from './system/clock.ts'
import type { Store, TextReader } from './vault/ports.ts'

/**
 * What every memory offers, whichever store it uses. A function names any further port groups that it needs: `Memory & SessionPorts`.
 * Features declare their port groups (`decide/ports.ts`), and compose/composed.ts combines them.
 */
export interface Memory {
  readonly place: MemoryPlace
  /** This is the memory of the user instead of a project's. Its root is the user's own folder. */
  readonly isUserMemory: boolean
  readonly store: Store
  readonly clock: Clock
  readonly config: () => Promise<Config>
  readonly aliases: () => Promise<Readonly<Record<string, readonly string[]>>>
  /** A second secret scanner, from a library that is loaded only if a text still looks suspicious after our own redaction. */
  readonly secondNet: (
    text: string,
  ) => Promise<{ text: string; redacted: readonly Omit<RedactedPart, 'field'>[] }>
  readonly actor: Actor
  /** False: the client of a hub does not administer the project, so it cannot change its settings. */
  readonly mayConfigure?: boolean
  /** The text of `_project.md`, which is sent to every agent. */
  readonly projectText: () => Promise<string | undefined>
  /** The project's own text files, which some verbs edit. They are changed by `store.write` with a change of type `file`. */
  readonly projectTexts: TextReader
}
