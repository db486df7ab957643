import { existsSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The name and version of this package. */
export function packageFacts(): { readonly name: string; readonly version: string } {
  const { name, version } = JSON.parse(readFileSync(`${packageFolder()}/package.json`, 'utf8')) as {
    name: string
    version: string
  }
  return { name, version }
}

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

declare const CAIRN_VERSION: string

/** The Cairn version that wrote a file. Only a build knows its number. */
export function generatorVersion(): string {
  return typeof CAIRN_VERSION === 'undefined' ? 'development' : CAIRN_VERSION
}
