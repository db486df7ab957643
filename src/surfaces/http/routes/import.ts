import * as path from 'node:path'
import { CairnError } from '../../../model/errors.ts'
import { importOperation } from '../../../operations/import.ts'
import { defineOperation } from '../../../operations/operation.ts'

/** A server has no standard input to read from, and stands where it was started: a file is meant from the project. */
export const importFileOperation = defineOperation({
  ...importOperation,
  examples: [],
  async run(engine, { file, ...options }, context) {
    if (file === '-') throw noInput()
    const named = file === undefined ? undefined : path.resolve(engine.root, file)
    return importOperation.run(engine, { ...options, ...(named !== undefined && { file: named }) }, context)
  },
})

function noInput(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: 'import: `file`: a server has no standard input.',
    hint: 'Name a file or a folder, from the project or as a whole path.',
  })
}
