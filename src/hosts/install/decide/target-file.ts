import type { JsonPath } from './json-document.ts'

/** One thing of ours in a JSON file of a host. */
export type JsonPiece =
  /** A key whose value is ours: what others added to it remains. */
  | {
      readonly kind: 'server'
      readonly name: string
      readonly path: JsonPath
      readonly value: Readonly<Record<string, unknown>>
    }
  /** Groups or handlers in the lists below `path`, one list an event. */
  | {
      readonly kind: 'hooks'
      readonly name: string
      readonly path: JsonPath
      readonly groups: Readonly<Record<string, readonly unknown[]>>
    }
  /** One word in a list. */
  | { readonly kind: 'item'; readonly name: string; readonly path: JsonPath; readonly value: string }
  /** A setting that has another value while Cairn is installed. */
  | { readonly kind: 'setting'; readonly name: string; readonly path: JsonPath; readonly value: unknown }
  /** What the host requires in the file; unchanged if it is there. */
  | { readonly kind: 'frame'; readonly name: string; readonly path: JsonPath; readonly value: unknown }

/** A file of a host, and our pieces of it. */
export type TargetFile =
  | { readonly format: 'json'; readonly path: string; readonly pieces: readonly JsonPiece[] }
  /** `[mcp_servers.cairn]` of Codex. */
  | {
      readonly format: 'toml'
      readonly path: string
      readonly name: string
      readonly table: readonly string[]
      readonly value: TomlTable
    }
  /** A file that is ours from its first byte to its last. */
  | { readonly format: 'own'; readonly path: string; readonly name: string; readonly text: string }

export type TomlTable = Readonly<Record<string, string | readonly string[]>>

/** Where a host stores its files on this machine. */
export interface HostPlaces {
  readonly home: string
  readonly environment: (name: string) => string | undefined
  /** Absent: there is no project. */
  readonly project?: string
  readonly isWindows: boolean
  /** Whether the path exists. */
  readonly exists: (path: string) => boolean
}
