import { existsSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder of this package, for the files that come with it: `dist/model`, `dist/embed-worker.js`. The code lies at another
 * depth in the source, in a chunk and in the command line, so it looks upwards.
 */
export function packageFolder(): string {
  // In the bundled command line there is a file name; asking for the URL there would load a module for nothing.
  const here = path.dirname(typeof __filename === 'string' ? __filename : fileURLToPath(import.meta.url))
  for (let folder = here; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder
    if (folder === path.dirname(folder)) return here
  }
}
