import { CairnError } from './model/errors.ts'
import type { HubProject } from './model/hub.ts'
import type { MemoryPaths } from './system/paths.ts'

/** Where a memory is: in a folder of this machine, beside the files it is about, or in the database of a hub. */
export type MemoryPlace =
  | { readonly kind: 'folder'; readonly paths: MemoryPaths }
  | { readonly kind: 'hub'; readonly project: HubProject }

interface Placed {
  readonly place: MemoryPlace
}

/** For what works on files. Throws `not_on_hub` where there are none. */
export function folderOf({ place }: Placed): MemoryPaths {
  if (place.kind === 'hub') throw notOnHub('The files of the project')
  return place.paths
}

/** The project folder, which paths are kept relative to; undefined: there is none. */
export function rootOf({ place }: Placed): string | undefined {
  return place.kind === 'hub' ? undefined : place.paths.root
}

/** What people call the project: its folder's name, or its own on a hub. */
export function nameOfPlace({ place }: Placed): string {
  if (place.kind === 'hub') return place.project.name
  return place.paths.root.split(/[\\/]/).filter(Boolean).at(-1) ?? ''
}

/** Whether what happened in this folder, or in one that is not known, concerns the memory. Hosts call no hook of a hub. */
export function isOfPlace({ place }: Placed, root: string | undefined): boolean {
  return place.kind === 'folder' && (root === undefined || root === place.paths.root)
}

/** What stands for the memory where a folder is told otherwise. */
export function placeText(placed: Placed): string {
  return rootOf(placed) ?? nameOfPlace(placed)
}

/** `what` begins a sentence. */
export function notOnHub(what: string): CairnError {
  return new CairnError({
    code: 'not_on_hub',
    message: `${what}: not on a hub, which has no files of the project.`,
    hint: 'Do it in the repository, with the memory that lies there; `cairn link` keeps the two in step.',
  })
}

export function notAHub(): CairnError {
  return new CairnError({
    code: 'hub_refused',
    message: 'This server serves the memory of one folder, and is no hub.',
    hint: 'A hub is `cairn up --store postgres://…`; give its address to `cairn link`.',
  })
}
