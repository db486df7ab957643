import { readFileSync } from 'node:fs'
import { packageFolder } from './package-folder.ts'

/** The name and version of this package. */
export function packageFacts(): { readonly name: string; readonly version: string } {
  const { name, version } = JSON.parse(readFileSync(`${packageFolder()}/package.json`, 'utf8')) as {
    name: string
    version: string
  }
  return { name, version }
}
