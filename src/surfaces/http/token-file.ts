import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { userFolder } from '../../system/user-folder.ts'

/** The token by which this user's own programs may change a memory over HTTP. It lies in the user's folder and in no project. */
export function readOrMakeToken(): string {
  const file = path.join(userFolder(), 'token')
  try {
    const token = fs.readFileSync(file, 'utf8').trim()
    if (/^[0-9a-f]{64}$/.test(token)) return token
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const token = randomBytes(32).toString('hex')
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  fs.writeFileSync(file, `${token}\n`, { mode: 0o600 })
  return token
}
