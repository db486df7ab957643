import * as fs from 'node:fs'
import * as path from 'node:path'
import { environmentVariable } from './environment.ts'

/** Where a program is that a shell would start by this word; undefined: nowhere. */
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
