/**
 * A hub for the bench of sync, in a process of its own: it says where it is and with which token, answers every line with the CPU
 * seconds it has used, and ends with its standard input.
 */
import { randomBytes } from 'node:crypto'
import { openHub } from '../src/compose/compose-hub.ts'
import { configSetOperation } from '../src/features/settings/verbs/config.ts'
import { startHubServer } from '../src/surfaces/http/hub-server.ts'

async function main(): Promise<void> {
  const onFault = (error: unknown) => process.stderr.write(`${String(error)}\n`)
  const hub = await openHub({ store: process.argv[2] ?? '', onFault })
  const server = await startHubServer({ hub, port: 0, host: '127.0.0.1', version: 'bench', onFault })
  const project = `sync-${randomBytes(4).toString('hex')}`
  const desk = hub.deskOf({ principal: 'bench' })
  const made = await desk.addProject(project)
  // Vectors are made when a sync is over, by a thread of their own: that work is another bench's.
  await configSetOperation.run(hub.engineOf(made), { key: 'embedder.use', value: 'off' }, {})
  const { token } = await desk.addToken({
    name: `bench-${project}`,
    kind: 'agent',
    grants: [{ project, scope: 'write' }],
  })
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.port}`, project, token })}\n`)
  process.stdin.on('data', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    process.stdout.write(`${JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 })}\n`)
  })
  await new Promise(resolve => process.stdin.once('end', resolve))
  await server.close()
  await hub.close()
}

await main()
// The model's thread would be waited for.
process.exit(0)
