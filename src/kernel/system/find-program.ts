import * as fs from 'node:fs'
import * as path from 'node:path'
import { environmentVariable } from './environment.ts'

/** The path of the program that a shell would start for this word; undefined: none. */
export function findProgram(word: string, searched = environmentVariable('PATH') ?? ''): string | undefined {
  if (/[\\/]/.test(word)) return isProgram(word) ? word : undefined
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : ['']
  for (const folder of searched.split(path.delimiter))
    for (const ending of endings) {
      const file = path.join(folder, word + ending)
      if (path.isAbsolute(file) && isProgram(file)) return file
    }
  return undefined
}

function isProgram(file: string): boolean {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (stat === undefined || !stat.isFile()) return false
  return process.platform === 'win32' || (stat.mode & 0o111) !== 0
}

/**
 * The same, but never a file in `folder`, by its name or behind a link: a repository must not decide which program runs because a folder
 * of it is on the PATH.
 */
export function findProgramOutside(word: string, folder: string): string | undefined {
  const kept = (environmentVariable('PATH') ?? '')
    .split(path.delimiter)
    .filter(each => path.isAbsolute(each) && !leadsInto(each, folder))
  for (const each of kept) {
    const found = findProgram(word, each)
    if (found !== undefined && !leadsInto(found, folder)) return found
  }
  return undefined
}

function leadsInto(file: string, folder: string): boolean {
  const real = (name: string) => (fs.existsSync(name) ? fs.realpathSync.native(name) : path.resolve(name))
  const isBelow = (name: string, top: string) => {
    const way = path.relative(top, name)
    return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way))
  }
  return isBelow(path.resolve(file), path.resolve(folder)) || isBelow(real(file), real(folder))
}
