import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { absentAsUndefined, errnoOf, privateDisk } from './disk.ts'
import { restrictToUser, userFolder } from './user-folder.ts'

/** The token with which this user's own programs may change a memory over HTTP. It is in the user's folder and in no project. */
export interface TokenFile {
  readonly path: string
  /** The first caller creates it. */
  read(): string
  /** Replaces the token: the old one is no longer valid. */
  renew(): string
  /** Compared with the current file: a running server accepts a new token immediately. */
  isToken(given: string): boolean
}

const TOKEN = /^[0-9a-f]{64}$/

export function userTokenFile(user: string = userFolder()): TokenFile {
  const file = path.join(user, 'token')
  let known: { readonly stamp: string; readonly token: string } | undefined

  const readNow = (): string => {
    const stamp = stampOf(file)
    if (known !== undefined && stamp === known.stamp) return known.token
    const token = tokenIn(file) ?? makeToken(file)
    known = { stamp: stampOf(file), token }
    return token
  }
  return {
    path: file,
    read: readNow,
    renew() {
      const token = randomBytes(32).toString('hex')
      fs.renameSync(unfinished(file, token), file)
      return token
    },
    isToken: given => isSame(given, readNow()),
  }
}

/** undefined: there is no token, or it is invalid. */
function tokenIn(file: string): string | undefined {
  const token = absentAsUndefined(() => fs.readFileSync(file, 'utf8'))?.trim()
  return token !== undefined && TOKEN.test(token) ? token : undefined
}

/** If two processes start at the same time, one creates it and the other uses that one: a link is created completely, or not at all. */
function makeToken(file: string): string {
  const token = randomBytes(32).toString('hex')
  const made = unfinished(file, token)
  try {
    fs.linkSync(made, file)
    return token
  } catch (error) {
    const first = tokenIn(file)
    if (errnoOf(error) === 'EEXIST' && first !== undefined) return first
    // The existing file is damaged, or the file system has no links.
    fs.renameSync(made, file)
    return tokenIn(file) ?? token
  } finally {
    fs.rmSync(made, { force: true })
  }
}

/** Only the user can read it at any time, and nothing is written through a link. */
function unfinished(file: string, token: string): string {
  const folder = path.dirname(file)
  privateDisk.makeFolder(folder)
  restrictToUser(folder)
  const made = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  fs.writeFileSync(made, `${token}\n`, { mode: 0o600, flag: 'wx' })
  return made
}

function stampOf(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
}

/** Compares digests: they have equal length, so neither the time nor the length leaks information. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
