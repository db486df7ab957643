import * as fs from 'node:fs'
import * as path from 'node:path'
import { importOperation } from '../../../addons/import/verbs/import.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { defineOperation } from '../../../verbs/operation.ts'

/** A server has no standard input, and its working directory is arbitrary, so a file is relative to the project. */
export const importFileOperation = defineOperation({
  ...importOperation,
  // It reads any file of this machine.
  route: { at: 'POST /api/import', access: 'local' },
  examples: [],
  async run(memory, { file, ...options }, context) {
    if (file === '-') throw noInput()
    const named = file === undefined ? undefined : path.resolve(memoryFolderOf(memory).root, file)
    if (named !== undefined && isWithoutEnd(named)) throw noFile(named)
    return importOperation.run(memory, { ...options, ...(named !== undefined && { file: named }) }, context)
  },
})

/** A device or a pipe may never end, and would block all other requests. */
function isWithoutEnd(named: string): boolean {
  const stat = fs.statSync(named, { throwIfNoEntry: false })
  return stat !== undefined && !stat.isFile() && !stat.isDirectory()
}

function noFile(named: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `import: \`file\`: ${named} is neither a file nor a folder.`,
    hint: 'Name a file or a folder, from the project or as a whole path.',
  })
}

function noInput(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: 'import: `file`: a server has no standard input.',
    hint: 'Name a file or a folder, from the project or as a whole path.',
  })
}
