/** A hub for the bench of sync, in a process of its own: it says where it is and with which token, and ends with its standard input. */
import { randomBytes } from 'node:crypto'
import { openHub } from '../src/compose-hub.ts'
import { startHubServer } from '../src/surfaces/http/hub-server.ts'

async function main(): Promise<void> {
  const onFault = (error: unknown) => process.stderr.write(`${String(error)}\n`)
  const hub = await openHub({ store: process.argv[2] ?? '', onFault })
  const server = await startHubServer({ hub, port: 0, host: '127.0.0.1', version: 'bench', onFault })
  const project = `sync-${randomBytes(4).toString('hex')}`
  const desk = hub.deskOf({ principal: 'bench' })
  await desk.addProject(project)
  const { token } = await desk.addToken({
    name: `bench-${project}`,
    kind: 'agent',
    grants: [{ project, scope: 'write' }],
  })
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.port}`, project, token })}\n`)
  process.stdin.resume()
  await new Promise(resolve => process.stdin.once('end', resolve))
  await server.close()
  await hub.close()
}

await main()
