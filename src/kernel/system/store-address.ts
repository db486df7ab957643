import * as fs from 'node:fs'
import { CairnError } from '../model/errors.ts'
import { errnoOf } from './disk.ts'
import { readEnvironment } from './environment.ts'

export interface StoreGiven {
  readonly store?: string | undefined
  readonly storeFile?: string | undefined
}

/** The address of a hub's database: typed, in a file, or from CAIRN_STORE. undefined: none. */
export function findStoreAddress({ store, storeFile }: StoreGiven): string | undefined {
  if (store !== undefined && storeFile !== undefined)
    throw new CairnError({
      code: 'invalid_input',
      message: '--store and --store-file cannot be used together.',
      hint: 'Use one of them.',
    })
  if (store !== undefined) return store
  if (storeFile !== undefined) return firstLineOf(storeFile)
  return readEnvironment().store
}

export function getStoreAddress(given: StoreGiven): string {
  const found = findStoreAddress(given)
  if (found !== undefined) return found
  throw new CairnError({
    code: 'invalid_input',
    message: 'The database of the hub is missing.',
    hint: 'Set CAIRN_STORE to postgres://user:password@host/database, or use --store-file or --store.',
  })
}

function firstLineOf(file: string): string {
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    throw new CairnError({
      code: 'file_not_found',
      message: `The file of --store-file cannot be read (${errnoOf(error)}).`,
      hint: 'Name a file whose first line is postgres://user:password@host/database.',
      cause: error,
    })
  }
  return text.split('\n')[0]?.trim() ?? ''
}
