import { CairnError } from './model/errors.ts'
import type { HubProject } from './model/hub.ts'
import type { MemoryPaths } from './system/paths.ts'

/** Where a memory is stored: in a folder on this machine, next to the files that it is about, or in the database of a hub. */
export type MemoryPlace =
  | { readonly kind: 'folder'; readonly paths: MemoryPaths }
  | { readonly kind: 'hub'; readonly project: HubProject }

interface Placed {
  readonly place: MemoryPlace
}

/** For code that works on files. Throws `not_on_hub` if the memory has no folder. */
export function memoryFolderOf({ place }: Placed): MemoryPaths {
  if (place.kind === 'hub') throw notOnHub('The files of the project')
  return place.paths
}

/** The project folder, which stored paths are relative to. undefined: on a hub. */
export function rootOf({ place }: Placed): string | undefined {
  return place.kind === 'hub' ? undefined : place.paths.root
}

/** The project's display name: the name of its folder, or its own name on a hub. */
export function nameOfPlace({ place }: Placed): string {
  if (place.kind === 'hub') return place.project.name
  return place.paths.root.split(/[\\/]/).filter(Boolean).at(-1) ?? ''
}

/** Whether an event in this folder, or in an unknown one, concerns the memory. Hosts do not call hooks for a hub. */
export function isOfPlace({ place }: Placed, root: string | undefined): boolean {
  return place.kind === 'folder' && (root === undefined || root === place.paths.root)
}

/** Identifies the memory in output that shows a folder for other memories. */
export function placeText(placed: Placed): string {
  return rootOf(placed) ?? nameOfPlace(placed)
}

/** `what` is the subject of the message. */
export function notOnHub(what: string): CairnError {
  return new CairnError({
    code: 'not_on_hub',
    message: `${what}: not on a hub, which has no files of the project.`,
    hint: 'Run this in the repository, on its own memory; `cairn link` syncs the two.',
  })
}

export function notAHub(): CairnError {
  return new CairnError({
    code: 'hub_refused',
    message: 'This server serves the memory of one folder. It is not a hub.',
    hint: 'Start a hub with `cairn up --store postgres://…` and pass its address to `cairn link`.',
  })
}
