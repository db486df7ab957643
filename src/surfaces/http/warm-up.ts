import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { setUserFolder } from '../../kernel/system/environment.ts'
import { userTokenFile } from '../../kernel/system/token-file.ts'
import { startServer } from './server.ts'

/** The first requests of the page: code that does not run here is not in the cache. */
const ASKED = ['/api/server', '/api/vault', '/api/status', '/api/entries?limit=5', '/api/nothing']

/** Runs a start and the first requests of a page, in a scratch project. */
export async function walkUpPaths(version: string): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'cairn-build-'))
  const root = path.join(scratch, 'project')
  mkdirSync(root)
  setUserFolder(path.join(scratch, 'user'))
  try {
    const server = await startServer({
      root,
      port: 0,
      token: userTokenFile(),
      version,
      onFault: error => {
        throw error
      },
    })
    for (const target of ASKED) await ask(server.port, target)
    await server.close()
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function ask(port: number, target: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: target, agent: false }, response => {
      response.resume()
      response.once('end', resolve)
    }).once('error', reject)
  })
}
