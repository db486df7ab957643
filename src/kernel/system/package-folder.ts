import { existsSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder of this package, for the files that come with it: `dist/model`, `dist/embed-worker.js`. The depth of this code differs
 * between source, chunks and command line, so parents are searched.
 */
export function packageFolder(): string {
  // In the bundled command line `__filename` exists; `import.meta.url` there would load a module for nothing.
  const here = path.dirname(typeof __filename === 'string' ? __filename : fileURLToPath(import.meta.url))
  for (let folder = here; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder
    if (folder === path.dirname(folder)) return here
  }
}
