import { existsSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder of this package, for the files that come with it: `dist/model`, `dist/embed-worker.js`. The code lies at another
 * depth in the source, in a chunk and in the command line, so it looks upwards.
 */
export function packageFolder(): string {
  const here = path.dirname(fileURLToPath(import.meta.url))
  for (let folder = here; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder
    if (folder === path.dirname(folder)) return here
  }
}
