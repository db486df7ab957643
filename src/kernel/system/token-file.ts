import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { absentAsUndefined, errnoOf, privateDisk } from './disk.ts'
import { keepPrivate, userFolder } from './user-folder.ts'

/** The token by which this user's own programs may change a memory over HTTP. It lies in the user's folder and in no project. */
export interface TokenFile {
  readonly path: string
  /** Made by whoever asks first. */
  read(): string
  /** Another one, from now on: whoever knows the old one knows nothing. */
  renew(): string
  /** Against what the file says now: a running server takes a new token at once. */
  isToken(given: string): boolean
}

const TOKEN = /^[0-9a-f]{64}$/

export function tokenFile(user: string = userFolder()): TokenFile {
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

/** undefined: there is none, or what is there is none. */
function tokenIn(file: string): string | undefined {
  const token = absentAsUndefined(() => fs.readFileSync(file, 'utf8'))?.trim()
  return token !== undefined && TOKEN.test(token) ? token : undefined
}

/** Of two first processes one makes it, and the other takes that: a link is made whole, or not at all. */
function makeToken(file: string): string {
  const token = randomBytes(32).toString('hex')
  const made = unfinished(file, token)
  try {
    fs.linkSync(made, file)
    return token
  } catch (error) {
    const first = tokenIn(file)
    if (errnoOf(error) === 'EEXIST' && first !== undefined) return first
    // What lies there is damaged, or this file system has no links.
    fs.renameSync(made, file)
    return tokenIn(file) ?? token
  } finally {
    fs.rmSync(made, { force: true })
  }
}

/** Nobody else may read it at any moment, and nothing is written through a link. */
function unfinished(file: string, token: string): string {
  const folder = path.dirname(file)
  privateDisk.makeFolder(folder)
  keepPrivate(folder)
  const made = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  fs.writeFileSync(made, `${token}\n`, { mode: 0o600, flag: 'wx' })
  return made
}

function stampOf(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
}

/** Over digests: equally long, so that neither the time nor the length tells anything. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
