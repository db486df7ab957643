import { readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'

/** Every file below a folder with its bytes (as latin1 text, so that a difference can be shown); a link with where it leads. */
export function filesBelow(
  folder: string,
  isLeftOut: (name: string) => boolean = () => false,
): Map<string, string> {
  const files = new Map<string, string>()
  const visit = (below: string) => {
    for (const item of readdirSync(path.join(folder, below), { withFileTypes: true })) {
      const name = path.posix.join(below, item.name)
      if (isLeftOut(name)) continue
      if (item.isDirectory()) visit(name)
      else if (item.isFile()) files.set(name, readFileSync(path.join(folder, name), 'latin1'))
    }
  }
  visit('')
  return files
}

/** Names of files that are not the same in both. */
export function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter(name => before.get(name) !== after.get(name))
    .sort()
}
